package adapter

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file injects faults: it asks for them before a handler and after a step, and brings them about as an event of
// their own.

// injector injects faults.
type injector struct {
	*execution
	cast     *cast
	recorder *recorder
	clock    *clock

	faults delivery.FaultAsker
	inject trace.Step // the fault to be brought about next, if it is one
}

// reset makes ready for another execution.
func (i *injector) reset() {
	i.faults.Faults, i.faults.Injected, i.inject = i.cond.Faults, 0, trace.Step{}
}

// pending reports whether a fault was chosen that is yet to be brought about.
func (i *injector) pending() bool { return i.inject.Kind == trace.Fault }

// askBefore asks whether the receiver crashes instead of handling the message of the open event.
func (i *injector) askBefore() {
	steps := i.faults.Before(&i.tr, i.open)
	if steps == nil {
		return
	}
	i.ask(steps)
	if i.pending() || i.stopped {
		i.tr.Events[i.open].Completed = true
		i.act = actNothing
	}
}

// askAfter asks what goes wrong now that the event is over and was observed.
func (i *injector) askAfter(event int32) {
	if i.pending() || !i.faults.Left() {
		return
	}
	idle := false
	switch i.act {
	case actTest, actWake, actSend, actAnswer:
	case actHandle:
		s := &i.cast.actors[i.running]
		idle = !s.busy && !s.gone && !s.crashed
	default:
		return
	}
	if steps := i.faults.After(&i.tr, &i.pool, event, idle); steps != nil {
		i.ask(steps)
	}
}

// ask lets the driver choose, and keeps the fault that it chose for the next event.
func (i *injector) ask(steps []trace.Step) {
	c, ok := i.d.Choose(steps)
	if !ok {
		i.stopped = true
	} else if !steps[c.Index].Nothing() {
		i.inject = steps[c.Index]
	}
}

// bringAbout begins the event of the fault that was chosen.
func (i *injector) bringAbout() {
	s := i.inject
	i.inject = trace.Step{}
	i.recorder.begin(s, false)
	i.faults.Injected++
	i.clock.stepTaken()
	i.first, i.message = trace.ID{}, -1
	switch s.Fault() {
	case trace.Drop:
		i.pool.Cancel(s.Message)
		i.count(s.Message, -1)
		i.act = actNothing
	case trace.Duplicate:
		m := delivery.AddCopy(&i.tr, i.open, s.Message, i.tr.Messages[s.Message].Value)
		i.recorder.keep(m, i.recorder.payload[s.Message])
		i.pool.SendIn(s.Actor, m)
		i.count(m, 1)
		i.act = actNothing
	default:
		if s.Message >= 0 {
			i.count(s.Message, -1)
		}
		i.pool.Touch(s.Actor)
		i.act = actFault
	}
	i.tr.Events[i.open].Completed = true
}

// count tells the receiver of a user message that one more or less waits.
func (i *injector) count(m, change int32) {
	if msg := &i.tr.Messages[m]; msg.Kind != trace.Answer {
		i.cast.actors[msg.Receiver].Count(int(change))
	}
}

// fail crashes the actor of the open event.
func (i *injector) fail(s *actorState) {
	if i.tr.Events[i.opened].Step.Fault() == trace.Restart {
		s.Restart()
		return
	}
	s.crashed = true
	s.Crash()
}
