package reverse

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file decides of which beginnings S makes the class at hand: line V5 of docs/algorithms.md.
//
// A class is plain if nothing in it was refused, held back or left in the middle of a handler. Of two steps that depend
// on each other S then takes the one with the lesser key first. Where the other one comes first, that is a deviation.
// What fifo and causal hold back is a matter of order.go.
//
//	lemma:      S makes a plain class of a beginning iff the beginning holds all deviations (docs/decisions/0008)
//	source:     ours
//	differs:    of a class that is not plain S is simulated (follow.go)
//	assumes:    the key of a step depends on its causes alone (reverse.go, effects.go)
//	invariants: I1 by[u] is the first macro-step that shows u to be a deviation: in a class that ends before that
//	               one, u is none (forget)
//	            I2 must holds the deviations, and the steps with choices that S would not make
//	cost:       a walk back from each new macro-step while an earlier step has a greater key; n/64 words a question
//	checked by: reverse_test.go against brute force; length_test.go counts what is looked at

// deviations are what S would do otherwise.
type deviations struct {
	waits
	must    bitset.Set // the deviations: S makes T of any beginning that holds them, if plain
	plain   bool       // nothing is ever refused or kept back, so that S takes steps by their keys; but see order.go
	by      []int32    // by macro-step: the first one that makes it a deviation,
	unplain int32      // and the first that shows that S is not plain: never if none does;
	judged  int        // so many were looked at
	marks   []int      // words of must that are not empty, the last first
	pending []int32    // messages that were not handled
	unfired []cancel   // timers that could have fired
	lowest  []int32    // by macro-step: where S makes the class only if it comes no earlier; see findLowest
	odd     bitset.Set // macro-steps that do more than to send user messages
	pairs   []pair
	sorted  []pair  // memory of sortPairs,
	starts  []int32 // and where the pairs of each first part go
	sim     *simulation

	answered func(begin bitset.Set, leads bool) // tests: called where the keys alone say whether S makes the class; or nil
}

// cancel is a timer that macro-step by cancelled, which could have fired before.
type cancel struct{ by, timeout int32 }

// findDeviations finds the steps that S would not take where they are, however the class begins, and whether S is
// plain.
//
// What the first macro-steps have in common with those of the class before was found there. Whether one of them
// makes another a deviation is the same in both, since that is about the two, their keys, and what is between them.
func (c *deviations) findDeviations(same int) {
	first := min(same, c.judged)
	c.forget(int32(first))
	c.plain = c.unplain == never && (c.declared.on || !c.holds() || c.doubt == "")
	for i := first; i < len(c.blocks); i++ {
		if c.env.GivesUp() {
			return
		}
		c.judge(int32(i))
		c.judged = i + 1
	}
	c.must = cleared(c.must, c.words)
	for i := range c.blocks {
		b := &c.blocks[i]
		if c.by[i] != never || !b.least || b.label == deviation && c.order.Step(b.event).Kind == trace.Advance {
			c.must.Add(int32(i))
		}
	}
	c.findTied()
	for _, m := range c.pending {
		c.neverTaken(m)
	}
	c.noteMarks()
}

// never is the number of no macro-step.
const never = 1<<31 - 1

// forget forgets what macro-steps from first on have shown.
func (c *deviations) forget(first int32) {
	c.by, c.knots = forgotten(c.by, first, len(c.blocks)), forgotten(c.knots, first, len(c.blocks))
	if c.unplain >= first {
		c.unplain = never
	}
	for len(c.unfired) > 0 && c.unfired[len(c.unfired)-1].by >= first {
		c.unfired = c.unfired[:len(c.unfired)-1]
	}
}

// forgotten gives by for n macro-steps, without what those from first on have shown.
func forgotten(by []int32, first int32, n int) []int32 {
	by = extended(by, int(first), n)
	for b := range by {
		if by[b] >= first || b >= int(first) {
			by[b] = never
		}
	}
	return by
}

// judge finds what macro-step i makes deviations of the ones before.
//
// The walk back ends where no step before has a greater key, unless it is asked whether the actor of i would have
// taken its message there.
func (c *deviations) judge(i int32) {
	v, plain := &c.blocks[i], c.plain
	c.plain = c.plain && c.completes(v)
	takes := c.order.Takes(v.event)
	for e := v.event; e < v.end; e++ {
		parent := c.order.Parent(e)
		c.order.EachCollision(e, func(u, access int32) bool {
			asks := e == v.event && takes && c.plain && u > parent
			if !asks && c.leads(v.depth, v.id, access) {
				return false
			}
			c.precedes(u, e, i)
			return true
		})
		if c.queues() {
			c.order.CancelledFirings(e, func(m int32) { c.cancelled(m, i) })
		}
	}
	if plain && !c.plain {
		c.unplain = i
	}
}

// leads reports whether a step with this key comes before all by which the object of an access was accessed up to that.
func (c *deviations) leads(depth int32, id trace.ID, access int32) bool {
	c.looked++
	return !c.declared.on && c.tops[access].before(depth, id)
}

// top is the greatest key of steps.
type top struct {
	depth int32
	id    trace.ID
}

func (t top) before(depth int32, id trace.ID) bool {
	return t.depth < depth || t.depth == depth && t.id.Less(id)
}

// findTops notes of each access of the events from e on the greatest key of those that accessed the object up to there.
func (c *macroSteps) findTops(e int32) {
	for ; int(e) < c.order.Len(); e++ {
		own := top{depth: -1}
		if b := c.blockOf[e]; b >= 0 {
			own = top{c.blocks[b].depth, c.blocks[b].id}
		}
		c.order.EachAccess(e, func(access, before int32) {
			t := own
			if before >= 0 && t.before(c.tops[before].depth, c.tops[before].id) {
				t = c.tops[before]
			}
			c.tops = append(c.tops[:access], t)
		})
	}
}

// noteMarks notes which words of the deviations are not empty, the last first.
func (c *deviations) noteMarks() {
	c.marks = c.marks[:0]
	for w := c.words - 1; w >= 0; w-- {
		if c.must[w] != 0 {
			c.marks = append(c.marks, w)
		}
	}
}

// precedes looks at event u, which comes before event e of macro-step i, and on which that depends. What keeps the
// message of i back keeps back what its handler does after a choice, too.
func (c *deviations) precedes(u, e, i int32) {
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
	c.compare(b, i, depth, v.id, v.message, v.due, takes)
	if e != v.event || !takes || !c.plain {
		return
	}
	if !v.past.Has(b) {
		panic("reverse: what depends on a step happens after it")
	}
	if u > c.order.Parent(e) && !c.order.KeepsBack(u, v.message) {
		c.plain = c.order.WouldTake(u, c.nextOwn(b, v.actor), v.message, c.accepts)
	}
}

// cancelled looks at the timer of timeout m, which macro-step i cancelled: S may have let it fire before.
func (c *deviations) cancelled(m, i int32) {
	c.unfired = append(c.unfired, cancel{i, m})
	s := c.tr.FiringOf(m)
	if !c.blocks[i].before(c.depthOf(&s, c.order.Arrival(m), -1), s.ID) {
		c.deviates(i, i)
	}
}

// neverTaken looks at message m, which is left: S may have taken it, and if it was refused S is not plain.
func (c *deviations) neverTaken(m int32) {
	receiver, last := c.tr.Messages[m].Receiver, c.cancelledBy(m)
	c.plain = c.plain && (last >= 0 || c.order.Stopped(receiver))
	depth, id := c.key(m)
	c.order.EachBeforeOnChain(m, func(u, access int32) bool {
		asks := c.plain && u > c.order.Arrival(m)
		if !asks && c.leads(depth, id, access) {
			return false
		}
		b := c.blockOf[u]
		if b < 0 || last >= 0 && u > last {
			return true
		}
		at := depth
		if c.declared.on {
			at = max(depth, c.blocks[b].floor)
			c.plain = c.plain && c.blocks[b].actor == receiver
		}
		c.compare(b, never, at, id, m, c.barriersOf(m), true)
		if c.plain && u > c.order.Arrival(m) && !c.order.KeepsBack(u, m) {
			c.plain = c.order.WouldTake(u, c.nextOwn(b, receiver), m, c.accepts)
		}
		return true
	})
}

// cancelledBy gives the event that cancelled the timer of timeout m, -1 if none did.
func (c *deviations) cancelledBy(m int32) int32 {
	if c.tr.Messages[m].Kind == trace.Timeout || c.tr.Messages[m].Kind == trace.Answer {
		for e := range c.order.Len() {
			if slices.Contains(c.order.Event(int32(e)).Cancelled, m) {
				return int32(e)
			}
		}
	}
	return -1
}

// completes reports whether no handler was left in its middle by the macro-step.
func (c *deviations) completes(v *block) bool {
	return c.order.Completed(v.end - 1)
}

// compare notes macro-step u as a deviation if S would have taken the step with this key, which depends on u and comes
// later, first.
//
// In a plain class S takes u before a later step that depends on it iff the key of u is the lesser one (decision 0008).
// Otherwise u is where it is because it was given. What is passed over here cannot have been taken before u: an advance
// of the clock is between, or the model keeps its message back.
func (c *deviations) compare(u, by int32, depth int32, id trace.ID, message, due int32, takes bool) {
	b := &c.blocks[u]
	if b.barriers < due || b.before(depth, id) {
		return
	}
	if takes && message >= 0 && c.order.KeepsBack(b.event, message) {
		return
	}
	if takes && c.ties(u, by, message) {
		return
	}
	c.deviates(u, by)
}

// deviates notes macro-step u as a deviation, which macro-step by shows it to be; never: what is left at the end
// shows that.
func (c *deviations) deviates(u, by int32) {
	if by == never {
		c.must.Add(u)
	}
	c.by[u] = min(c.by[u], by)
}

// findLowest finds how early macro-steps can come instead of one of S in a child of the class, if that is plain. All
// deviations must come before, or be what the macro-step needs.
func (c *deviations) findLowest() {
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

// lastDeviation gives the last deviation that is not among the given ones, -1 if there is none.
func (c *deviations) lastDeviation(given bitset.Set, also int32) int32 {
	for _, w := range c.marks {
		left := c.must[w]
		if given != nil {
			left &^= given[w]
		}
		if int(also>>6) == w { // -1 is in none
			left &^= 1 << (also & 63)
		}
		if left != 0 {
			return int32(w<<6 + bits.Len64(left) - 1)
		}
	}
	return -1
}

// leadsHere reports whether S makes the class at hand of the macro-steps in begin.
//
// For a plain class that is a question of sets. S comes to the class iff it is given all that it would not do by
// itself. What else it is given does no harm, since S would take that too.
func (c *deviations) leadsHere(begin bitset.Set) bool {
	if c.plain && c.untied(begin) {
		leads := c.must.Within(begin)
		if c.answered != nil {
			c.answered(begin, leads)
		}
		return leads
	}
	return c.simulated().follows(begin)
}
