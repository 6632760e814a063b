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
// Differs: where nothing else can happen, alone. Timers that programs set by themselves, or by the framework's scheduler, are marked.

// after gives the time after a while. Every step takes a nanosecond, so that what was set in different steps is due at different times.
func (w *proto) after(limit *term.Term) *term.Term {
	limit = w.later(limit, w.duration(0))
	return w.store.Add(w.store.Add(w.now, limit), w.duration(time.Duration(len(w.tr.Events))))
}

// idles sets or ends the timeout of an actor that gets no message: actorContext.SetReceiveTimeout.
func (w *proto) idles(o exec.Operation) {
	a := w.running
	if o.Op == model.CancelTimer {
		a.patience, a.idle = nil, nil
		return
	}
	d := w.m.Held(o.Args[len(o.Args)-1]).(*term.Term)
	switch {
	case w.m.True(w.store.SLess(d, w.duration(time.Millisecond))):
		a.patience, a.idle = nil, nil
	case a.patience == nil || !w.m.True(w.store.Equal(d, a.patience)):
		a.patience, a.idle = d, w.after(d)
	}
}

// influences reports whether a message ends the wait of an actor that gets none.
func (w *proto) influences(msg exec.Value) bool {
	t := w.typed(msg)
	return t == nil || w.m.Method(t, nil, "NotInfluenceReceiveTimeout") == nil
}

// passes lets time pass to the next deadline. It reports whether there is one within the horizon.
func (w *proto) passes() bool {
	var next *term.Term
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
		return false
	}
	w.now = w.later(w.now, w.store.Sub(next, w.duration(time.Duration(len(w.tr.Events)))))
	w.beginAdvance()
	for _, a := range w.actors {
		if !a.stopped && a.idle != nil && w.m.True(w.store.Equal(a.idle, next)) {
			a.patience, a.idle = nil, nil
			w.pool.Post(w.message(a, a.index, trace.Timeout, "actor.ReceiveTimeout", letter{msg: w.own("ReceiveTimeout")}))
		}
	}
	w.expires(next)
	return true
}

// expires completes the futures that time out at a time: in the step that moves the clock.
func (w *proto) expires(at *term.Term) {
	for _, c := range w.calls {
		if c.state != callOpen || c.deadline == nil || !w.m.True(w.store.Equal(c.deadline, at)) {
			continue
		}
		pkg := w.p.load.SSA.ImportedPackage(model.ProtoactorPath)
		if c.err = w.m.Variable(pkg.Pkg, "ErrTimeout"); c.err == nil {
			c.err = w.m.Error("future: timeout")
		}
		h := c.caller
		w.runner = w.actors[c.asker]
		w.running = w.runner
		w.completes(c, exec.Face{}, atOnce)
		w.running = nil
		if h != nil && h.wait == waitCall && h.call == c {
			w.wake(h)
		}
	}
}
