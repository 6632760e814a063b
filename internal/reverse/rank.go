package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file orders what may come before one and the same step of S. Several steps of a class may come before it and not
// depend on each other. Without an order the class could be read in two ways, and so have two parents: lemma L6 of
// docs/algorithms.md.
//
//	source:     ours: docs/decisions/0008, "The parent of a class"
//	invariants: a step has the same rank in all classes in which it deviates from the same step after the same steps
//	cost:       for each child, a look at the deviations of the class from the same step
//	checked by: reverse_test.go, effects_test.go: a class that can be read in two ways would be executed twice

// rank orders what may come before a step of S. A step that makes it impossible, by cancelling its timer, is first.
// Then the key of S decides.
type rank struct {
	cancels bool
	depth   int32
	id      trace.ID
	follows func(y int32) bool // whether it depends on macro-step y, which comes before
}

func (r rank) before(o rank) bool {
	if r.cancels != o.cancels {
		return r.cancels
	}
	return r.depth < o.depth || r.depth == o.depth && r.id.Less(o.id)
}

// rankOf is the rank of macro-step i among those that could come in the place of t (L6). It is read off the class, so
// all that look at the class agree.
func (c *macroSteps) rankOf(i, t int32) rank {
	b := &c.blocks[i]
	collides := func(y int32) bool {
		return c.order.Collide(c.blocks[y].event, c.blocks[y].end, b.event, b.end)
	}
	r := rank{c.cancels(i, t), b.depth, b.id, collides}
	if c.declared.on {
		r.depth = 0 // it is another one where the step is moved; any order will do that is the same in all classes
	}
	return r
}

// onChain tells which macro-steps a step of the actor follows, of which no more is known than its actor.
func (c *macroSteps) onChain(actor int32) func(y int32) bool {
	return func(y int32) bool { return c.order.OnChain(c.blocks[y].event, c.blocks[y].end, actor) }
}

// fires tells which macro-steps the firing of the timer with timeout m follows.
func (c *macroSteps) fires(m int32) func(y int32) bool {
	foot := causal.Firing(c.tr, m)
	return func(y int32) bool {
		for e := c.blocks[y].event; e < c.blocks[y].end; e++ {
			if c.order.DependsOn(e, foot) {
				return true
			}
		}
		return false
	}
}

// cancels reports whether macro-step i cancelled the timer whose firing is macro-step t.
func (c *macroSteps) cancels(i, t int32) bool {
	f := c.order.Step(c.blocks[t].event)
	if f.Kind != trace.Timer {
		return false
	}
	for e := c.blocks[i].event; e < c.blocks[i].end; e++ {
		ev := c.order.Event(e)
		if slices.Contains(ev.Cancelled, f.Message) ||
			slices.ContainsFunc(ev.Touched, func(x trace.Touch) bool { return x.Object == c.tr.Messages[f.Message].ID }) {
			return true
		}
	}
	return false
}

// least reports whether the reading of the child takes the step that deviates before p where it is offered. Of several
// that come before the same step of S and do not depend on each other, the least is read first.
func (c *macroSteps) least(p int32, past bitset.Set, r rank) bool {
	for k := len(c.displaced) - 1; k >= 0; k-- {
		d := c.displaced[k]
		y := c.blockAt(d.at)
		if y >= p {
			continue
		}
		if d.t != c.blocks[p].id || past != nil && past.Has(y) || r.follows != nil && r.follows(y) {
			break
		}
		if !c.rankOf(y, p).before(r) {
			return false
		}
	}
	return true
}
