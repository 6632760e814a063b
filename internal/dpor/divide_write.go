package dpor

import (
	"encoding/binary"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file writes items as bytes. The rest of an item is the number of bytes about its path, these, and those about its own nodes.
// Numbers are of variable length; an identity is its number among those of the same part, and follows the number if it is new.

type encoder struct {
	b   []byte
	ids map[trace.ID]uint64
}

func newEncoder() *encoder { return &encoder{ids: map[trace.ID]uint64{}} }

func (e *encoder) count(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) flags(flags ...bool) {
	bits := byte(0)
	for i, f := range flags {
		if f {
			bits |= 1 << i
		}
	}
	e.b = append(e.b, bits)
}

func (e *encoder) id(id trace.ID) {
	n, ok := e.ids[id]
	if !ok {
		n = uint64(len(e.ids))
		e.ids[id] = n
	}
	e.b = binary.AppendUvarint(e.b, n)
	if !ok {
		e.b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(e.b, id.Hi), id.Lo)
	}
}

func (e *encoder) list(ids []trace.ID) {
	e.count(len(ids))
	for _, id := range ids {
		e.id(id)
	}
}

func (e *encoder) foot(f causal.Footprint) {
	e.count(len(f))
	for _, a := range f {
		e.flags(a.Write)
		e.id(a.Object)
	}
}

func (e *encoder) label(l *label) {
	e.flags(l.open, l.guess, l.varies, l.fault, !l.first.IsZero(), len(l.path) > 0, len(l.foot) > 0)
	e.id(l.id)
	e.b = append(e.b, byte(l.kind))
	e.id(l.actor)
	if !l.first.IsZero() {
		e.id(l.first)
	}
	if len(l.path) > 0 {
		e.list(l.path)
	}
	if len(l.foot) > 0 {
		e.foot(l.foot)
	}
}

func (e *encoder) labels(ls []label) {
	e.count(len(ls))
	for i := range ls {
		e.label(&ls[i])
	}
}

func (e *encoder) leaves(ls []leaf) {
	e.count(len(ls))
	for _, l := range ls {
		e.flags(l.awake, l.fault)
		e.list(l.path)
		e.foot(l.foot)
	}
}

func (e *encoder) sleep(qs []sleeper) {
	e.count(len(qs))
	for _, q := range qs {
		e.flags(q.here, q.late, q.idle)
		e.id(q.id)
		e.leaves(q.leaves)
	}
}

func (e *encoder) branches(bs []*branch) {
	e.count(len(bs))
	for _, b := range bs {
		e.label(&b.step)
		e.branches(b.below)
	}
}

// node writes what others need to know of a node. Of one above an item what follows from the execution of the path is left out.
func (e *encoder) node(n *node, above bool) {
	e.flags(n.glued, n.slept, n.retired)
	e.b = append(e.b, byte(n.asks))
	e.label(&n.chosen)
	e.leaves(n.leaves)
	if n.slept || !above {
		e.sleep(n.sleep)
	}
	e.labels(n.todo)
	e.branches(n.wakeup)
	if !above {
		e.count(n.left)
		e.list(n.barred)
		e.labels(n.enabled)
		e.list(n.done)
	}
}

func (e *encoder) group(nodes []node) {
	e.count(len(nodes))
	for i := range nodes {
		e.node(&nodes[i], false)
	}
}

// encodeItem makes the item of a group of nodes.
func encodeItem(above, own []node) explore.Item {
	up, e := newEncoder(), newEncoder()
	for i := range above {
		up.node(&above[i], true)
	}
	e.group(own)
	return explore.Item{Steps: pathTo(above), Rest: joined(up.b, e.b)}
}

func joined(above, own []byte) []byte {
	return append(append(binary.AppendUvarint(nil, uint64(len(above))), above...), own...)
}
