package tap

import (
	"slices"
)

// This file: which transitions of a configuration there are, and which one is taken ([TAP18] 5.2).

// node is a configuration with the transitions that have not been taken.
type node struct {
	c     *configuration
	todo  []transition
	fork  bool      // there was more than one
	taken []meeting // transitions that have been
	of    *wanted
	leads []bool // for each of todo, under of
}

// take takes one of the transitions of a node, by chance and weight. It gives nil if that cannot be.
func (e *Engine) take(n *node) *configuration {
	k := e.pick(n)
	t := n.todo[k]
	n.todo = slices.Delete(n.todo, k, k+1)
	n.of = nil
	e.steps++
	e.reach(n.c, t)
	d := t.apply()
	d.asleep = n.sleeping(t)
	if t.meets != (meeting{}) {
		n.taken = append(n.taken, t.meets)
	}
	d.trace = &trail{t.rule, t.actor, e.move(n.c, t), d.trace}
	switch {
	case d.false != nil:
		e.learn(d, []*clause{d.false})
		return nil
	case d.why != "":
		e.note(d.why)
		return nil
	}
	return d
}

// sleeping lists what is not taken behind a transition: what comes of something that was taken already, or was
// infeasible, includes what comes of it when it is taken later. That an actor handles one more message makes its other
// loops, and the matches of its creation, other ones.
//
// Differs: the paper does not retake a transition that it has found infeasible; this is [God96]'s sleep sets for all
// matches and loops, which commute with what other actors do.
func (n *node) sleeping(t transition) []meeting {
	all := append(slices.Clip(n.c.asleep), n.taken...)
	if t.rule != Rule(OnReceiveLooping{}) && t.rule != Rule(Continuation{}) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(m meeting) bool { return m.actor == t.actor })
}

// pick chooses among the transitions of a node by weight: at first among those that may lead to a definition, then
// among those that the search takes again.
func (e *Engine) pick(n *node) int {
	e.look(n)
	among := n.leads
	if !slices.Contains(among, true) && len(e.again) > 0 {
		among = e.repeats(n)
	}
	all := !slices.Contains(among, true)
	sum := 0.0
	weight := func(k int) float64 {
		if !all && !among[k] {
			return 0
		}
		if w, ok := e.config.Weights[n.todo[k].rule.Name()]; ok {
			return w
		}
		return 1
	}
	for k := range n.todo {
		sum += weight(k)
	}
	at, last := e.rand.Float64()*sum, 0
	for k := range n.todo {
		if w := weight(k); w > 0 {
			if last = k; at < w {
				return k
			}
			at -= w
		}
	}
	return last
}
