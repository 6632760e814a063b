package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: when a branch of a divided optimal search may begin.
//
//	source:     ours
//	differs:    undivided, all that sleeps after a step is done when the step is taken, and has put what follows from it
//	            into the wakeup trees of later branches. That is what lets a sleeping step make up for sequences that it
//	            is no part of. So
//	invariants: I1 a step is begun at a node when, of each step that was explored from there and sleeps after it, all
//	               that is below is done, and what that found was added. Steps that were explored from nodes above and
//	               sleep here were done when the step that leads here began, for the same reason
//	            I2 of two branches of a node neither of which sleeps after the other, both may be under way: neither
//	               makes up for anything that the other one leads to
//	            I3 the values of a choice in the middle of a step come one after the other, each when all below the one
//	               before is done
//	            I4 an item waits for items only that come before it in the order of an undivided search: those below an
//	               earlier branch or value of its node. So of the items that are open the first in this order never
//	               waits, and there is always one to execute
//	cost:       what waits is taken up once more
//	checked by: package parallel, divide_test.go: exactly one execution of each class, and none is blocked

// postpones reports whether the step has to wait for another item, and has put it back if so.
func (o *Optimal) postpones(n *node, l *label) bool {
	if !o.waits(n, l) {
		return false
	}
	o.putBack()
	return true
}

// waits reports whether a step must not be begun before what others execute is over; of a node in the middle of a
// macro-step, a value.
func (o *Optimal) waits(n *node, l *label) bool {
	if !n.inStep {
		return n.unfinishedAfter(l) != nil
	}
	// What it does under another value nobody knows, nor what sleeps after it. SUBTLE: the value before is to be done too:
	// what follows from it for this node may be more than what follows from this value, and has to be in the wakeup tree
	// first.
	m := o.macroStep(len(o.nodes) - 1)
	return m != &o.root && (m.unfinished || m.unfinishedAfter(nil) != nil)
}

// unfinishedAfter gives a step that was explored from here and sleeps after step l, although something below it is not
// done; nil if there is none. Without l it need not sleep.
func (n *node) unfinishedAfter(l *label) *sleeper {
	for i := range n.sleep {
		q := &n.sleep[i]
		if q.late && (l == nil || len(stillAsleep(n.sleep[i:i+1], l.id, false,
			func(f *leaf) bool { return f.foot.Dependent(l.sure()) })) > 0) {
			return q
		}
	}
	return nil
}

// sure is what the step accesses whatever it chooses.
func (l *label) sure() causal.Footprint {
	if !l.varies {
		return l.foot
	}
	return slices.DeleteFunc(slices.Clone(l.foot), func(a causal.Access) bool { return a.Object != l.actor })
}

// putBack makes an item of the last node, whose next step must wait, with those of the macro-step in the middle of
// which it is.
func (o *Optimal) putBack() {
	end := len(o.nodes)
	k := max(0, o.headOf(end-1))
	n := &o.nodes[end-1]
	n.retired = true
	if !n.inStep {
		n.wakeup = append([]*branch{{step: n.chosen}}, n.wakeup...) // what was explored comes first
	}
	for i := range o.nodes {
		n := &o.nodes[i]
		n.shared, n.unfinished = true, true
		if i >= k {
			n.barred, n.handedOut = o.barredAt(i), true
		}
	}
	o.share.back = append(o.share.back, encodeItem(o.nodes[:k], o.nodes[k:end]))
}

// barredAt gives the values of a choice in the middle of a macro-step that are no alternatives. The execution tells
// that, and whoever takes up an item has not seen it.
func (s *depthFirst) barredAt(k int) (barred []trace.ID) {
	n := &s.nodes[k]
	if n.unseen || !n.inStep {
		return n.barred
	}
	if m := s.macroStep(k); m != &s.root {
		for i := range n.enabled {
			if !s.tree.alternatives(m, n, &n.enabled[i]) {
				barred = append(barred, n.enabled[i].id)
			}
		}
	}
	return barred
}

// Ready is explore.Joiner.
func (o *Optimal) Ready(item explore.Item, found [][]byte,
	open func(steps []trace.ID) bool) (explore.Item, []trace.ID, error) {
	if len(item.Rest) == 0 {
		return item, nil, nil
	}
	for _, f := range found {
		joined, _, err := o.Join(item, f)
		if err != nil {
			return item, nil, err
		}
		item = joined
	}
	above, own, err := parts(item)
	if err != nil {
		return item, nil, err
	}
	d := newDecoder(own)
	nodes := d.group()
	if d.Err != nil || nodes[0].inStep {
		return item, nil, d.Err
	}
	n := &nodes[0]
	for i := range n.sleep {
		q := &n.sleep[i]
		q.late = q.here && open(append(slices.Clone(item.Steps), q.id))
	}
	e := newEncoder()
	e.group(nodes)
	item.Rest = joined(above, e.B)
	if path := append(slices.Clone(item.Steps), n.chosen.id); !n.retired && open(path) {
		return item, path, nil
	}
	if q := o.firstUnfinished(n); q != nil {
		return item, append(slices.Clone(item.Steps), q.id), nil
	}
	return item, nil, nil
}

// firstUnfinished gives a step for which the next one at the node of an item waits, nil if there is none.
func (o *Optimal) firstUnfinished(n *node) *sleeper {
	if !n.retired {
		return n.unfinishedAfter(nil)
	}
	if l, ok := o.next(n); ok {
		return n.unfinishedAfter(&l)
	}
	return nil
}
