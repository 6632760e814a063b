package delivery

import "github.com/rehearse-go/rehearse/trace"

// This file knows which user messages pass system messages under Mailbox.
//
// A mailbox looks for a system message, and takes a user message if it found none. System messages that arrive between
// the two come too late for that look: one user message passes them, and then they are there when the mailbox looks
// again. So a system message may be passed if none that waits was there when the last step of its actor ended, however
// long ago: a thread may be slow. Where no look is under way nothing is passed. So it is with a message by which an
// actor starts, and with what comes first to an actor that is at rest when the exploration begins.
//
//	source:     actor/mailbox.go of protoactor-go (run): the system queue is popped, then the user queue, without a
//	            lock
//	differs:    one look a step. What arrives at a mailbox that has gone idle wakes it, and is found by its next look;
//	            that is what happens here too if it is not passed
//	invariants: I1 saw says no more than the order of an actor's steps and of the arrivals of its system messages,
//	            which depend on each other
//	checked by: twin_test.go; internal/tests/toy and internal/dpor against brute force; adapter/protoactor/freerun
//	            against the framework

// Look says that the actor looks for system messages, as it does when its handler ends: those that are there now come
// before all user messages. Deliver and Release look; of a handler that goes on after an answer, or is woken in the
// step of another, the pool has to be told.
func (p *Pool) Look(actor int32) {
	if p.model == trace.Mailbox && int(actor) < len(p.boxes) {
		b := &p.boxes[actor]
		p.setSaw(actor, b, len(b.queues[System]) > 0)
	}
}

// Rest says that all actors are at rest: what comes to them next wakes them.
func (p *Pool) Rest() { p.rest(len(p.tr.Events)) }

// rest is Rest for the actors that were created before an event.
func (p *Pool) rest(event int) {
	if p.model != trace.Mailbox {
		return
	}
	for len(p.boxes) < len(p.tr.Actors) {
		p.boxes = append(p.boxes, box{})
	}
	for a := range p.tr.Actors {
		if int(p.tr.Actors[a].Creator) < event {
			p.setSaw(int32(a), &p.boxes[a], true)
		}
	}
}

// setSaw notes whether the system messages that wait for an actor, or come next, were there for its last look.
func (p *Pool) setSaw(actor int32, b *box, saw bool) {
	if b.saw != saw {
		b.saw = saw
		p.stir(actor, b)
		p.log.add(looked, 0, actor, 0, 0)
	}
}

// Overdue reports whether no user message passes the system messages of the actor. explore.Arrangement.
func (p *Pool) Overdue(actor int32) bool { return int(actor) < len(p.boxes) && p.boxes[actor].saw }

// late has the default order take steps that pass a system message after that one.
func (p *Pool) late(steps []trace.Step, system int32) {
	for i := range steps {
		steps[i].Depth = max(steps[i].Depth, p.tr.Messages[system].Depth+1)
	}
}
