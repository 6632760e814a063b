package reverse

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file finds what may come before a step that is moved where handlers declare what they access. The actor's steps
// that it depends on may each come before it or after. Every set of them, closed under happens-before, leads to another
// class (spread.go).
//
//	source:     ours: docs/decisions/0008
//	assumes:    what a declared handling accesses is known before it happens (causal.Order.Handling)
//	invariants: I1 none of the others needs the macro-step that is overtaken, or is in the past of the step that is moved
//	cost:       the macro-steps between the two, for each pair
//	checked by: effects_test.go

// overtakeDeclared is overtake, with what the handling needs and its place among those that come before macro-step p.
func (c *class) overtakeDeclared(p, i, m int32, past bitset.Set, r rank) {
	t, receiver := &c.blocks[p], c.tr.Messages[m].Receiver
	x := movedHandling{c: c, m: m, receiver: receiver, foot: c.order.Handling(m)}
	r.depth, r.follows = 0, x.follows
	ch, apart := child{at: t.lo, x: r.id}, t.shares && t.actor == receiver
	if apart && !x.follows(p) || !c.addOrdered(p, m, past) {
		return
	}
	if !apart {
		c.offer(p, ch, past, r) // all that the actor does after p needs p
		return
	}
	x.collect(p, i, past)
	if len(x.others) == 0 {
		c.offer(p, ch, past, r)
		return
	}
	c.spread(p, ch, past, r, x.others)
}

// addOrdered adds to what has to happen after the macro-steps before p the handling of what the delivery model hands
// over before m.
func (c *class) addOrdered(p, m int32, past bitset.Set) bool {
	if c.model == trace.Bag {
		return true
	}
	c.noteHandled()
	for o := range c.tr.Messages {
		if !c.order.Ordered(int32(o), m) || c.handledBefore(p, int32(o)) {
			continue
		}
		b := c.handledAt(int32(o))
		if b == unhandled {
			return false
		}
		past.AddAll(c.blocks[b].past)
		past.Add(b)
	}
	return !past.Has(p)
}

// movedHandling is the handling of a message in another place than it was handled in.
type movedHandling struct {
	c           *class
	m, receiver int32
	foot        causal.Footprint
	others      []int32 // macro-steps that it depends on if they come before it
}

// follows reports whether the handling depends on macro-step y, which comes before it.
func (x *movedHandling) follows(y int32) bool {
	b := &x.c.blocks[y]
	if b.shares && b.actor == x.receiver {
		return x.c.order.DependsOn(b.event, x.foot) || x.c.order.Ordered(b.message, x.m)
	}
	return x.c.order.OnChain(b.event, b.end, x.receiver)
}

// collect finds the macro-steps that may come before the handling, or after it, where it is taken instead of p. They
// are those of its actor that it depends on, and that need neither p nor macro-step i, which is the handling.
func (x *movedHandling) collect(p, i int32, past bitset.Set) {
	end := i
	if i < 0 {
		end = int32(len(x.c.blocks))
	}
	for y := p + 1; y < end; y++ {
		b := &x.c.blocks[y]
		if b.shares && b.actor == x.receiver && !b.past.Has(p) && !past.Has(y) && x.follows(y) {
			x.others = append(x.others, y)
		}
	}
}
