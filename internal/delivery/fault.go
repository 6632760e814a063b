package delivery

import "github.com/rehearse-go/rehearse/trace"

// This file: the questions by which a system asks for injected faults (trace.FaultKind). What may go wrong is decided
// here, the same for all systems. How it goes wrong is theirs.
//
//	lost or doubled  user messages between two actors, the test function included, that have not been taken; an answer to
//	                 a blocking call may be lost. Not: messages to oneself, system messages, timeouts, continuations and
//	                 what a system calls safe, none of which cross anything; nor the copy that a fault made
//	crash, restart   an actor that is not in the middle of a handler, after it has handled a user message, a timeout or a
//	                 continuation; never the test function
//	where            after the step that sends; under the mailbox model after the step that puts the message into the
//	                 mailbox
//	why there:       only after the send it is known what may be lost; nothing is in between, so the executions are those
//	                 of a question before it
//	invariants:      I1 the first step of a question is nothing
//	                 I2 no question when as many faults were injected as there may be
//	                 I3 at most one fault a step: the system asks no more after one

// Pending knows what is pending.
type Pending interface {
	// Waits reports whether the message lies before its receiver.
	Waits(message int32) bool
}

// FaultAsker makes the questions of one execution.
type FaultAsker struct {
	Faults   trace.Faults
	Injected int                  // faults so far
	Safe     func(value any) bool // messages of the system's own that are never lost; nil: none
	steps    []trace.Step
}

// Left reports whether another fault may be injected.
func (a *FaultAsker) Left() bool { return a.Injected < a.Faults.Max }

// Before asks whether the receiver crashes and loses the message that the event begins to deliver. Nil: nothing is to
// be asked. The result is valid until the next question.
func (a *FaultAsker) Before(tr *trace.Trace, event int32) []trace.Step {
	s := &tr.Events[event].Step
	if !a.Left() || !a.Faults.Kinds.Has(trace.CrashLosing) || !mortal(tr, s) {
		return nil
	}
	a.steps = append(a.steps[:0], tr.FaultStep(event, trace.NoFault, -1),
		tr.FaultStep(event, trace.CrashLosing, s.Message))
	return a.steps
}

// After asks what goes wrong once the step that began with the event is over, which it is up to the last event. idle
// says that its actor has not stopped and is not in the middle of a handler.
func (a *FaultAsker) After(tr *trace.Trace, p Pending, event int32, idle bool) []trace.Step {
	if !a.Left() {
		return nil
	}
	a.steps = append(a.steps[:0], tr.FaultStep(event, trace.NoFault, -1))
	for e := event; int(e) < len(tr.Events); e++ {
		ev := &tr.Events[e]
		for _, m := range ev.Sent {
			a.losses(tr, p, event, m)
		}
		if m := ev.Released; m >= 0 { // under the mailbox model: what was sent above waits for its release
			a.losses(tr, p, event, m)
		}
	}
	if s := &tr.Events[event].Step; idle && mortal(tr, s) {
		for _, k := range []trace.FaultKind{trace.Crash, trace.Restart} {
			if a.Faults.Kinds.Has(k) {
				a.steps = append(a.steps, tr.FaultStep(event, k, -1))
			}
		}
	}
	if len(a.steps) == 1 {
		return nil
	}
	return a.steps
}

// losses adds what can happen to message m on its way.
func (a *FaultAsker) losses(tr *trace.Trace, p Pending, event, m int32) {
	msg := &tr.Messages[m]
	if msg.Sender == msg.Receiver || msg.Kind != trace.User && msg.Kind != trace.Answer || !p.Waits(m) ||
		tr.Copy(m) || a.Safe != nil && a.Safe(msg.Value) {
		return
	}
	if a.Faults.Kinds.Has(trace.Drop) {
		a.steps = append(a.steps, tr.FaultStep(event, trace.Drop, m))
	}
	if a.Faults.Kinds.Has(trace.Duplicate) && msg.Kind == trace.User {
		a.steps = append(a.steps, tr.FaultStep(event, trace.Duplicate, m))
	}
}

// mortal reports whether the actor of the step may crash in it.
func mortal(tr *trace.Trace, s *trace.Step) bool {
	if s.Actor == 0 || s.Message < 0 {
		return false
	}
	msg := &tr.Messages[s.Message]
	return s.Kind.Handles() && (msg.Kind != trace.System || msg.GoesOn)
}

// AddCopy records the second one of message m as sent by the fault that the event is, and gives its index.
func AddCopy(tr *trace.Trace, event, m int32, value any) int32 {
	old := tr.Messages[m]
	return tr.AddMessage(old.Type, old.Kind, old.Sender, old.Receiver, event, value)
}
