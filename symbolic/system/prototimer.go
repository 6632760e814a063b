package system

import (
	"time"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has time as the adapter lets it pass: timeouts of futures, and of actors that get no message.
//
// Under Async time may pass before every step, to the next deadline: adapter/clock.go. What a timeout sends is then
// released behind what its actor had captured when it was set: adapter/patience.go.
//
// Differs: timers that programs set by themselves, or by the framework's scheduler, are marked. So is a receive timeout
// that is stopped too late for what might have been before.

// after gives the time after a while. Every step takes a nanosecond, so that what was set in different steps is due at
// different times.
func (w *proto) after(limit *term.Term) *term.Term {
	limit = w.later(limit, w.duration(0))
	return w.store.Add(w.store.Add(w.now, limit), w.duration(time.Duration(len(w.tr.Events))))
}

// idles sets or ends the timeout of an actor that gets no message: actorContext.SetReceiveTimeout.
func (w *proto) idles(o exec.Operation) {
	a := w.running
	if o.Op == model.CancelTimer {
		w.noIdle(a)
		return
	}
	d := w.m.Held(o.Args[len(o.Args)-1]).(*term.Term)
	switch {
	case w.m.True(w.store.SLess(d, w.duration(time.Millisecond))):
		w.noIdle(a)
	case a.patience == nil || !w.m.True(w.store.Equal(d, a.patience)):
		w.noIdle(a)
		a.patience, a.idle = d, w.after(d)
		a.behind, a.at = w.pool.Last(a.index), int(w.event)
	}
}

// noIdle ends the timeout of an actor that gets no message.
func (w *proto) noIdle(a *agent) {
	if w.async && w.model == trace.Mailbox && a.patience != nil && (w.pool.Holds(a.index) || a.at == int(w.event)) {
		w.mark("a receive timeout might fire before it is stopped, behind what was sent before, or in the step in which it was set")
	}
	a.patience, a.idle = nil, nil
}

// influences reports whether a message ends the wait of an actor that gets none.
func (w *proto) influences(msg exec.Value) bool {
	t := w.typed(msg)
	return t == nil || w.m.Method(t, nil, "NotInfluenceReceiveTimeout") == nil
}

// passes lets time pass to the next deadline. It reports whether there is one within the horizon.
func (w *proto) passes() bool {
	if w.next() == nil {
		return false
	}
	w.beginAdvance()
	w.pass()
	return true
}

// next gives the next deadline within the horizon, nil if there is none.
func (w *proto) next() (next *term.Term) {
	consider := func(at *term.Term) {
		if at != nil && (next == nil || w.m.True(w.store.SLess(at, next))) {
			next = at
		}
	}
	for _, c := range w.calls {
		if c.state == callOpen {
			consider(c.deadline)
		}
	}
	for _, a := range w.actors {
		if !a.stopped {
			consider(a.idle)
		}
	}
	if next == nil || w.m.True(w.store.SLess(w.duration(horizon), next)) {
		return nil
	}
	return next
}

// timely appends the step in which time passes, where that may come before others.
func (w *world) timely(steps []trace.Step) []trace.Step {
	p := w.proto()
	if p == nil || !w.async || w.phase != exploring || len(steps) > 0 && steps[0].Kind == trace.Choose || p.next() == nil {
		return steps
	}
	return append(steps, trace.AdvanceStep(w.advances))
}

// pass lets time pass until something happens that others see: a message, or the end of a handler.
func (w *proto) pass() {
	for messages, ended := len(w.tr.Messages), false; len(w.tr.Messages) == messages && !ended; {
		next := w.next()
		if next == nil {
			return
		}
		ended = w.happens(next)
	}
}

// happens lets happen what is due at a time. It reports whether a handler has come to its end with that.
func (w *proto) happens(next *term.Term) (ended bool) {
	w.now = w.later(w.now, w.store.Sub(next, w.duration(time.Duration(len(w.tr.Events)-1))))
	for _, a := range w.actors {
		if !a.stopped && a.idle != nil && w.m.True(w.store.Equal(a.idle, next)) {
			a.patience, a.idle = nil, nil
			i := w.message(a, a.index, trace.Timeout, "actor.ReceiveTimeout", letter{msg: w.own("ReceiveTimeout")})
			if !w.pool.Behind(a.index, a.behind, i) {
				w.pool.Post(i)
			}
		}
	}
	return w.expires(next)
}

// expires completes the futures that time out at a time: in the step that moves the clock. It reports whether a handler
// that has waited for one is over.
func (w *proto) expires(at *term.Term) (ended bool) {
	for _, c := range w.calls {
		if c.state != callOpen || c.deadline == nil || !w.m.True(w.store.Equal(c.deadline, at)) {
			continue
		}
		path, name := model.ProtoactorPath, "ErrTimeout"
		if w.driver.Hollywood {
			path, name = "context", "DeadlineExceeded"
		}
		if w.driver.GoAkt {
			path, name = goaktErrors, "ErrRequestTimeout"
		}
		if pkg := w.p.load.SSA.ImportedPackage(path); pkg != nil {
			c.err = w.m.Variable(pkg.Pkg, name)
		}
		if c.err == nil {
			c.err = w.m.Error("future: timeout")
		}
		h := c.caller
		w.runner = w.actors[c.asker]
		w.running = w.runner
		w.completes(c, exec.Face{}, atOnce)
		w.running = nil
		if h != nil && h.wait == waitCall && h.call == c {
			w.wake(h)
			ended = ended || h.ended
		}
	}
	return ended
}
