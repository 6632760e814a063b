package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// simulation runs S on the record of a class: it takes macro-steps of the class in another order. What waits after
// those that were taken, and so which messages the delivery model hands over next, is a question to package delivery.
//
//	assumes:    a macro-step does the same wherever all that comes before it in the class was taken
//	invariants: I1 at stands after the macro-steps in taken that are not late, and after the events between that come
//	            before all others
//	checked by: reverse_test.go against brute force
type simulation struct {
	*deviations
	at        *delivery.At
	taken     bitset.Set
	late      []int32 // of taken, those that at was not moved over yet
	lowest    int32   // the first macro-step that was not taken
	between   []int32 // events that belong to no macro-step: of the test function, and of the clock
	passed    int     // of these
	steps     []trace.Step
	ownBlocks map[int32][]int32
	others    []int32 // macro-steps that take no message: releases, timers that fire, advances of the clock
	then      []int32 // by macro-step: the one of these that is its actor's next step, -1 if none is
	open      []int32 // of others, those whose actor's step before was taken
}

// simulated gives the simulation of the class at hand.
func (c *deviations) simulated() *simulation {
	if c.sim == nil {
		c.sim = c.newSimulation()
	}
	return c.sim
}

// newSimulation makes what follows S on the record of the class (V5). No handler is executed. Up to the step in
// question S meets the macro-steps of the class in another order, and each does there what it did.
func (c *deviations) newSimulation() *simulation {
	c.noteHandled()
	s := &simulation{deviations: c, at: c.walked(), ownBlocks: map[int32][]int32{}}
	for i := range c.blocks {
		b := &c.blocks[i]
		s.ownBlocks[b.actor] = append(s.ownBlocks[b.actor], int32(i))
	}
	s.findOthers()
	for e, b := range c.blockOf {
		if b < 0 {
			s.between = append(s.between, int32(e))
		}
	}
	return s
}

// findOthers finds the macro-steps that take no message.
func (s *simulation) findOthers() {
	s.then = make([]int32, len(s.blocks))
	for i := range s.then {
		s.then[i] = -1
	}
	for i := range s.blocks {
		e := s.blocks[i].event
		if s.order.Takes(e) {
			continue
		}
		s.others = append(s.others, int32(i))
		if own := s.order.Own(e); own >= 0 && s.blockOf[own] >= 0 {
			s.then[s.blockOf[own]] = int32(i)
		}
	}
}

// follows reports whether S, from the macro-steps in begin, makes the class (V5). It does if at each point the least
// step that is enabled is one of the class, and all that happens before it there was taken.
func (s *simulation) follows(begin bitset.Set) bool {
	s.begin(begin)
	for {
		s.looked++
		if s.plain && s.lowest >= s.tied {
			leads := s.must.Within(s.taken)
			if s.answered != nil {
				s.answered(s.taken, leads)
			}
			return leads
		}
		best := int32(-1)
		bestDepth, bestID := int32(0), trace.ID{}
		consider := func(b int32, depth int32, id trace.ID) {
			if best == -1 || depth < bestDepth || depth == bestDepth && id.Less(bestID) {
				best, bestDepth, bestID = b, depth, id
			}
		}
		s.eachEnabled(consider)
		if best == -1 {
			return int(s.lowest) == len(s.blocks)
		}
		if best == -2 || !s.blocks[best].past.Within(s.taken) || !s.blocks[best].least {
			return false
		}
		s.take(best)
	}
}

// begin takes the macro-steps in begin, the first ones of the class at once.
func (s *simulation) begin(begin bitset.Set) {
	first := int32(0)
	for int(first) < len(s.blocks) && begin.Has(first) {
		first++
	}
	end := s.order.Len()
	if int(first) < len(s.blocks) {
		end = int(s.blocks[first].event)
	}
	s.at.To(s.order.First() + end)
	s.taken, s.lowest = append(s.taken[:0], begin...), first
	s.passed, _ = slices.BinarySearch(s.between, int32(end))
	s.late = s.late[:0]
	for i := first; int(i) < len(s.blocks); i++ {
		if begin.Has(i) {
			s.move(i)
		}
	}
	s.open = s.open[:0]
	from, _ := slices.BinarySearch(s.others, first)
	for _, i := range s.others[from:] {
		if s.happened(s.order.Own(s.blocks[i].event)) {
			s.open = append(s.open, i)
		}
	}
}

// take takes a macro-step, and what comes of itself when no other is left before it.
func (s *simulation) take(i int32) {
	s.taken.Add(i)
	if next := s.then[i]; next >= 0 {
		s.open = append(s.open, next)
	}
	s.move(i)
	for int(s.lowest) < len(s.blocks) && s.taken.Has(s.lowest) {
		s.lowest++
	}
	end := int32(s.order.Len())
	if int(s.lowest) < len(s.blocks) {
		end = s.blocks[s.lowest].event
	}
	for ; s.passed < len(s.between) && s.between[s.passed] < end; s.passed++ {
		s.at.Take(int32(s.order.First()) + s.between[s.passed])
	}
}

// move moves at over the events of a macro-step, and then over those that waited for it.
//
// SUBTLE: a macro-step that was given with the choices that it made (class.offer) may come before steps that it
// follows in the class. It waits for these.
func (s *simulation) move(i int32) {
	s.late = append(s.late, i)
	for k := slices.IndexFunc(s.late, s.mayMove); k >= 0; k = slices.IndexFunc(s.late, s.mayMove) {
		i = s.late[k]
		s.late = slices.Delete(s.late, k, k+1)
		for e := s.blocks[i].event; e < s.blocks[i].end; e++ {
			s.at.Take(int32(s.order.First()) + e)
		}
	}
}

// mayMove reports whether at was moved over all that comes before a macro-step.
func (s *simulation) mayMove(i int32) bool {
	past := s.blocks[i].past
	return past.Within(s.taken) && !slices.ContainsFunc(s.late, func(j int32) bool { return past.Has(j) })
}

// eachEnabled calls f for the steps that are enabled; a step that is none of the class is -2.
func (s *simulation) eachEnabled(f func(b, depth int32, id trace.ID)) {
	s.open = slices.DeleteFunc(s.open, func(i int32) bool { return s.taken.Has(i) })
	for _, i := range s.open {
		s.looked++
		b := &s.blocks[i]
		if s.ready(b) && !s.barrierAhead(b.due) {
			f(i, s.depthAt(b.base, b.depth, b.actor), b.id)
		}
	}
	s.steps = s.at.Enabled(s.steps[:0], s)
	for i := range s.steps {
		step := &s.steps[i]
		if step.Kind == trace.Send {
			continue // it is a macro-step
		}
		by := s.handledAt(step.Message)
		switch {
		case by < 0 || by == unhandled:
			depth, id := s.key(step.Message)
			f(-2, s.depthAt(depth, depth, step.Actor), id)
		case !s.taken.Has(by): // else it is late
			b := &s.blocks[by]
			f(by, s.depthAt(b.base, b.depth, b.actor), b.id)
		}
	}
	s.eachUnfired(f)
}

// depthAt is the depth of a step: with declared effects that depends on what its actor did before.
func (s *simulation) depthAt(base, depth, actor int32) int32 {
	if !s.declared.on {
		return depth
	}
	own := s.ownBlocks[actor]
	for k := len(own) - 1; k >= 0; k-- {
		if b := &s.blocks[own[k]]; s.taken.Has(own[k]) && !b.shares {
			return max(base, s.after(b.end-1))
		}
	}
	return base
}

// eachUnfired calls f for the timers that could fire, and that the class cancelled.
func (s *simulation) eachUnfired(f func(b, depth int32, id trace.ID)) {
	for _, x := range s.unfired {
		if set := s.order.Arrival(x.timeout); !s.taken.Has(x.by) && s.happened(set) {
			step := s.tr.FiringOf(x.timeout)
			f(-2, s.depthOf(&step, set, -1), step.ID)
		}
	}
}

// happened reports whether the macro-step of an event was taken, if it has one.
func (s *simulation) happened(e int32) bool {
	return e < 0 || s.blockOf[e] < 0 || s.taken.Has(s.blockOf[e])
}

// barrierAhead reports whether the clock has to advance, up to so many times in all.
func (s *simulation) barrierAhead(due int32) bool {
	return int(s.lowest) < len(s.blocks) && s.blocks[s.lowest].barriers < due
}

// ready reports whether a macro-step of open could be taken.
func (s *simulation) ready(b *block) bool { return s.happened(s.order.Parent(b.event)) }

// Accepts is delivery.Host: whether the receiver of m, which waits, would take it where it stands.
func (s *simulation) Accepts(actor, m int32) bool {
	own := s.ownBlocks[actor]
	k := slices.IndexFunc(own, func(i int32) bool { return !s.taken.Has(i) })
	if k < 0 {
		return false
	}
	next, kind := &s.blocks[own[k]], s.tr.Messages[m].Kind
	if kind != trace.Answer && s.barrierAhead(next.idle) {
		return false // its handler waits, and only time will end that
	}
	if s.handledAt(m) == own[k] {
		return true
	}
	// SUBTLE: where nobody can tell what the receiver accepts, the record does: in a mailbox it passed m over.
	return !s.order.Fixed(next.event, m) && s.order.Accepts(next.event, m, s.accepts)
}
