package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
)

// This file: what optimal DPOR has to explore besides reversed races, because steps choose. A value of a choice is left
// out where the step sleeps under it, or where a step that sleeps would lead to it. A later step w may wake that
// sleeper, and still be independent of the step with the value that was taken. Then w should have come first, for the
// other value, and no race of the execution shows that.
//
//	source:     ours, for choices in the middle of a step; [AAJS14] has none
//	differs:    the sequence reverses no race. It has what is independent of the step as it was taken, then the step with
//	            the other value
//	cost:       for each choice of an execution, once for each value that is left out or asleep, a walk over all that
//	            came after it
//	checked by: twin_test.go and fault_test.go against brute force

// wakeValues looks for steps of which some leaves, under other choices, sleep where the step was taken. A later step
// may be independent of the step as it was taken, and not of those leaves. If it comes first, they wake.
func (o *Optimal) wakeValues(end int32) {
	for k := range o.nodes {
		n := &o.nodes[k]
		for i := range n.sleep {
			if q := &n.sleep[i]; !n.inStep && q.id == n.chosen.id {
				for j := range q.leaves {
					if l := &q.leaves[j]; !l.awake {
						o.wake(n, o.wakening(n, l, end))
					}
				}
			}
		}
	}
}

// wakeLeftOut looks for values that alternatives left out, since a step that sleeps leads to them. If something wakes
// that step before, it does not. What the step does with such a value is not known, so it is open in the sequence.
func (o *Optimal) wakeLeftOut(end int32) {
	for k := range o.nodes {
		n, m := &o.nodes[k], o.macroStep(k)
		if !n.inStep || m == &o.root {
			continue
		}
		path := o.path(k)
		for i := range n.enabled {
			value := &n.enabled[i]
			if value.id == n.chosen.id || slices.Contains(n.done, value.id) || o.alternatives(m, n, value) {
				continue
			}
			if l := (leaf{path: append(slices.Clone(path), value.id), fault: value.faulty()}); !asleep(m.sleep, m.chosen.id,
				l.path) {
				v := o.wakening(m, &l, end)
				v.parts[len(v.parts)-1].open = true
				o.wake(m, v)
			}
		}
	}
}

// wake adds a sequence to what is to be explored from the node, unless what sleeps leads to it (O6, O7).
func (o *Optimal) wake(n *node, v sequence) {
	if v.faults() <= n.left && !v.covered(n.sleep, n.left) {
		o.add(n, &v)
	}
}

// wakening builds the sequence that leads to the chosen step of a node under other choices: what is independent of the
// step as it was taken, and then the step. It is a reversal that displaces no fault.
func (s *depthFirst) wakening(n *node, l *leaf, end int32) sequence {
	r := reversal{i: n.event, end: end, last: -1, step: n.chosen.id, kind: n.chosen.kind, actor: n.chosen.actor,
		first: n.chosen.first,
		foot:  causal.Stepping(n.chosen.actor)}
	v := r.sequence(s, end)
	p := &v.parts[len(v.parts)-1]
	p.open, p.last, p.path, p.fault, p.foot = false, false, slices.Clone(l.path), l.fault, l.foot
	v.displaced = 0
	return v
}
