package dpor

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file decides of which beginnings S makes the class at hand.

// findDeviations finds the steps that S would not take where they are, however the class begins, and whether S is plain.
func (c *class) findDeviations() {
	c.must, c.unfired = cleared(c.must, c.words), c.unfired[:0]
	c.plain = c.declared.on || c.model != trace.FIFO && c.model != trace.Causal
	for i := range c.blocks {
		if c.env.GivesUp() {
			return
		}
		v := &c.blocks[i]
		if !v.least || v.label == deviation && c.order.Step(v.event).Kind == trace.Advance {
			c.must.set(int32(i))
		}
		c.plain = c.plain && c.completes(v)
		for e := v.event; e < v.end; e++ {
			c.order.EachCollision(e, func(u int32) { c.precedes(u, e, int32(i)) })
			if c.queues() {
				c.order.CancelledFirings(e, func(m int32) { c.cancelled(m, int32(i)) })
			}
		}
	}
	for _, m := range c.pending {
		c.neverTaken(m)
	}
}

// precedes looks at event u, which comes before event e of macro-step i, and on which that depends. What keeps the message of i back keeps back
// what its handler does after a choice, too.
func (c *class) precedes(u, e, i int32) {
	v, b := &c.blocks[i], c.blockOf[u]
	if b < 0 || b == i {
		return
	}
	takes := c.order.Takes(v.event)
	depth := v.depth
	if c.declared.on {
		if c.foreign(u, v) {
			return
		}
		depth = max(v.base, c.blocks[b].floor)
	}
	c.compare(b, depth, v.id, v.message, v.due, takes)
	if e != v.event || !takes || !c.plain {
		return
	}
	if !v.past.has(b) {
		panic("dpor: what depends on a step happens after it")
	}
	if u > c.order.Parent(e) && !c.order.KeepsBack(u, v.message) {
		c.plain = c.order.WouldTake(u, c.nextOwn(b, v.actor), v.message, c.accepts)
	}
}

// cancelled looks at the timer of timeout m, which macro-step i cancelled: S may have let it fire before.
func (c *class) cancelled(m, i int32) {
	c.unfired = append(c.unfired, cancel{i, m})
	s := c.tr.FiringOf(m)
	if !c.blocks[i].before(c.depthOf(&s, c.order.Arrival(m), -1), s.ID) {
		c.must.set(i)
	}
}

// neverTaken looks at message m, which is left: S may have taken it, and if it was refused S is not plain.
func (c *class) neverTaken(m int32) {
	receiver, last := c.tr.Messages[m].Receiver, c.cancelledBy(m)
	c.plain = c.plain && (last >= 0 || c.order.Stopped(receiver))
	depth, id := c.key(m)
	c.order.EachBeforeOnChain(m, func(u int32) {
		b := c.blockOf[u]
		if b < 0 || last >= 0 && u > last {
			return
		}
		at := depth
		if c.declared.on {
			at = max(depth, c.blocks[b].floor)
			c.plain = c.plain && c.blocks[b].actor == receiver
		}
		c.compare(b, at, id, m, c.barriersOf(m), true)
		if c.plain && u > c.order.Arrival(m) && !c.order.KeepsBack(u, m) {
			c.plain = c.order.WouldTake(u, c.nextOwn(b, receiver), m, c.accepts)
		}
	})
}

// cancelledBy gives the event that cancelled the timer of timeout m, -1 if none did.
func (c *class) cancelledBy(m int32) int32 {
	if c.tr.Messages[m].Class == trace.Timeout || c.tr.Messages[m].Class == trace.Answer {
		for e := range c.order.Len() {
			if slices.Contains(c.order.Event(int32(e)).Cancelled, m) {
				return int32(e)
			}
		}
	}
	return -1
}

// completes reports whether no handler was left in its middle by the macro-step.
func (c *class) completes(v *block) bool {
	return c.order.Completed(v.end - 1)
}

// compare notes macro-step u as a deviation if S would have taken the step with this key, which depends on u and comes later, first.
func (c *class) compare(u int32, depth int32, id trace.ID, message, due int32, takes bool) {
	b := &c.blocks[u]
	if b.barriers < due || b.before(depth, id) {
		return
	}
	if takes && message >= 0 && c.order.KeepsBack(b.event, message) {
		return
	}
	c.must.set(u)
}

// findLowest finds how early macro-steps can come instead of one of S in a child of the class, if that is plain: all deviations must come
// before, or be what the macro-step needs.
func (c *class) findLowest() {
	c.lowest = cleared(c.lowest, len(c.blocks))
	for i := 0; c.plain && i < len(c.blocks); i++ {
		x := &c.blocks[i]
		needs, also := x.past, int32(i) // at most
		if c.declared.on && c.order.Takes(x.event) {
			also = -1
		} else if !c.queues() && c.order.Takes(x.event) {
			needs, also = nil, -1
			if parent := c.order.Parent(x.event); parent >= 0 && c.blockOf[parent] >= 0 {
				also = c.blockOf[parent]
				needs = c.blocks[also].past
			}
		}
		c.lowest[i] = c.lastDeviation(needs, also)
	}
}

// findPairs finds the pairs that may make a child, in the order of their first parts.
func (c *class) findPairs() {
	c.pairs = c.pairs[:0]
	for i := range c.blocks {
		if c.env.GivesUp() {
			break
		}
		x := &c.blocks[i]
		for p := int32(i) - 1; p >= max(c.lowest[i], 0); p-- {
			if t := &c.blocks[p]; t.label == byS && x.past.has(p) && c.order.Collide(t.event, t.end, x.event, x.end) {
				c.pairs = append(c.pairs, pair{p, int32(i)})
			}
		}
	}
	c.sortPairs()
}

// sortPairs puts those of one first part together, and leaves these in the order in which they were found, which is that of their second
// parts: there may be millions.
func (c *class) sortPairs() {
	c.starts = cleared(c.starts, len(c.blocks)+1)
	for _, x := range c.pairs {
		c.starts[x.p+1]++
	}
	for p := range c.blocks {
		c.starts[p+1] += c.starts[p]
	}
	c.sorted = slices.Grow(c.sorted[:0], len(c.pairs))[:len(c.pairs)]
	for _, x := range c.pairs {
		c.sorted[c.starts[x.p]] = x
		c.starts[x.p]++
	}
	c.pairs, c.sorted = c.sorted, c.pairs
}

// lastDeviation gives the last deviation that is not among the given ones, -1 if there is none.
func (c *class) lastDeviation(given blocks, also int32) int32 {
	for w := c.words - 1; w >= 0; w-- {
		left := c.must[w]
		if given != nil {
			left &^= given[w]
		}
		if also >= 0 && int(also>>6) == w {
			left &^= 1 << (also & 63)
		}
		if left != 0 {
			return int32(w<<6 + bits.Len64(left) - 1)
		}
	}
	return -1
}

// leadsHere reports whether S makes the class at hand of the macro-steps in begin.
func (c *class) leadsHere(begin blocks) bool {
	if c.plain {
		return c.must.within(begin)
	}
	if c.sim == nil {
		c.sim = c.newSimulation()
	}
	return c.sim.follows(begin)
}
