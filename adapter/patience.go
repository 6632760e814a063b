package adapter

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what handlers do with timers under mailbox, where these may fire at any point. A handler runs at its delivery, and what it has sent is
// released afterwards. So a timer that it sets in between is to fire behind what was sent before, and one that it stops might have fired before that in a process.
//
// Of receive timeouts the adapter knows the setting: it looks at it whenever the actor sends something or changes it (LookAtDeadline), and when its step is over. So it knows behind
// what a timer was set, and sees that one that ran was stopped after a send, or in the step that set it; of these the trace says that it is not explored. Of timers of the program's own:
// owntimers.go.

// Deadline is the setting of a receive timeout; the zero Deadline is none.
type Deadline struct {
	Timer *time.Timer
	After time.Duration
}

// patience is what is known of an actor's receive timeout.
type patience struct {
	deadline Deadline
	since    int32 // what the actor had captured last when it was set, -1 if nothing
	at       int32 // the step in which the handler set it that runs, -1 if it was set before
}

// AnyTime reports whether handlers have to tell when they change receive timeouts (LookAtDeadline, SetDeadline).
func (r *Runtime) AnyTime() bool {
	return r.cond.Timers == trace.Async && r.cond.Model == trace.Mailbox
}

// LookBefore is called before the handler of an actor sets the timer of a future; LookedBefore when that is set.
func (r *Runtime) LookBefore(a int32) {
	r.LookAtDeadline(a)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks = true
}

// LookedBefore ends what LookBefore has begun.
func (r *Runtime) LookedBefore() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks = false
}

// LookAtDeadline is called before the handler of an actor changes its receive timeout.
func (r *Runtime) LookAtDeadline(a int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open >= 0 {
		r.noteDeadline(a)
		r.lookAtTimers()
	}
}

// SetDeadline is called when the handler of an actor has changed its receive timeout.
func (r *Runtime) SetDeadline(a int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.actors[a]
	before := s.deadline
	if r.open < 0 {
		return
	}
	if r.noteDeadline(a); s.deadline != before {
		s.at = r.tr.StepOf(r.event())
	}
}

// anyTime reports whether timers may fire while captured sends wait for their release.
func (r *Runtime) anyTime() bool {
	return r.cond.Timers == trace.Async && r.cond.Model == trace.Mailbox && r.phase == exploring
}

// noteDeadline looks at the receive timeout of an actor, before it captures what it sends, and when its step is over.
func (r *Runtime) noteDeadline(a int32) {
	s := &r.actors[a]
	if s.Actor == nil || !r.anyTime() {
		return
	}
	now := s.Deadline()
	if now == s.deadline {
		return
	}
	step := r.tr.StepOf(r.event())
	if (s.deadline != Deadline{}) && !s.Gone() {
		late := ""
		switch {
		case r.pool.Holds(a):
			late = "after what it has sent before in the same step: that the timeout fires between the two is not explored; stop it first,"
		case s.at == step:
			late = "in the step in which it was set: that the timeout fires between the two is not explored; set it last,"
		}
		if late != "" {
			r.omit(fmt.Sprintf("%s (%s) stops its receive timeout %s or use -timers quiescent", r.tr.ActorName(a), r.tr.StepName(r.tr.Events[step].Step), late))
		}
	}
	s.deadline, s.since, s.at = now, r.pool.Last(a), -1
}

// expires gives what an actor had captured last when it set the receive timeout that fires now.
func (r *Runtime) expires(a int32) (last int32) {
	s := &r.actors[a]
	switch {
	case !r.anyTime():
		return r.pool.Last(a)
	case s.deadline == Deadline{}: // it was set before anybody looked
		return -1
	}
	s.deadline = Deadline{}
	return s.since
}

// Timer is one that the framework's adapter has set, for good.
type Timer struct{ owner, behind int32 }

// SetTimer counts a timer that the framework's adapter sets for the actor that runs; FireTimer takes it back when it fires, before what it sends.
func (r *Runtime) SetTimer() *Timer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timers++
	r.sys.timed = true
	a := r.who()
	return &Timer{a, r.pool.Last(a)}
}

// FireTimer says that a timer counted by SetTimer fired.
func (r *Runtime) FireTimer(t *Timer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timers--
	r.fired = t
}

// omit notes the first that the execution leaves out.
func (r *Runtime) omit(what string) {
	if r.tr.Omitted == "" {
		r.tr.Omitted = what
	}
}
