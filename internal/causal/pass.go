package causal

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells where user messages pass system messages, under Mailbox (see internal/delivery, look.go).
//
// A user message that waits may be taken before the system messages that wait, if these have all arrived since the last
// step of their receiver. So the two race: either may come first, whatever the order of their arrivals. No footprint
// has to say so: both are steps of one actor, and the arrival of a system message depends on all steps of its receiver.
//
//	assumes:    the receiver looks for system messages when a step of its own is over, but for one that fills a future
//	checked by: internal/tests/toy and internal/dpor against brute force

// passes reports whether message m, if it waited before event i, its receiver's own step or the arrival of a system
// message, could pass the system messages that waited there. Whether it is the oldest is another question.
func (o *receives) passes(i, m int32) bool { return o.before(i).Passes(m) }

// passed reports whether step i of an actor took a user message although system message m was there.
func (o *receives) passed(i, m int32) bool {
	s := o.Step(i)
	if o.model != trace.Mailbox || s.Kind != trace.Deliver || o.Arrival(m) >= i {
		return false
	}
	return o.lane(s.Message) == delivery.User
}

// goesOnPast reports whether step i goes on with a handler that passed system message m.
func (o *receives) goesOnPast(i, m int32) bool {
	if !o.endsCall(i) || o.Arrival(m) >= i {
		return false
	}
	i = o.beginning(i)
	return i >= 0 && o.passed(i, m)
}

// goesOnFromTask reports whether step i goes on after a call that a suspended task made. Under the models without
// mailboxes that is no other question: an actor in a call takes no message.
func (o *receives) goesOnFromTask(i int32) bool {
	if !o.endsCall(i) {
		return false
	}
	i = o.beginning(i)
	return i >= 0 && o.Step(i).Kind == trace.Resume
}

// beginning gives the step that began the handler with which step i goes on after calls, sends and choices.
func (o *receives) beginning(i int32) int32 {
	for i >= 0 && (o.Step(i).Kind == trace.Send || o.Step(i).Kind.Chooses() || o.endsCall(i)) {
		i = o.events[i].own
	}
	return i
}
