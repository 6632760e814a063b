package dpor

import "github.com/rehearse-go/rehearse/trace"

// simulation runs S on the record of a class.
type simulation struct {
	*class
	ownBlocks map[int32][]int32
}

func (c *class) newSimulation() *simulation {
	c.noteHandled()
	s := &simulation{class: c, ownBlocks: map[int32][]int32{}}
	for i := range c.blocks {
		b := &c.blocks[i]
		if c.order.Step(b.event).Kind != trace.Timer {
			s.ownBlocks[b.actor] = append(s.ownBlocks[b.actor], int32(i))
		}
	}
	return s
}

// follows reports whether S, from the macro-steps in begin, makes the class: at each point the least step that is enabled is one of the
// class that needs nothing else of it.
func (s *simulation) follows(begin blocks) bool {
	at := append(blocks(nil), begin...)
	for {
		best := int32(-1)
		bestDepth, bestID := int32(0), trace.ID{}
		consider := func(b int32, depth int32, id trace.ID) {
			if best == -1 || depth < bestDepth || depth == bestDepth && id.Less(bestID) {
				best, bestDepth, bestID = b, depth, id
			}
		}
		s.eachEnabled(at, consider)
		if best == -1 {
			return s.all(at)
		}
		if best == -2 || !s.blocks[best].past.within(at) || !s.blocks[best].least {
			return false
		}
		at.set(best)
	}
}

func (s *simulation) all(at blocks) bool {
	for i := range s.blocks {
		if !at.has(int32(i)) {
			return false
		}
	}
	return true
}

// eachEnabled calls f for the steps that are enabled after the macro-steps in at; a step that is none of the class is -2.
func (s *simulation) eachEnabled(at blocks, f func(b, depth int32, id trace.ID)) {
	for i := range s.blocks {
		b := &s.blocks[i]
		if at.has(int32(i)) || !s.ready(b, at) || s.barrierAhead(b.due, at) {
			continue
		}
		f(int32(i), s.depthAt(b.base, b.depth, b.actor, at), b.id)
	}
	for _, m := range s.pending {
		parent := s.order.Arrival(m)
		if parent >= 0 && s.blockOf[parent] >= 0 && !at.has(s.blockOf[parent]) || s.barrierAhead(s.barriersOf(m), at) || !s.acceptedAt(m, at) {
			continue
		}
		depth, id := s.key(m)
		f(-2, s.depthAt(depth, depth, s.tr.Messages[m].Receiver, at), id)
	}
	s.eachUnfired(at, f)
}

// depthAt is the depth of a step after the macro-steps in at: with declared effects that depends on what its actor did there.
func (s *simulation) depthAt(base, depth, actor int32, at blocks) int32 {
	if !s.declared.on {
		return depth
	}
	own := s.ownBlocks[actor]
	for k := len(own) - 1; k >= 0; k-- {
		if b := &s.blocks[own[k]]; at.has(own[k]) && !b.shares {
			return max(base, s.after(b.end-1))
		}
	}
	return base
}

// eachUnfired calls f for the timers that could fire after the macro-steps in at, and that the class cancelled.
func (s *simulation) eachUnfired(at blocks, f func(b, depth int32, id trace.ID)) {
	for i := range s.blocks {
		if at.has(int32(i)) {
			continue
		}
		for e := s.blocks[i].event; e < s.blocks[i].end; e++ {
			s.order.CancelledFirings(e, func(m int32) {
				if set := s.order.Arrival(m); set < 0 || s.blockOf[set] < 0 || at.has(s.blockOf[set]) {
					step := s.tr.FiringOf(m)
					f(-2, s.depthOf(&step, set, -1), step.ID)
				}
			})
		}
	}
}

// barrierAhead reports whether the clock has to advance, up to so many times in all, after the macro-steps in at.
func (s *simulation) barrierAhead(due int32, at blocks) bool {
	for i := range s.blocks {
		if s.blocks[i].barriers < due && !at.has(int32(i)) {
			return true
		}
	}
	return false
}

// ready reports whether macro-step b could be taken after those in at.
func (s *simulation) ready(b *block, at blocks) bool {
	parent := s.order.Parent(b.event)
	if parent >= 0 && s.blockOf[parent] >= 0 && !at.has(s.blockOf[parent]) {
		return false
	}
	if !s.order.Takes(b.event) {
		own := s.order.Own(b.event)
		return own < 0 || s.blockOf[own] < 0 || s.order.Step(b.event).Kind == trace.Timer || at.has(s.blockOf[own])
	}
	return s.acceptedAt(b.message, at)
}

// acceptedAt reports whether the receiver of m would take it after the macro-steps in at.
func (s *simulation) acceptedAt(m int32, at blocks) bool {
	msg := &s.tr.Messages[m]
	next := int32(-1)
	for _, i := range s.ownBlocks[msg.Receiver] {
		if !at.has(i) {
			next = i
			break
		}
	}
	if next >= 0 && msg.Class != trace.Answer && s.barrierAhead(s.blocks[next].idle, at) {
		return false // its handler waits, and only time will end that
	}
	if by, handled := s.handled[m]; handled && by == next {
		return !s.heldBack(m, at)
	}
	if next < 0 {
		return false
	}
	return !s.order.Fixed(s.blocks[next].event, m) && s.order.WouldTake(s.blocks[next].event, s.blocks[next].event, m, s.accepts) && !s.heldBack(m, at)
}

// heldBack reports whether the delivery model holds m back behind a message that has arrived and is not handled.
func (s *simulation) heldBack(m int32, at blocks) bool {
	for other := range s.tr.Messages {
		o := int32(other)
		if o == m || !s.order.Ordered(o, m) {
			continue
		}
		by, handled := s.handled[o]
		if handled && !at.has(by) || !handled && s.isPending(o) {
			return true
		}
	}
	return false
}

func (s *simulation) isPending(m int32) bool {
	for _, p := range s.pending {
		if p == m {
			return true
		}
	}
	return false
}
