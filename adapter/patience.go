package adapter

import (
	"fmt"
	"time"
)

// This file is about what handlers do with timers under mailbox, where these may fire at any point. A handler runs at
// its delivery, and what it has sent is released afterwards. So a timer that it sets in between is to fire behind what
// was sent before, and one that it stops might have fired before that in a process.
//
// Of receive timeouts the adapter knows the setting: it looks at it whenever the actor sends something or changes it
// (LookAtDeadline), and when its step is over. So it knows behind what a timer was set. It sees that one that ran was
// stopped after a send, or in the step that set it. Of these the trace says that it is not explored. Of timers of the
// program's own: owntimers.go.

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

// LookBefore is called before the handler of an actor sets the timer of a future; LookedBefore when that is set.
func (ts *timers) LookBefore(a int32) {
	ts.LookAtDeadline(a)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.looks = true
}

// LookedBefore ends what LookBefore has begun.
func (ts *timers) LookedBefore() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.looks = false
}

// LookAtDeadline is called before the handler of an actor changes its receive timeout.
func (ts *timers) LookAtDeadline(a int32) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.open >= 0 {
		ts.noteDeadline(a)
		ts.lookAtTimers()
	}
}

// SetDeadline is called when the handler of an actor has changed its receive timeout.
func (ts *timers) SetDeadline(a int32) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	s := &ts.cast.actors[a]
	before := s.deadline
	if ts.open < 0 {
		return
	}
	if ts.noteDeadline(a); s.deadline != before {
		s.at = ts.tr.StepOf(ts.recorder.event())
	}
}

// noteDeadline looks at the receive timeout of an actor, before it captures what it sends, and when its step is over.
func (ts *timers) noteDeadline(a int32) {
	s := &ts.cast.actors[a]
	if s.Actor == nil || !ts.anyTime() {
		return
	}
	now := s.Deadline()
	if now == s.deadline {
		return
	}
	step := ts.tr.StepOf(ts.recorder.event())
	if (s.deadline != Deadline{}) && !s.Gone() {
		late := ""
		switch {
		case ts.pool.Holds(a):
			late = "after what it has sent before in the same step: that the timeout fires between the two is not explored; " +
				"stop it first,"
		case s.at == step:
			late = "in the step in which it was set: that the timeout fires between the two is not explored; set it last,"
		}
		if late != "" {
			ts.omit(fmt.Sprintf("%s (%s) stops its receive timeout %s or use -timers quiescent",
				ts.tr.ActorName(a), ts.tr.StepName(ts.tr.Events[step].Step), late))
		}
	}
	s.deadline, s.since, s.at = now, ts.pool.Last(a), -1
}

// expires gives what an actor had captured last when it set the receive timeout that fires now.
func (ts *timers) expires(a int32) (last int32) {
	s := &ts.cast.actors[a]
	switch {
	case !ts.anyTime():
		return ts.pool.Last(a)
	case s.deadline == Deadline{}: // it was set before anybody looked
		return -1
	}
	s.deadline = Deadline{}
	return s.since
}

// noteDeadlines looks at the receive timeouts of the actors whose code the step ran.
func (ts *timers) noteDeadlines() {
	if ts.act != actSend && ts.act != actAdvance {
		ts.noteDeadline(ts.running)
	}
	for _, a := range ts.cast.through {
		ts.noteDeadline(a)
	}
}
