package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file finds the children of a class: lines V3 and V4 of docs/algorithms.md.
//
//	source:     ours: docs/decisions/0008, "Why every class is executed once", 3
//	assumes:    must.go decides of which beginnings S makes the class. Of several steps that may come instead of
//	            the same step of S, rank.go says which is read first
//	invariants: I1 a child shares its parent's choices up to the deviation, and differs from it there
//	            I2 a child is offered once: eachPast goes through each set of macro-steps once
//	cost:       a question to must.go for each pair of dependent steps of which the second does not need the first
//	checked by: reverse_test.go, effects_test.go against brute force

// childrenAt is line V4 for one step of S: it finds the children that deviate where S takes macro-step p. They begin
// with another value of a choice in its middle or with the advance of the clock. Or they begin with a step that depends
// on p: one of pairs, the handling of a pending message, or a timer that was cancelled.
//
// These are all the ways in which a class can deviate at p. What S takes there is decided by the beginning alone. So
// another class with this beginning takes something else first, and that must depend on p: else p could come first in
// the same class (L1).
func (c *class) childrenAt(p int32, pairs []pair) {
	t := &c.blocks[p]
	for k := t.lo + 1; k < t.hi; k++ {
		for _, value := range c.taken[k].other {
			c.offer(p, child{at: k, x: value}, nil, c.rankOf(p, p))
		}
	}
	if a := c.taken[t.lo].advance; !a.IsZero() {
		all := func(int32) bool { return true } // what the advance of the clock follows
		c.offer(p, child{at: t.lo, x: a}, nil, rank{false, trace.LastDepth, a, all})
	}
	for _, x := range pairs {
		c.displace(p, x.i)
	}
	for _, m := range c.pending {
		if c.order.OnChain(t.event, t.end, c.tr.Messages[m].Receiver) {
			c.overtake(p, -1, m)
		}
	}
	for _, x := range c.unfired {
		if x.by >= p {
			c.fire(p, x.by, x.timeout)
		}
	}
}

// fire offers the firing of a timer in the place of macro-step p. Macro-step by cancelled the timer, so it did not
// fire.
func (c *class) fire(p, by, m int32) {
	t := &c.blocks[p]
	if by != p && (!c.fires(m)(p) || c.barriersOf(m) > t.barriers) {
		return
	}
	past := c.closure(p, c.order.Arrival(m), -1)
	if past == nil {
		return
	}
	s := c.tr.FiringOf(m)
	ch, r := child{at: t.lo, x: s.ID}, rank{false, c.depthOf(&s, c.order.Arrival(m), -1), s.ID, c.fires(m)}
	c.offer(p, ch, past, r)
	for z := p + 1; int(z) < len(c.blocks); z++ {
		// What appends to the same mailbox and needs neither p nor that the timer is cancelled may come before it as well.
		if b := &c.blocks[z]; z != by && !b.past.Has(by) && !b.past.Has(p) && !past.Has(z) && c.fires(m)(z) {
			past = slices.Clone(past)
			past.AddAll(b.past)
			past.Add(z)
			c.offer(p, ch, past, r)
		}
	}
}

// displace offers macro-step i in the place of p, which it depends on. It does not if i needs p to be possible.
func (c *class) displace(p, i int32) {
	t, x := &c.blocks[p], &c.blocks[i]
	if c.order.Takes(x.event) && c.order.OnChain(t.event, t.end, x.actor) {
		c.overtake(p, i, x.message)
		return
	}
	if x.barriers != t.barriers {
		return
	}
	past := c.closure(p, c.order.Parent(x.event), c.order.Own(x.event))
	if past != nil && c.declared.on {
		past = c.addOwn(p, i, past)
	}
	if past != nil {
		ch := child{at: t.lo, deviates: i}
		for k := x.lo; k < x.hi; k++ {
			ch.same = append(ch.same, k)
		}
		r := c.rankOf(i, p)
		c.eachPast(p, i, p+1, past, make(bitset.Set, c.words), func(past bitset.Set) { c.offer(p, ch, past, r) })
	}
}

// overtake offers the handling of message m in the place of macro-step p, which is of the same actor or brings it a
// system message. The handling is macro-step i, or never happened (-1). Its actor is in another state there, so nobody
// knows what the handling does: the child ends with the step alone.
func (c *class) overtake(p, i, m int32) {
	if !c.couldTake(p, m) {
		return
	}
	arrival := c.order.Arrival(m)
	past := c.closure(p, arrival, -1)
	if past == nil {
		return
	}
	var r rank
	if i < 0 {
		r.depth, r.id = c.key(m)
	} else {
		r = c.rankOf(i, p)
	}
	if c.declared.on {
		c.overtakeDeclared(p, i, m, past, r)
		return
	}
	r.follows = c.onChain(c.tr.Messages[m].Receiver)
	if ch := (child{at: c.blocks[p].lo, x: r.id, t: c.blocks[p].id}); c.admits(p, &ch, past, r) {
		ch.past = c.neededFrom(p, arrival)
		c.rec.children = append(c.rec.children, ch)
	}
}

// neededFrom gives the choices behind macro-step p that event e needs, and those of its own. What e needs is listed
// once: hundreds of messages to one actor make a child with each step that they could come before.
func (c *class) neededFrom(p, e int32) []int32 {
	if e < 0 || c.blockOf[e] < 0 {
		return nil
	}
	b := c.blockOf[e]
	if len(c.lists) == 0 {
		c.lists = cleared(c.lists, len(c.blocks))
	}
	if c.lists[b] == nil {
		n := c.blocks[b].hi - c.blocks[b].lo
		c.blocks[b].past.Each(0, func(b int32) { n += c.blocks[b].hi - c.blocks[b].lo })
		c.lists[b] = c.addChoices(c.choices(make([]int32, 0, n), c.blocks[b].past, 0), b)
	}
	from, _ := slices.BinarySearch(c.lists[b], c.blocks[p].hi)
	return slices.Clip(c.lists[b][from:])
}

// choices adds those of the macro-steps of a set from one on to a list.
func (c *class) choices(list []int32, of bitset.Set, from int32) []int32 {
	of.Each(from, func(b int32) { list = c.addChoices(list, b) })
	return list
}

// addChoices adds those of a macro-step.
func (c *class) addChoices(list []int32, b int32) []int32 {
	for k := c.blocks[b].lo; k < c.blocks[b].hi; k++ {
		list = append(list, k)
	}
	return list
}

// couldTake reports whether the receiver of m would have taken it after C, the macro-steps before p, if it had arrived.
//
// Differs: this could be asked of the delivery model at the point after C and what m needs, by the cursor of the
// simulation. The answers differ only in classes that are doubted anyway, and the cursor's are better. But it would
// move for each pair of macro-steps, which costs too much in long executions (docs/decisions/0029).
func (c *class) couldTake(p, m int32) bool {
	if c.barriersOf(m) > c.blocks[p].barriers {
		return false
	}
	receiver, next := c.tr.Messages[m].Receiver, int32(-1)
	for i := p; int(i) < len(c.blocks) && next < 0; i++ {
		b := &c.blocks[i]
		if b.actor != receiver {
			continue
		}
		if i > p && c.queues() && c.order.KeepsBack(b.event, m) && !c.order.SystemStep(b.event) {
			return false // an arrival moves; the order of what is before m does not
		}
		next = b.event
	}
	if next == c.blocks[p].event && c.order.Fixed(next, m) {
		return false
	}
	return (c.declared.on || !c.mustFollow(p, m)) && c.order.WouldTake(c.blocks[p].event, next, m, c.accepts)
}

// mustFollow reports whether the delivery model hands another message over before m that is not handled before
// macro-step p. One that was lost counts as one that is not handled; that is doubted.
func (c *class) mustFollow(p, m int32) bool {
	return c.holds() && c.heldUntil(m) >= p
}

// eachPast calls f for each set of macro-steps that may come before macro-step i where it is taken instead of p. Each
// set has past, which i needs. It has any of the macro-steps from z on that come before i, that i depends on otherwise,
// and that do not need p: the sets Z of docs/decisions/0008. out is what was left out before.
func (c *class) eachPast(p, i, z int32, past, out bitset.Set, f func(past bitset.Set)) {
	for ; c.queues() && z < i; z++ {
		b, x := &c.blocks[z], &c.blocks[i]
		if past.Has(z) || b.past.Has(p) || b.past.Meets(out) || !x.past.Has(z) ||
			!c.order.Collide(b.event, b.end, x.event, x.end) {
			continue
		}
		more := slices.Clone(past)
		more.AddAll(b.past)
		more.Add(z)
		c.eachPast(p, i, z+1, more, out, f)
		out = slices.Clone(out)
		out.Add(z)
	}
	f(past)
}

// closure gives the macro-steps that have to happen before a step, and nil if one of them needs p. The step's message
// arrives in event parent, and its actor's step before is own. What comes before p has happened. The set is valid
// until the next call.
func (c *class) closure(p, parent, own int32) bitset.Set {
	c.room = cleared(c.room, c.words)
	past := c.room
	for _, e := range [...]int32{parent, own} {
		if e < 0 {
			continue
		}
		if b := c.blockOf[e]; b >= 0 {
			past.AddAll(c.blocks[b].past)
			past.Add(b)
		}
	}
	if past.Has(p) {
		return nil
	}
	return past
}

// offer is line V5: it keeps a child if the class at hand is its parent.
func (c *class) offer(p int32, ch child, past bitset.Set, rank rank) {
	if ch.t = c.blocks[p].id; c.admits(p, &ch, past, rank) {
		ch.past = c.choices(ch.past, past, p+1)
		c.rec.children = append(c.rec.children, ch)
	}
}

// admits reports whether the class at hand is the parent of a child. That is so on two conditions. S makes the class at
// hand of the beginning C t P. And the reading of the child takes the step that deviates where it is offered (rank).
//
// Both are conditions on the record, so each class decides for itself whether a child is its own. By L6 exactly one
// class says yes for each child. No table of classes that were met is needed.
func (c *class) admits(p int32, ch *child, past bitset.Set, rank rank) bool {
	if !c.least(p, past, rank) {
		return false
	}
	begin := c.begin
	clear(begin)
	begin.AddBelow(p + 1)
	if past != nil {
		begin.AddAll(past)
	}
	if len(ch.same) > 0 && !c.blocks[ch.deviates].least {
		// What S would choose may not collide with p at all: the class with p first and the same choices is the parent.
		begin.Add(ch.deviates)
	}
	return c.leadsHere(begin)
}

// variants offers other values of the choices in the middle of the last deviation. S made these choices, so the class
// is the parent of each class that has another value there.
func (c *class) variants() {
	k := len(c.labels) // the choices after the plan; where there is none, those of the test function
	var extra []child
	for ; k < len(c.taken) && c.taken[k].inStep; k++ {
		for _, value := range c.taken[k].other {
			extra = append(extra, child{at: int32(k), x: value})
		}
	}
	c.rec.children = append(c.rec.children, extra...)
}
