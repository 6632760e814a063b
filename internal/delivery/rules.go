package delivery

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the rules of the five delivery models. Each is a function of the record and of what is pending at a
// point of it. A pool (pool.go) applies them to an execution that runs, At (at.go) to one that is recorded. Code
// names the rule that it applies.
//
//	R1 release  mailbox: what a handler sends is captured. Its actor releases that in order, and does nothing else
//	            before.
//	R2 start    mailbox: an actor takes nothing before what its start hook sent, and its start, are released.
//	R3 exempt   answers, tasks and the timeouts of calls obey no order. Nor do other timeouts, but in the mailbox
//	            models.
//	R4 system   system messages come in the order of arrival, and before all user messages of their receiver.
//	R5 look     mailbox: a user message passes system messages that have all arrived since the receiver's last look
//	            (look.go).
//	R6 order    fifo, causal: a user message waits for those that are ordered before it, acceptable or not.
//	R7 queue    mailbox models: of the user messages the oldest comes that the receiver accepts.
//	R8 past     causal: a message tells what its sender knew at the send, and whoever handles it knows that from then
//	            on.
//
// Whether a receiver accepts a message is no rule of the models. It is asked of a Host.
//
//	source:     R6 under causal is causal order [Lam78]; the mailbox models are those of in-process frameworks, R4 and
//	            R5 those of protoactor-go (its actor/mailbox.go); docs/ARCHITECTURE.md, "Delivery models"
//	differs:    R8 speaks of sends, not of steps: a message does not follow what its sender sends or learns later in
//	            its handler
//	checked by: twin_test.go, at_test.go; internal/tests/toy against brute force

// Lane is the order that a message obeys at its receiver.
type Lane uint8

// The lanes.
const (
	Exempt Lane = iota // none (R3)
	System             // that of arrival, before all of User (R4)
	User               // that of the model (R5, R6, R7)
)

// LaneOf gives the lane of a message.
func LaneOf(model trace.Model, msg *trace.Message) Lane {
	switch {
	case msg.Kind == trace.System:
		return System
	case msg.Kind == trace.User, msg.Kind == trace.Timeout && model.Queues() && !msg.EndsCall:
		return User
	}
	return Exempt
}

// Captured reports whether a message waits for its release once a handler has sent it (R1).
func Captured(model trace.Model, msg *trace.Message) bool {
	return model == trace.Mailbox && !msg.AtOnce
}

// Owes reports whether the sender of message m takes nothing before actor by has released it (R2). So it is with the
// messages of a start hook. The creator of the actor releases them, and later sends of the actor might overtake them.
//
// SUBTLE: the second one of a message that a fault doubled comes late in any case. Its sender may have taken messages
// before, so that in one order none would have to wait for it, and in another all.
func Owes(tr *trace.Trace, by, m int32) bool { return tr.Messages[m].Sender != by && !tr.Copy(m) }

// Looks reports whether the receiver of a message looks for system messages when it has taken it (R5). An answer may
// fill a future, which is no look; who goes on with a handler after it looks.
func Looks(msg *trace.Message) bool { return msg.Kind != trace.Answer }

// Original gives the message that m stands for: m itself, unless its receiver had put it aside. For the order of
// sends (R6, R8) that one counts.
func Original(tr *trace.Trace, m int32) int32 {
	for tr.Messages[m].Renews >= 0 {
		m = tr.Messages[m].Renews
	}
	return m
}

// Knower is the actor whose knowledge message m tells (R8): its sender, also one that was woken in the step of another.
// If a new actor sends in the step that creates it, it is the actor that takes the step. The same holds for the copy
// that a fault makes.
func Knower(tr *trace.Trace, m int32) int32 {
	msg := &tr.Messages[m]
	if tr.Copy(m) {
		return tr.Events[msg.SentBy].Step.Actor
	}
	if at := tr.Actors[msg.Sender].Creator; at >= 0 && at == msg.SentBy {
		return tr.Events[at].Step.Actor
	}
	return msg.Sender
}

// Ordered reports whether the model hands over the message first before the message second (R6). past is what
// precedes the send of the second one, under Causal; the other models do not look at it.
func Ordered(model trace.Model, tr *trace.Trace, first, second int32, past bitset.Set) bool {
	x, y := &tr.Messages[first], &tr.Messages[second]
	if first == second || x.Kind != trace.User || y.Kind != trace.User || x.Receiver != y.Receiver {
		return false
	}
	switch model {
	case trace.FIFO:
		return x.Sender == y.Sender && Original(tr, first) < Original(tr, second)
	case trace.Causal:
		return past.Has(Original(tr, first))
	}
	return false
}
