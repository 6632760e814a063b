package reverse

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds what is different where handlers declare what they access: the steps of an actor are no chain then.
//
// S takes the step with the least key here too. The first part of the key, the depth of a step, is greater than those
// of
//
//   - the step by which its message arrived,
//   - the last step of its actor that writes the actor's sequence (causal.Order.Shares says which do not),
//   - the steps that handled the messages which the delivery model hands over before its own.
//
// All of these happen before it, so the key depends on causes alone. A step that becomes possible later than t follows
// one of the steps taken in between, so its key is greater than that one's, and than t's. So t stays the step that S
// takes next, while others come before it. That ends when t is taken, or when a step that writes the sequence comes
// before it. So the deviations from one t follow each other.
//
//	source:     ours: docs/decisions/0008
//	invariants: J1 of the deviations from one step t each is the least that comes before t and after none of the others
//	            that are left J2 what a declared step accesses of its actor is the same wherever it happens, or Report
//	            gives an IncompleteReason
//	cost:       for each message a walk back over what its receiver handled before it (fifo: to the one of the same
//	            sender)
//	checked by: effects_test.go

// deepness is what the search remembers of depths where effects are declared.
type deepness struct {
	on    bool
	bases []int32 // by event: its depth, but for what its actor did before
	since []int32 // by event: the last step of its actor before that writes the sequence, -1 if none
	known []base  // by message
}

// base is the depth of the handling of a message, but for what its receiver did before, once it is possible.
type base struct {
	depth int32
	upto  int32 // it was found after so many events less one; 0: it was not
}

// extendBases brings depths up to date.
func (r *Search) extendBases(from int) {
	d := &r.declared
	d.bases, d.since = d.bases[:from], d.since[:from]
	for e := int32(from); int(e) < r.order.Len(); e++ {
		s, own := r.order.Step(e), r.order.Own(e)
		b := r.after(r.order.Parent(e))
		if r.order.Takes(e) {
			b = max(b, r.afterOrdered(s.Message, own))
		}
		since := own
		if own >= 0 && r.order.Shares(own) {
			since = d.since[own]
		}
		depth := max(b, r.after(since))
		if s.Kind == trace.Advance {
			depth = trace.LastDepth
		}
		d.bases, d.since, r.depths = append(d.bases, b), append(d.since, since), append(r.depths, depth)
	}
}

// floorOf is the least depth of an actor's next step after its last one.
func (r *Search) floorOf(last int32) int32 {
	if last >= 0 && r.order.Shares(last) {
		last = r.declared.since[last]
	}
	return r.after(last)
}

// afterOrdered is the least depth after what was handed over before message m because the delivery model orders them.
func (r *Search) afterOrdered(m, own int32) int32 {
	least := int32(1)
	if r.model == trace.Bag {
		return least
	}
	for ; own >= 0; own = r.order.Own(own) {
		if r.order.Takes(own) && r.order.Ordered(r.order.Step(own).Message, m) {
			least = max(least, r.after(own))
			if r.model == trace.FIFO {
				break // the others come before that one
			}
		}
	}
	return least
}

// baseOf is the base of message m, which has not been handled and could be.
func (r *Search) baseOf(m int32) int32 {
	d := &r.declared
	for int(m) >= len(d.known) {
		d.known = append(d.known, base{})
	}
	if d.known[m].upto == 0 {
		b := max(r.after(r.order.Arrival(m)), r.afterOrdered(m, r.order.Last(r.order.Message(m).Receiver)))
		d.known[m] = base{b, int32(r.order.Len()) + 1}
	}
	return d.known[m].depth
}

// forgetBases forgets what was found after more than n events.
func (r *Search) forgetBases(n int) {
	for m := range r.declared.known {
		if int(r.declared.known[m].upto) > n+1 {
			r.declared.known[m] = base{}
		}
	}
}

// foreign reports whether event u, which macro-step v depends on, is a step of another actor. If v does not need u to
// be possible, S is not plain: keys do not tell which of the two it takes first.
func (c *deviations) foreign(u int32, v *block) bool {
	if c.order.Step(u).Actor == v.actor {
		c.plain = c.plain && !c.order.SystemStep(v.event)
		return false
	}
	parent := c.order.Parent(v.event)
	c.plain = c.plain && parent >= 0 && (parent == u || c.order.Before(u, parent))
	return true
}

// ownAfter reports whether event u happens before a step of the same actor as event e that e depends on, or is one.
func (c *macroSteps) ownAfter(u, e int32) bool {
	for n := c.order.Own(e); n >= 0; n = c.order.Own(n) {
		if !c.order.SystemStep(n) && c.order.Collide(n, n+1, e, e+1) && (n == u || c.order.Before(u, n)) {
			return true
		}
		if !c.order.Shares(n) {
			break // it comes after all before it
		}
	}
	return false
}

// addOwn adds what macro-step i depends on of what its own actor did; nil if that needs macro-step p.
func (c *macroSteps) addOwn(p, i int32, past bitset.Set) bitset.Set {
	x := &c.blocks[i]
	for k := range i {
		if b := &c.blocks[k]; b.actor == x.actor && c.order.Collide(b.event, b.end, x.event, x.end) {
			past.AddAll(b.past)
			past.Add(k)
		}
	}
	if past.Has(p) {
		return nil
	}
	return past
}
