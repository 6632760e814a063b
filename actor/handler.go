package actor

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// handler is one run of a handler: of a message, of the driver's test function, or of a start hook.
type handler struct {
	ctx       *Context
	message   int32 // handled, -1 for the driver and for start hooks
	behavior  Behavior
	wait      wait
	call      int32          // waitCall: index of the call
	match     func(any) bool // waitReceive
	taken     int32          // waitReceive: the message that matched
	future    *Future        // waitFuture
	cond      func() bool    // waitCond
	task      int32          // the message that will resume it, -1 if there is none yet
	since     int32          // the event in which it was released
	parked    bool           // it has a goroutine of its own
	begun     int            // the mark of the step that began it; -1 if it cannot be run again
	parkedAt  int            // choices that had been asked for when it gave up control; never if it has control, or is over
	unwinding bool           // it is being ended from outside
	lost      bool           // it waits for ever, and nobody can end it: see lost.go
	waits     string         // what for, if it is lost
	place     string         // where, if it is lost
	wakes     chan struct{}  // its turn
}

// wait says what a handler that gave up control waits for.
type wait uint8

const (
	waitNothing    wait = iota
	waitSetUp           // the driver: set-up is over
	waitCall            // blocks the actor
	waitReceive         // blocks the actor
	waitFuture          // releases the actor
	waitCond            // releases the actor
	waitGoroutines      // blocks the actor, for ever: see lost.go
)

func (m *machine) newHandler(c *Context, message int32) *handler {
	var h *handler
	if n := len(m.free); n > 0 {
		h = m.free[n-1]
		m.free = m.free[:n-1]
		if h.parked { // else nothing was written but what follows
			*h = handler{wakes: h.wakes}
		}
	} else {
		h = &handler{}
	}
	h.ctx, h.message, h.behavior, h.wait, h.taken, h.task = c, message, c.behavior, waitNothing, -1, -1
	h.begun = -1
	return h
}

// run runs a handler from its start. It reports whether this goroutine still owns the loop: not if the handler blocked.
func (m *machine) run(c *Context, message int32) bool {
	h := m.newHandler(c, message)
	if u := &m.undo; u.on && u.step >= 0 && message >= 0 {
		h.begun = u.step
		u.marks[u.step].ran = int32(u.step)
	}
	m.runner, m.running, c.cur = c, c, h
	m.guard(h)
	m.ended(h)
	if !h.parked || !m.undo.on { // else one may go back to where it waits
		m.free = append(m.free, h)
	}
	if h.parked {
		h.parkedAt = never
		m.unpark(h)
		return false
	}
	return true
}

// guard runs the program's code and catches what escapes it. It does not return if the code ended its goroutine.
func (m *machine) guard(h *handler) {
	returned := false
	defer func() {
		if !returned {
			m.exited(h)
		}
	}()
	m.invoke(h)
	h.left()
	returned = true
}

// invoke runs the program's code and recovers its panics. SUBTLE: not in guard's own deferred function, since a panic that is
// recovered while runtime.Goexit runs does not end the Goexit.
func (m *machine) invoke(h *handler) {
	c := h.ctx
	defer func() {
		if h.lost {
			_ = recover()
			return
		}
		m.drain()
		m.codeEnds(c)
		m.reap()
		if r := recover(); r != nil {
			m.panicked(c, r)
		}
	}()
	// Beating right before the program's code orders all that was recorded before what Execute's caller reads if it gives up.
	m.dog.Beat()
	if m.samples {
		m.sys.timers.Begin()
		defer func() {
			m.drain() // it takes a lock, at which other goroutines could go on
			m.sys.timers.End()
		}()
	}
	m.outliving.enter(m.draws.on)
	m.sow()
	if c.index == 0 {
		m.sys.test(m.t, c)
		c.stopping = true
	} else if c.starting {
		c.behavior.(Starter).Start(c)
	} else {
		c.behavior.Receive(c, m.tr.Messages[h.message].Value)
	}
}

// ended notes that a handler is over.
func (m *machine) ended(h *handler) {
	m.running = nil
	h.ctx.cur = nil
	m.tr.Events[m.event].Completed = true
}

// unpark gives control back to the loop for good: the handler is over, and so is its goroutine.
func (m *machine) unpark(h *handler) {
	m.parked = slices.DeleteFunc(m.parked, func(o *handler) bool { return o == h })
	m.draws.mark.Forget()
	m.back <- struct{}{}
}

// exited is called when a goroutine ends inside a handler: the machine unwinds it, halt was called, or the program itself
// called runtime.Goexit.
func (m *machine) exited(h *handler) {
	if h.lost {
		return
	}
	if !h.unwinding && !m.ending {
		m.err = fmt.Errorf("%w; it was called in\n%s", errGoexit, debug.Stack())
	}
	if h.ctx.cur == h {
		h.ctx.cur = nil
	}
	h.parkedAt = never
	if h.parked {
		m.unpark(h)
		return
	}
	// This goroutine is on its way out.
	if m.rewind() {
		goroutine.Go(m.goOn)
		return
	}
	m.end()
}

// panicked stops an actor whose handler panicked; the calls to it fail.
func (m *machine) panicked(c *Context, r any) {
	if m.redo.on && c.cur != nil && !c.cur.unwinding {
		m.differs("it panicked: %v", r)
	}
	if m.over || c.cur != nil && c.cur.unwinding || explore.IsFailNow(r) {
		return
	}
	in := explore.PanicIncident(r)
	in.Actor = c.index
	if c.cur != nil {
		in.Message = c.cur.message
	}
	m.incident(in)
	c.stopping = true
	m.failCalls(c, in.Text)
}

// incident records what a check may object to.
func (m *machine) incident(in trace.Incident) {
	if m.over {
		return
	}
	e := &m.tr.Events[m.event]
	e.Incidents = append(e.Incidents, in)
}

// park gives control to the loop until the handler is woken. It does not return if the handler is unwound.
func (m *machine) park(h *handler) {
	m.drain()
	m.codeEnds(h.ctx)
	m.reap()
	m.draws.mark.Forget()
	if m.samples {
		m.sys.timers.End()
	}
	m.running = nil
	h.parkedAt = len(m.undo.marks)
	m.redo.tried = m.redo.tried || h.begun >= 0
	if !h.parked {
		h.parked = true
		m.parked = append(m.parked, h)
		if h.wakes == nil {
			h.wakes = make(chan struct{})
		}
		goroutine.Go(m.goOn)
	} else {
		m.back <- struct{}{}
	}
	<-h.wakes
	if h.unwinding {
		// Unlike a panic it cannot be recovered by the program, and the goroutine has nothing else to do.
		runtime.Goexit()
	}
	h.wait = waitNothing
	if m.samples {
		m.sys.timers.Begin()
	}
	m.outliving.enter(m.draws.on)
	m.sow()
}

// wake lets a parked handler go on and waits until it blocks again or ends.
func (m *machine) wake(h *handler) {
	m.goesOn(h)
	m.runner, m.running, h.ctx.cur = h.ctx, h.ctx, h
	m.dog.Beat()
	m.draws.mark.Forget()
	h.wakes <- struct{}{}
	<-m.back
}

// unwind ends a parked handler from outside: its deferred functions run, what they send goes nowhere.
func (m *machine) unwind(h *handler) {
	c := h.ctx
	if h.lost {
		m.forget(h)
		return
	}
	if h.begun < 0 {
		m.bar(h)
	}
	h.parkedAt = never
	if h.wait == waitCall {
		m.giveUp(&m.calls[h.call], "the caller had stopped")
	}
	h.unwinding = true
	m.running, c.cur = nil, h
	h.wakes <- struct{}{}
	<-m.back
	c.cur = nil
	c.dropTask(h)
}

// dropTask takes a released task out.
func (c *Context) dropTask(h *handler) {
	if i := slices.Index(c.tasks, h); i >= 0 {
		c.m.saveLife(c)
		c.tasks = slices.Concat(c.tasks[:i], c.tasks[i+1:])
	}
}

// blocks gives the handler that runs in c, for a method that is about to block it.
func (c *Context) blocks(method string) *handler {
	if !c.acts() {
		runtime.Goexit()
	}
	if c.starting {
		panic("rehearse: " + method + " in a start hook: a start hook is part of the step that creates the actor and must not block; " +
			"send the actor a message and block in its handler")
	}
	return c.cur
}

// Accepts is delivery.Host: whether the actor would handle the message now.
func (m *machine) Accepts(actor, message int32) bool {
	c := m.actors[actor]
	if c.stopped {
		return false
	}
	msg := &m.tr.Messages[message]
	if c.cur != nil {
		return m.takes(c.cur, message, msg)
	}
	switch msg.Class {
	case trace.System:
		return true
	case trace.Answer:
		return false
	case trace.Task:
		return m.mayResume(c, message)
	}
	if c.index == 0 {
		return false // the test function takes messages by Receive only, also while it is released
	}
	return c.accepter == nil || c.accepter.Accepts(msg.Value)
}

// Steady is delivery.Steady: whether Accepts depends on the actor's own steps only, and on no code of the program.
func (m *machine) Steady(actor int32) bool {
	c := m.actors[actor]
	return c.accepter == nil && c.cur == nil && len(c.tasks) == 0
}

// takes reports whether a blocked handler waits for this message.
func (m *machine) takes(h *handler, message int32, msg *trace.Message) bool {
	switch h.wait {
	case waitCall:
		return msg.Class != trace.User && m.extra[message].call == h.call+1
	case waitReceive:
		// A system message is handled at once, beside the handler.
		return msg.Class == trace.System ||
			(msg.Class == trace.User || msg.Class == trace.Timeout) && h.match(msg.Value)
	}
	return false
}
