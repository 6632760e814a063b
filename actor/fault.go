package actor

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file injects faults: it asks for them before a handler and after a step, and brings them about as an event of
// their own.

// Cloner is a behaviour that can be started afresh. An injected restart goes on with a copy of the behaviour as it was
// when it was spawned. Without this method the copy is deep and made by reflection. So what the behaviour shares with
// the test is copied too. A Func is started again as it is.
type Cloner interface {
	Behavior
	// Clone gives a copy that shares nothing with the behaviour that either of them changes.
	Clone() Behavior
}

// faults is what the machine knows of injected faults.
type faults struct {
	m       *machine
	allowed bool
	asker   delivery.FaultAsker
	asking  int32      // the event of the step that is over and not yet asked about, -1 if there is none
	next    trace.Step // the fault to be brought about, if its kind is Fault
}

// faultMark is what undo.go restores of it.
type faultMark struct {
	injected int
	asking   int32
}

func (f *faults) mark() faultMark { return faultMark{f.asker.Injected, f.asking} }

func (f *faults) back(k faultMark) {
	f.asker.Injected, f.asking, f.next = k.injected, k.asking, trace.Step{}
}

func (f *faults) reset(allowed trace.Faults) {
	f.allowed = allowed.On()
	f.asker.Faults, f.asker.Safe = allowed, isTerminated
	f.back(faultMark{asking: -1})
}

// isTerminated picks the messages that are the machine's own although they keep the order of user messages.
func isTerminated(value any) bool {
	_, is := value.(Terminated)
	return is
}

// stepOver notes that the present step is over, so that what went wrong is asked next.
func (f *faults) stepOver() {
	m := f.m
	if f.asker.Left() && m.phase == exploring && m.tr.Events[m.event].Step.Kind != trace.Fault {
		f.asking = m.tr.StepOf(m.event)
	}
}

// goesWrong asks what goes wrong after the step that is over, and brings about what was chosen. over: the driver ended
// the execution.
func (f *faults) goesWrong() (did, over bool) {
	m := f.m
	if f.asking >= 0 && f.next.Kind != trace.Fault {
		c := m.actors.all[m.tr.Events[f.asking].Step.Actor]
		steps := f.asker.After(&m.tr, &m.pool, f.asking, !c.stopped && c.cur == nil)
		if steps != nil && !f.ask(steps, false) {
			return false, true
		}
	}
	f.asking = -1
	if f.next.Kind != trace.Fault {
		return false, false
	}
	f.bringAbout(f.next)
	return true, false
}

// losesMessage asks whether the actor crashes instead of handling the message of the present event.
func (f *faults) losesMessage(c *Context) bool {
	m := f.m
	if m.phase != exploring || c.cur != nil {
		return false
	}
	steps := f.asker.Before(&m.tr, m.event)
	if steps == nil {
		return false
	}
	if !f.ask(steps, true) {
		m.ending = true
	}
	lost := m.ending || f.next.Kind == trace.Fault
	m.tr.Events[m.event].Completed = lost
	return lost
}

// askFault lets the driver choose. false: it ends the execution.
func (f *faults) ask(steps []trace.Step, within bool) bool {
	c, ok := f.m.ask(steps, within)
	if ok && !steps[c.Index].Nothing() {
		f.next = steps[c.Index]
	}
	return ok
}

// bringAbout is the event of the fault s.
func (f *faults) bringAbout(s trace.Step) {
	m := f.m
	f.next = trace.Step{}
	f.asker.Injected++
	c := m.actors.all[s.Actor]
	m.beginEvent(s)
	e := &m.tr.Events[m.event]
	e.Completed, e.Time = true, c.Now()
	switch s.Fault() {
	case trace.Drop:
		m.pool.Cancel(s.Message)
		return
	case trace.Duplicate:
		m.outbox.duplicate(s)
		return
	}
	if m.undo.on {
		m.undo.saveActor(c, nil)
	}
	m.runner = c
	if s.Fault() == trace.Restart {
		m.actors.restart(c)
		return
	}
	c.crashed, c.stopping = true, true // settle stops it
}

// duplicate sends a copy of a message, after all that the step has sent.
func (o *outbox) duplicate(s trace.Step) {
	m := o.m
	value := m.tr.Messages[s.Message].Value
	if m.c.Copy && m.types.of(value).refs {
		value = copied(value)
	}
	i := delivery.AddCopy(&m.tr, m.event, s.Message, value)
	o.extra = append(o.extra, extra{call: o.extra[s.Message].call, clock: o.extra[s.Message].clock})
	if !m.pool.SendIn(s.Actor, i) {
		o.deadOnArrival(i)
	}
}

// keepBirth keeps a copy of a behaviour that is spawned, if it may be restarted.
func (as *actors) keepBirth(c *Context, b Behavior) {
	if as.m.faults.asker.Faults.Kinds.Has(trace.Restart) {
		c.birth = cloneBehavior(b)
	}
}

func cloneBehavior(b Behavior) Behavior {
	switch b := b.(type) {
	case Func:
		return b
	case Cloner:
		return b.Clone()
	}
	return cloner.CloneSlowly(b).(Behavior)
}

// restart puts a fresh instance in the place of the actor's. Its timers and suspended tasks are those of the old one
// and end; the mailbox stays, with what the old one had stashed.
func (as *actors) restart(c *Context) {
	m := as.m
	as.endOwn(c)
	m.outbox.unstash(c)
	m.undo.saveLife(c)
	c.previous, c.dropped = nil, nil // they are part of the instance that is replaced
	c.use(cloneBehavior(c.birth))
	m.tr.Events[m.event].Changes = true
	if _, ok := c.behavior.(Starter); ok {
		c.starting = true
		m.handlers.run(c, -1) // which does not block: a start hook must not
		c.starting = false
	}
}

// injected reports whether a dead letter to the actor is the doing of an injected fault: it crashed, or the message
// that is being handled came twice.
func (f *faults) injected(to int32) bool {
	m := f.m
	if f.asker.Injected == 0 {
		return false
	}
	if to >= 0 && m.actors.all[to].crashed {
		return true
	}
	s := &m.tr.Events[m.tr.StepOf(m.event)].Step
	return s.Message >= 0 && m.tr.Doubled(s.Message)
}
