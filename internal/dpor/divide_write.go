package dpor

import (
	"encoding/binary"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/search"
)

// This file writes items as bytes. The rest of an item is the number of bytes about its path, these, and those about
// its own nodes. Package items says how numbers and identities are written.
//
//	source:     ours
//	invariants: what the execution of the path shows again is left out
//	cost:       the sleep sets and wakeup trees of the item's nodes; of nodes above, where more sleeps than is inherited
//	checked by: internal/parallel/divide_test.go

type encoder struct{ *search.Encoder }

func newEncoder() *encoder { return &encoder{search.NewEncoder()} }

// foot writes a footprint.
func (e *encoder) foot(f causal.Footprint) {
	e.Count(len(f))
	for _, a := range f {
		e.Flags(a.Write)
		e.ID(a.Object)
	}
}

// label writes a step, without what it does not have.
func (e *encoder) label(l *label) {
	e.Flags(l.open, l.guess, l.varies, l.fault, !l.first.IsZero(), len(l.path) > 0, len(l.foot) > 0)
	e.ID(l.id)
	e.Byte(byte(l.kind))
	e.ID(l.actor)
	if !l.first.IsZero() {
		e.ID(l.first)
	}
	if len(l.path) > 0 {
		e.List(l.path)
	}
	if len(l.foot) > 0 {
		e.foot(l.foot)
	}
}

func (e *encoder) labels(ls []label) {
	e.Count(len(ls))
	for i := range ls {
		e.label(&ls[i])
	}
}

// leaves writes the leaves of a step, those that are awake too: a step sleeps only if all of them do.
func (e *encoder) leaves(ls []leaf) {
	e.Count(len(ls))
	for _, l := range ls {
		e.Flags(l.awake, l.fault)
		e.List(l.path)
		e.foot(l.foot)
	}
}

// sleep writes a sleep set.
func (e *encoder) sleep(qs []sleeper) {
	e.Count(len(qs))
	for _, q := range qs {
		e.Flags(q.here, q.late, q.idle)
		e.ID(q.id)
		e.leaves(q.leaves)
	}
}

// branches writes a wakeup tree, depth first.
func (e *encoder) branches(bs []*branch) {
	e.Count(len(bs))
	for _, b := range bs {
		e.label(&b.step)
		e.branches(*b.follow())
	}
}

// node writes what others need to know of a node. Of one above an item what follows from the execution of the path is
// left out.
func (e *encoder) node(n *node, above bool) {
	e.Flags(n.inStep, n.slept, n.retired)
	e.Byte(byte(n.asks))
	e.label(&n.chosen)
	e.leaves(n.leaves)
	if n.slept || !above {
		e.sleep(n.sleep)
	}
	e.labels(n.todo)
	e.branches(n.wakeup)
	if !above {
		e.Count(n.left)
		e.List(n.barred)
		e.labels(n.enabled)
		e.List(n.done)
	}
}

func (e *encoder) group(nodes []node) {
	e.Count(len(nodes))
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
	return explore.Item{Steps: pathTo(above), Rest: joined(up.B, e.B)}
}

func joined(above, own []byte) []byte {
	return append(append(binary.AppendUvarint(nil, uint64(len(above))), above...), own...)
}
