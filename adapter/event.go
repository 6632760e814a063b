package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file closes events: who blocked, who stopped, what is released.

// complete closes the open event: who blocked, who stopped, what is released; and shows it to the driver.
func (r *Runtime) complete() {
	if f, ok := r.sys.framework.(Attentive); ok {
		f.StepEnds(r)
	}
	r.mu.Lock()
	event := r.open
	if r.act == actAdvance && r.futile && r.tr.Events[event].Auto {
		// Nothing came of it: it never happened.
		r.countStarted()
		r.tr.Events = r.tr.Events[:event]
		r.open = -1
		r.mu.Unlock()
		return
	}
	if r.act == actAdvance {
		r.advance++
		r.noteOpaque()
	}
	r.noteBlocked()
	if r.act == actFault || r.act == actHandle && r.tr.Messages[r.message].Class != trace.User {
		r.noteGone(r.running)
	}
	r.noteChange(event)
	r.judgeEffect(event)
	r.release(event)
	r.countStarted()
	r.open = -1
	r.mu.Unlock()
	if r.phase == exploring || r.phase == settingUp {
		if !r.d.Observe(event) || r.stopped {
			r.finish()
		} else if r.phase == exploring && r.faults.Left() && r.inject.Kind != trace.Fault {
			r.askAfter(event)
		}
	}
}

// noteChange notes whether the event changed the handlers of the actor whose code it ran.
func (r *Runtime) noteChange(event int32) {
	switch r.act {
	case actHandle, actAnswer, actFault:
		if s := &r.actors[r.running]; s.Actor != nil && s.Changed() {
			r.tr.Events[event].Changes = true
		}
	}
}

// noteBlocked marks the handlers that neither ended nor move.
func (r *Runtime) noteBlocked() {
	if r.busy == r.blocked {
		return
	}
	for a := range r.actors {
		if s := &r.actors[a]; s.busy && !s.blocked {
			s.blocked = true
			r.blocked++
			if s.waitsFor() == nil {
				r.touch(outside, true)
			}
		}
	}
}

func (r *Runtime) noteGone(a int32) {
	if s := &r.actors[a]; s.Actor != nil && !s.gone && s.Gone() {
		s.gone = true
		r.pool.Stop(a)
		e := &r.tr.Events[r.open]
		e.Stopped = append(e.Stopped, a)
	}
}

// release appends the first captured send of the actor that ran to its receiver's mailbox: the event that receives a message is
// also the one of the first send (docs/ARCHITECTURE.md, delivery models).
func (r *Runtime) release(event int32) {
	if r.cond.Model != trace.Mailbox || r.act == actAdvance || r.tr.Events[event].Step.Kind.Chooses() {
		return
	}
	actor := r.tr.Events[event].Step.Actor
	m, ordered, dead := r.pool.Release(actor, r.first)
	if m < 0 {
		return
	}
	e := &r.tr.Events[event]
	e.Released = m
	if e.Step.Kind == trace.Send {
		// A schedule that is followed takes sends by name: the one that was taken need not be the one that was offered.
		e.Step = r.tr.ReleaseOf(m)
		e.Step.Actor = actor
	}
	if !ordered && r.tr.Uncontrolled == "" {
		r.tr.Uncontrolled = r.tr.ActorName(actor) + " sends in an order of its own (a loop over a map, say)"
	}
	if dead {
		r.undeliverable(m)
	}
}

// undeliverable deals with a released message whose receiver has stopped. It is called with the lock.
func (r *Runtime) undeliverable(m int32) {
	msg, payload := &r.tr.Messages[m], r.payload[m]
	if msg.Class == trace.Answer {
		r.deadLetter(msg.Type.Name, msg.Sender, r.Crashed(msg.Receiver))
		return
	}
	receiver := r.actors[msg.Receiver].Actor
	r.releasing = true
	r.mu.Unlock()
	r.sys.framework.Undeliverable(receiver, msg.Class, payload)
	r.mu.Lock()
	r.releasing = false
}
