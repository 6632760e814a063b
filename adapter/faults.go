package adapter

import (
	"github.com/rehearse-go/rehearse/internal/fault"
	"github.com/rehearse-go/rehearse/trace"
)

// This file injects faults: it asks for them before a handler and after a step, and brings them about as an event of their own.

// askBefore asks whether the receiver crashes instead of handling the message of the open event.
func (r *Runtime) askBefore() {
	steps := r.faults.Before(&r.tr, r.open)
	if steps == nil {
		return
	}
	r.ask(steps)
	if r.inject.Kind == trace.Fault || r.stopped {
		r.tr.Events[r.open].Completed = true
		r.act = actNothing
	}
}

// askAfter asks what goes wrong now that the event is over and was observed.
func (r *Runtime) askAfter(event int32) {
	idle := false
	switch r.act {
	case actTest, actWake, actSend, actAnswer:
	case actHandle:
		s := &r.actors[r.running]
		idle = !s.busy && !s.gone && !s.crashed
	default:
		return
	}
	if steps := r.faults.After(&r.tr, &r.pool, event, idle); steps != nil {
		r.ask(steps)
	}
}

// ask lets the driver choose, and keeps the fault that it chose for the next event.
func (r *Runtime) ask(steps []trace.Step) {
	c, ok := r.d.Choose(steps)
	if !ok {
		r.stopped = true
	} else if !steps[c.Index].Nothing() {
		r.inject = steps[c.Index]
	}
}

// bringAbout begins the event of the fault that was chosen.
func (r *Runtime) bringAbout() {
	s := r.inject
	r.inject = trace.Step{}
	r.begin(s, false)
	r.faults.Injected++
	r.tried, r.nudged = false, false
	r.first, r.message = trace.ID{}, -1
	switch s.Fault() {
	case trace.Drop:
		r.pool.Cancel(s.Message)
		r.count(s.Message, -1)
		r.act = actNothing
	case trace.Duplicate:
		m := fault.Copy(&r.tr, r.open, s.Message, r.tr.Messages[s.Message].Value)
		r.keep(m, r.payload[s.Message])
		r.pool.SendIn(s.Actor, m)
		r.count(m, 1)
		r.act = actNothing
	default:
		if s.Message >= 0 {
			r.count(s.Message, -1)
		}
		r.act = actFault
	}
	r.tr.Events[r.open].Completed = true
}

// count tells the receiver of a user message that one more or less waits.
func (r *Runtime) count(m, change int32) {
	if msg := &r.tr.Messages[m]; msg.Class != trace.Answer {
		r.actors[msg.Receiver].Count(int(change))
	}
}

// fail crashes the actor of the open event.
func (r *Runtime) fail(s *actorState) {
	if r.tr.Events[r.opened].Step.Fault() == trace.Restart {
		s.Restart()
		return
	}
	s.crashed = true
	s.Crash()
}

// Crashed reports whether an injected fault stopped the actor, or one above it, which takes its children with it.
func (r *Runtime) Crashed(a int32) bool {
	gone := r.actors[a].gone
	for first := a; a > 0 && (gone || a == first); a = r.tr.Actors[a].Parent {
		if r.actors[a].crashed {
			return true
		}
	}
	return false
}

// afterCopy reports whether what happens in the open event is due to a message that a fault doubled: the second answer to a
// request has nobody to go to.
func (r *Runtime) afterCopy() bool {
	if r.faults.Injected == 0 || r.open < 0 {
		return false
	}
	m := r.tr.Events[r.opened].Step.Message
	if m >= 0 && r.tr.Messages[m].Class == trace.Answer {
		m = r.tr.Events[r.tr.StepOf(r.tr.Messages[m].SentBy)].Step.Message
	}
	return m >= 0 && r.tr.Doubled(m)
}
