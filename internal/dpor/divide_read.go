package dpor

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file reads what divide_write.go writes.

// errNode is what is said of an item that was not made there.
var errNode = errors.New("the item is not one of a source search")

// parts gives the two parts of the rest of an item.
func parts(item explore.Item) (above, own []byte, err error) {
	n, k := binary.Uvarint(item.Rest)
	if k <= 0 || n > uint64(len(item.Rest)-k) {
		return nil, nil, fmt.Errorf("%w: %d steps, %d bytes", errNode, len(item.Steps), len(item.Rest))
	}
	return item.Rest[k : k+int(n)], item.Rest[k+int(n):], nil
}

// decodeItem gives the nodes of an item: those of its path, which are lent, and its own.
func decodeItem(item explore.Item) ([]node, error) {
	above, own, err := parts(item)
	if err != nil {
		return nil, err
	}
	d := &decoder{b: above}
	var nodes []node
	for _, id := range item.Steps {
		n := d.node(true)
		if n.chosen.id != id {
			d.fail()
		}
		n.lent, n.shared = true, true
		nodes = append(nodes, n)
	}
	if len(d.b) > 0 {
		d.fail()
	}
	o := &decoder{b: own, err: d.err}
	return append(nodes, o.group()...), o.err
}

// decoder reads until something is wrong; then all is zero, and err says so.
type decoder struct {
	b   []byte
	ids []trace.ID
	err error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errNode
	}
	d.b = nil
}

func (d *decoder) uvarint() uint64 {
	n, k := binary.Uvarint(d.b)
	if k <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[k:]
	return n
}

// count reads how many follow: each has a byte at least.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	b := d.b[0]
	d.b = d.b[1:]
	return b
}

func (d *decoder) flags(flags ...*bool) {
	b := d.byte()
	for i, f := range flags {
		*f = b&(1<<i) != 0
	}
}

func (d *decoder) id() trace.ID {
	n := d.uvarint()
	switch {
	case n < uint64(len(d.ids)):
		return d.ids[n]
	case n > uint64(len(d.ids)) || len(d.b) < 16:
		d.fail()
		return trace.ID{}
	}
	id := trace.ID{Hi: binary.BigEndian.Uint64(d.b), Lo: binary.BigEndian.Uint64(d.b[8:])}
	d.b, d.ids = d.b[16:], append(d.ids, id)
	return id
}

func (d *decoder) list() (ids []trace.ID) {
	for range d.count() {
		ids = append(ids, d.id())
	}
	return ids
}

func (d *decoder) foot() (f causal.Footprint) {
	for range d.count() {
		var a causal.Access
		d.flags(&a.Write)
		a.Object = d.id()
		f = append(f, a)
	}
	return f
}

func (d *decoder) label() (l label) {
	var first, path, foot bool
	d.flags(&l.open, &l.guess, &l.varies, &l.fault, &first, &path, &foot)
	l.id = d.id()
	l.kind = trace.Kind(d.byte())
	l.actor = d.id()
	if first {
		l.first = d.id()
	}
	if path {
		l.path = d.list()
	}
	if foot {
		l.foot = d.foot()
	}
	return l
}

func (d *decoder) labels() (ls []label) {
	for range d.count() {
		ls = append(ls, d.label())
	}
	return ls
}

func (d *decoder) leaves() (ls []leaf) {
	for range d.count() {
		var l leaf
		d.flags(&l.awake, &l.fault)
		l.path = d.list()
		l.foot = d.foot()
		ls = append(ls, l)
	}
	return ls
}

func (d *decoder) sleep() (qs []sleeper) {
	for range d.count() {
		q := sleeper{}
		d.flags(&q.here, &q.late, &q.idle)
		q.id = d.id()
		q.leaves = d.leaves()
		qs = append(qs, q)
	}
	return qs
}

func (d *decoder) branches() (bs []*branch) {
	for range d.count() {
		b := &branch{step: d.label()}
		b.below = d.branches()
		bs = append(bs, b)
	}
	return bs
}

func (d *decoder) node(above bool) (n node) {
	n.unseen = true
	d.flags(&n.glued, &n.slept, &n.retired)
	n.asks = asks(d.byte())
	n.chosen = d.label()
	n.leaves = d.leaves()
	if n.slept || !above {
		n.slept = true
		n.sleep = d.sleep()
	}
	n.todo = d.labels()
	n.wakeup = d.branches()
	if !above {
		n.left = int(d.uvarint())
		n.barred = d.list()
		n.enabled = d.labels()
		n.done = d.list()
	}
	return n
}

// group reads the nodes of an item, at least one.
func (d *decoder) group() (nodes []node) {
	for range d.count() {
		n := d.node(false)
		n.shared = true
		nodes = append(nodes, n)
	}
	if len(nodes) == 0 || len(d.b) > 0 {
		d.fail()
	}
	return nodes
}
