package dpor

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// This file reads what divide_write.go writes. Other bytes give an error, or nodes that the execution of their path
// refuses.

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

// decodeItem gives the nodes of an item: those of its path, which are handed out, and its own.
func decodeItem(item explore.Item) ([]node, error) {
	above, own, err := parts(item)
	if err != nil {
		return nil, err
	}
	d := newDecoder(above)
	var nodes []node
	for _, id := range item.Steps {
		n := d.node(true)
		if n.chosen.id != id {
			d.Fail()
		}
		n.handedOut, n.shared = true, true
		nodes = append(nodes, n)
	}
	if len(d.B) > 0 {
		d.Fail()
	}
	o := newDecoder(own)
	o.Err = d.Err
	return append(nodes, o.group()...), o.Err
}

type decoder struct{ *search.Decoder }

func newDecoder(b []byte) *decoder { return &decoder{search.NewDecoder(b, errNode)} }

// foot reads a footprint.
func (d *decoder) foot() (f causal.Footprint) {
	for range d.Count() {
		var a causal.Access
		d.Flags(&a.Write)
		a.Object = d.ID()
		f = append(f, a)
	}
	return f
}

// label reads a step.
func (d *decoder) label() (l label) {
	var first, path, foot bool
	d.Flags(&l.open, &l.guess, &l.varies, &l.fault, &first, &path, &foot)
	l.id = d.ID()
	l.kind = trace.Kind(d.Byte())
	l.actor = d.ID()
	if first {
		l.first = d.ID()
	}
	if path {
		l.path = d.List()
	}
	if foot {
		l.foot = d.foot()
	}
	return l
}

func (d *decoder) labels() (ls []label) {
	for range d.Count() {
		ls = append(ls, d.label())
	}
	return ls
}

// leaves reads the leaves of a step.
func (d *decoder) leaves() (ls []leaf) {
	for range d.Count() {
		var l leaf
		d.Flags(&l.awake, &l.fault)
		l.path = d.List()
		l.foot = d.foot()
		ls = append(ls, l)
	}
	return ls
}

// sleep reads a sleep set, as encoder.sleep writes it.
func (d *decoder) sleep() (qs []sleeper) {
	for range d.Count() {
		q := sleeper{}
		d.Flags(&q.here, &q.late, &q.idle)
		q.id = d.ID()
		q.leaves = d.leaves()
		qs = append(qs, q)
	}
	return qs
}

// branches reads a wakeup tree.
func (d *decoder) branches() (bs []*branch) {
	for range d.Count() {
		b := &branch{step: d.label()}
		b.below = d.branches()
		bs = append(bs, b)
	}
	return bs
}

// node reads a node; above: one of the path to the item, of which only what sleeps there matters below.
func (d *decoder) node(above bool) (n node) {
	n.unseen = true
	d.Flags(&n.inStep, &n.slept, &n.retired)
	n.asks = asks(d.Byte())
	n.chosen = d.label()
	n.leaves = d.leaves()
	if n.slept || !above {
		n.slept = true
		n.sleep = d.sleep()
	}
	n.todo = d.labels()
	n.wakeup = d.branches()
	if !above {
		n.left = int(d.Uvarint())
		n.barred = d.List()
		n.enabled = d.labels()
		n.done = d.List()
	}
	return n
}

// group reads the nodes of an item, at least one.
func (d *decoder) group() (nodes []node) {
	for range d.Count() {
		n := d.node(false)
		n.shared = true
		nodes = append(nodes, n)
	}
	if len(nodes) == 0 || len(d.B) > 0 {
		d.Fail()
	}
	return nodes
}
