package toy

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// losesMessage asks whether the actor of the present event crashes instead of handling its message.
func (x *execution) losesMessage() bool {
	steps := x.asker.Before(&x.tr, x.event)
	if steps == nil || x.tr.Events[x.event].Step.Kind != trace.Deliver {
		return false
	}
	if x.wrong(steps); x.over || x.next.Kind == trace.Fault {
		x.tr.Events[x.event].Completed = true
		return true
	}
	return false
}

// goesWrong asks what goes wrong after the step that is over, and brings it about. It reports whether something did.
func (x *execution) goesWrong() bool {
	if x.next.Kind != trace.Fault && x.tr.Events[x.event].Step.Kind != trace.Fault {
		e := x.tr.StepOf(x.event)
		a := &x.actors[x.tr.Events[e].Step.Actor]
		if steps := x.asker.After(&x.tr, &x.pool, e, !a.stopped && a.waits < 0); steps != nil {
			x.wrong(steps)
		}
	}
	if x.over || x.next.Kind != trace.Fault {
		return false
	}
	x.inject(x.next)
	return true
}

func (x *execution) wrong(steps []trace.Step) {
	c, ok := x.d.Choose(steps)
	x.over = !ok
	if ok && !steps[c.Index].Nothing() {
		x.next = steps[c.Index]
	}
}

// inject is the event of the fault s.
func (x *execution) inject(s trace.Step) {
	x.next = trace.Step{}
	x.asker.Injected++
	x.begin(s)
	x.tr.Events[x.event].Completed = true
	switch s.Fault() {
	case trace.Drop:
		x.pool.Cancel(s.Message)
	case trace.Duplicate:
		m := delivery.AddCopy(&x.tr, x.event, s.Message, x.tr.Messages[s.Message].Value)
		x.extra = append(x.extra, extra{call: x.extra[s.Message].call, cancelled: -1})
		x.post(s.Actor, m)
	case trace.CrashLosing, trace.Crash:
		x.stop(s.Actor)
	case trace.Restart:
		x.endTimers(s.Actor)
		a := &x.actors[s.Actor]
		a.state, a.timer = registers{}, -1
	}
}
