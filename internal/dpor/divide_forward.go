package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
)

// This file: sequences for the wakeup trees of nodes that were handed out, without the execution that they were taken
// from.
//
//	source:     ours
//	invariants: a sequence is not forwarded in two cases. The wakeup tree leads to it, as the tree was when the node was
//	            handed out. Or one that was forwarded makes up for it, whatever the node has explored since.
//	            SUBTLE: for the latter it does not suffice that the tree of the forwarded one leads to it. The forwarded
//	            one may come too late: it may be independent of a step that sleeps by now, and this one is not

// forwarding is a sequence that was forwarded.
type forwarding struct {
	tree   []*branch
	foot   causal.Footprint
	faults [2]int // of it, and of what it displaces
}

// forwardedPart is what is known of a part of a sequence that was forwarded.
type forwardedPart struct {
	label label
	past  []int32 // the parts that happen before it
}

// forward sends a sequence to the item that has the node.
func (o *Optimal) forward(n *node, v *sequence) {
	t := forwarding{faults: [2]int{v.faults(), v.displaced}, foot: v.footprint()}
	if len(n.wakeup) > 0 && v.isLedTo(n.wakeup[1:], n.left) {
		return
	}
	for i := range n.forwarded {
		if n.forwarded[i].faults == t.faults && within(t.foot, n.forwarded[i].foot) &&
			v.isLedTo(n.forwarded[i].tree, n.left) {
			return
		}
	}
	t.tree = []*branch{v.branch()}
	n.forwarded = append(n.forwarded, t)
	o.owe(n, func(e *encoder) { e.sequence(v) })
}

// isLedTo reports whether a wakeup tree leads to the sequence.
func (v *sequence) isLedTo(tree []*branch, left int) bool {
	rest := *v
	rest.asked = true
	rest.parts = slices.Clone(v.parts)
	return rest.missing(&tree, rest.faults(), left) == nil
}

// within reports whether all that depends on the first footprint depends on the second one.
func within(f, g causal.Footprint) bool {
	return !slices.ContainsFunc(f, func(x causal.Access) bool {
		return !slices.ContainsFunc(g, func(y causal.Access) bool { return x.Object == y.Object && (y.Write || !x.Write) })
	})
}

// footprint is all that the sequence accesses, each object once.
func (v *sequence) footprint() (f causal.Footprint) {
	for i := range v.parts {
		l := v.label(&v.parts[i])
		for _, a := range l.foot {
			if !within(causal.Footprint{a}, f) {
				f = append(f, a)
			}
		}
	}
	return f
}

// Join is explore.Joiner: what was found is a sequence.
func (o *Optimal) Join(item explore.Item, found []byte) (explore.Item, bool, error) {
	return o.join(item, found, func(n *node, d *decoder) error {
		v := d.sequence()
		if len(n.wakeup) == 0 {
			n.wakeup = []*branch{{step: n.chosen}}
		}
		if d.Err == nil && !v.covered(n.sleep, n.left) {
			n.wakeup = append(n.wakeup[:1:1], insert(n.wakeup[1:], v, n.left)...)
		}
		return d.Err
	})
}

// sequence writes a sequence.
func (e *encoder) sequence(v *sequence) {
	e.ID(v.away)
	e.ID(v.r.step)
	e.foot(v.r.foot)
	e.Count(v.displaced)
	e.Count(len(v.parts))
	for i := range v.parts {
		p := &v.parts[i]
		l := v.label(p)
		e.Flags(p.last, p.open, p.fault)
		e.ID(p.id)
		e.List(p.path)
		e.label(&l)
		var past []int
		for j := range v.parts[:i] {
			if !p.open && v.before(&v.parts[j], p) {
				past = append(past, j)
			}
		}
		e.Count(len(past))
		for _, j := range past {
			e.Count(j)
		}
	}
}

// sequence reads a sequence; its parts are numbered in the place of events.
func (d *decoder) sequence() (v sequence) {
	v.away, v.r.step = d.ID(), d.ID()
	v.r.foot = d.foot()
	v.displaced = int(d.Uvarint())
	for i := range d.Count() {
		p := part{event: int32(i), end: int32(i + 1), forwarded: &forwardedPart{}}
		d.Flags(&p.last, &p.open, &p.fault)
		p.id = d.ID()
		p.path = d.List()
		p.forwarded.label = d.label()
		for range d.Count() {
			p.forwarded.past = append(p.forwarded.past, int32(d.Uvarint()))
		}
		v.parts = append(v.parts, p)
	}
	if len(v.parts) == 0 || len(d.B) > 0 {
		d.Fail()
	}
	return v
}
