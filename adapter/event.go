package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file closes events: who blocked, who stopped. What is released: release.go.

// complete closes the open event: who blocked, who stopped, what is released; and shows it to the driver. It reports whether there is more
// to do in the event: what was released resolves a future.
func (r *Runtime) complete() (more bool) {
	if f, ok := r.sys.framework.(Attentive); ok {
		f.StepEnds(r)
	}
	r.mu.Lock()
	first, event := r.opened, r.open
	if r.act == actAdvance && r.futile && r.tr.Events[event].Auto { // which no draw has been asked for
		// Nothing came of it: it never happened.
		r.countStarted()
		r.tr.Events = r.tr.Events[:event]
		r.open = -1
		r.mu.Unlock()
		return false
	}
	if r.act == actAdvance {
		r.advance++
		r.noteOpaque()
	}
	r.noteBlocked()
	if r.act == actResolve {
		r.act, r.message = r.resolver.act, r.resolver.message
	} else {
		r.noteDeadlines()
		r.lookAtTimers()
		r.noteAllGone()
		r.noteChange(event)
		r.judgeEffect(event)
		r.noteFutures()
		if r.release(event) {
			r.mu.Unlock()
			return true
		}
	}
	r.countStarted()
	r.open = -1
	r.mu.Unlock()
	if r.anew {
		r.goOnUnjudged()
	} else if r.phase == exploring || r.phase == settingUp {
		if !r.observe(first, event) || r.stopped {
			r.finish()
		} else if r.phase == exploring && r.faults.Left() && r.inject.Kind != trace.Fault {
			r.askAfter(first)
		}
	}
	return false
}

// observe shows the events of a step to the driver. It reports whether that wants more.
func (r *Runtime) observe(first, last int32) bool {
	for e := first; e <= last; e++ {
		if !r.d.Observe(e) {
			return false
		}
	}
	return true
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

// noteDeadlines looks at the receive timeouts of the actors whose code the step ran.
func (r *Runtime) noteDeadlines() {
	if r.act != actSend && r.act != actAdvance {
		r.noteDeadline(r.running)
	}
	for _, a := range r.through {
		r.noteDeadline(a)
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
