package actor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells a strategy what an actor would have accepted before a step that it took since.

var (
	_ explore.Foreseer = (*host)(nil)
	_ explore.Recaller = (*host)(nil)
)

// foresight remembers what actors would have accepted, while the strategy asks for it.
type foresight struct {
	m      *machine
	on     bool
	before []before // by event
}

// before is what decides what an actor accepts, as it was before one of its steps.
type before struct {
	wait     wait
	call     int32    // waitCall: index of the call
	accepter Accepter // a copy, nil if the actor had no constraints
	unknown  bool     // it had, and they cannot be copied
	tasks    []waiter // of handlers that were released
}

// waiter is a released handler, known by the event in which it was released: an actor releases one handler in an event.
type waiter struct {
	since int32
	ready bool // its condition held, or it awaits a future: its task comes when that is ready
}

// Recall is explore.Recaller.
func (x *host) Recall() { x.m.foresight.on = true }

// recall notes how an actor stands that is about to take the present step.
func (f *foresight) recall(c *Context) {
	m := f.m
	for len(f.before) <= int(m.event) {
		f.before = append(f.before, before{})
	}
	b := &f.before[m.event]
	*b = before{tasks: b.tasks[:0]}
	for _, h := range c.tasks {
		b.tasks = append(b.tasks, waiter{h.since, h.wait != waitCond || m.handlers.polls() || h.cond()})
	}
	if h := c.cur; h != nil {
		b.wait, b.call = h.wait, h.call
		return
	}
	if c.accepter != nil {
		b.accepter, _ = f.copyOf(c.behavior).(Accepter)
		b.unknown = b.accepter == nil
	}
}

// copyOf gives a copy of the behaviour that later steps do not change, nil if there is none: one that saves its own
// state may share more than its memory.
func (f *foresight) copyOf(b Behavior) Behavior {
	if _, own := b.(Snapshotter); own {
		return nil
	}
	return cloneBehavior(b)
}

// WouldAccept is explore.Foreseer.
func (x *host) WouldAccept(event, message int32) (accepts, known bool) {
	return x.m.foresight.wouldAccept(event, message)
}

// wouldAccept reports what the receiver would have done with a message. What a Receive in the middle of a handler would
// have matched is not known: its function may look at variables that have changed since.
func (f *foresight) wouldAccept(event, message int32) (accepts, known bool) {
	m := f.m
	s, msg := &m.tr.Events[event].Step, &m.tr.Messages[message]
	switch {
	case !f.on || s.Actor != msg.Receiver || s.Kind == trace.Timer:
		return false, false
	case s.Kind.Chooses():
		return false, true
	case s.Kind == trace.Send:
		return false, msg.Kind != trace.Answer
	case int(event) >= len(f.before):
		return false, false
	case msg.Kind == trace.Timeout && f.cancelledBefore(event, message):
		return false, true
	}
	b := &f.before[event]
	switch b.wait {
	case waitCall:
		return msg.Kind != trace.User && m.outbox.extra[message].call == b.call+1, true
	case waitNothing:
	default:
		return msg.Kind == trace.System, msg.Kind == trace.System
	}
	switch msg.Kind {
	case trace.System:
		return true, true
	case trace.Answer:
		return false, true
	case trace.Task:
		return slices.Contains(b.tasks, waiter{m.outbox.extra[message].since, true}), true
	}
	if s.Actor == 0 {
		return false, true
	}
	if b.accepter == nil {
		return true, !b.unknown
	}
	return b.accepter.Accepts(msg.Value), true
}

// cancelledBefore reports whether a timer was cancelled before the event.
func (f *foresight) cancelledBefore(event, timeout int32) bool {
	for e := f.m.tr.Messages[timeout].SentBy; e < event; e++ {
		if slices.Contains(f.m.tr.Events[e].Cancelled, timeout) {
			return true
		}
	}
	return false
}
