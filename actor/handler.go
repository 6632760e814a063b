package actor

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// handlers run the code of the program: each on the goroutine of the loop until it blocks, and from then on on that as
// its own.
type handlers struct {
	m      *machine
	parked []*handler // with a goroutine of their own, in order of parking
	free   []*handler
	frame  *frame        // of the goroutine that runs the loop
	back   chan struct{} // the handler that the loop woke has blocked again or ended
}

// handler is one run of a handler: of a message, of the driver's test function, or of a start hook.
type handler struct {
	ctx      *Context
	message  int32 // handled, -1 for the driver and for start hooks
	behavior Behavior
	wait     wait
	call     int32          // waitCall: index of the call
	match    func(any) bool // waitReceive
	taken    int32          // waitReceive: the message that matched
	future   *Future        // waitFuture
	cond     func() bool    // waitCond
	task     int32          // the message that will resume it, -1 if there is none yet
	since    int32          // the event in which it was released
	parked   bool           // it has a goroutine of its own
	begun    int            // the mark of the step that began it; -1 if it cannot be run again
	// choices that had been asked for when it gave up control; never if it has control, or is over
	parkedAt  int
	unwinding bool          // it is being ended from outside
	lost      bool          // it waits for ever, and nobody can end it: see lost.go
	waits     string        // what for, if it is lost
	place     string        // where, if it is lost
	wakes     chan struct{} // its turn
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

func (hs *handlers) fresh(c *Context, message int32) *handler {
	var h *handler
	if n := len(hs.free); n > 0 {
		h = hs.free[n-1]
		hs.free = hs.free[:n-1]
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
func (hs *handlers) run(c *Context, message int32) bool {
	m, h, f := hs.m, hs.fresh(c, message), hs.frame
	if message >= 0 {
		m.undo.begins(h)
	}
	m.runner, m.running, c.cur = c, c, h
	if m.outliving.samples || c.starting { // a restart goes on after its start hook, also where that panics
		hs.guard(h)
		return hs.finish(h)
	}
	f.h = h
	hs.invoke(h)
	h.left()
	hs.codeOver(h)
	f.h = nil
	return hs.finish(h)
}

// finish ends a handler whose code is over. It reports whether this goroutine still owns the loop.
func (hs *handlers) finish(h *handler) bool {
	hs.ended(h)
	if !h.parked || !hs.m.undo.on { // else one may go back to where it waits
		hs.free = append(hs.free, h)
	}
	if h.parked {
		h.parkedAt = never
		hs.unpark(h)
		return false
	}
	return true
}

// invoke runs the program's code. Who calls it catches what escapes: the frame of the goroutine, or guard.
func (hs *handlers) invoke(h *handler) {
	m, c := hs.m, h.ctx
	// Beating right before the program's code orders all that was recorded before what Execute's caller reads if it gives
	// up.
	m.dog.Beat()
	m.outliving.enter(m.draws.on)
	m.draws.sow()
	if c.index == 0 {
		m.sys.test(m.t, c)
		c.stopping = true
	} else if c.starting {
		c.behavior.(Starter).Start(c)
	} else {
		c.behavior.Receive(c, m.tr.Messages[h.message].Value)
	}
}

// codeOver is called when the code of a handler has returned, or panics.
func (hs *handlers) codeOver(h *handler) {
	hs.m.lost.drain()
	hs.codeEnds(h.ctx)
	hs.m.draws.reap()
}

// ended notes that a handler is over.
func (hs *handlers) ended(h *handler) {
	m := hs.m
	m.running = nil
	h.ctx.cur = nil
	m.tr.Events[m.event].Completed = true
}

// unpark gives control back to the loop for good: the handler is over, and so is its goroutine.
func (hs *handlers) unpark(h *handler) {
	hs.parked = slices.DeleteFunc(hs.parked, func(o *handler) bool { return o == h })
	hs.m.draws.mark.Forget()
	hs.back <- struct{}{}
}

// exited is called when a goroutine ends inside a handler: the machine unwinds it, halt was called, or the program
// itself called runtime.Goexit.
func (hs *handlers) exited(h *handler) {
	m := hs.m
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
		hs.unpark(h)
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
func (hs *handlers) panicked(c *Context, r any) {
	m := hs.m
	if m.redo.on && c.cur != nil && !c.cur.unwinding {
		m.redo.differs("it panicked: %v", r)
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
	m.calls.fail(c, in.Text)
}

// park gives control to the loop until the handler is woken. It does not return if the handler is unwound.
func (hs *handlers) park(h *handler) {
	m := hs.m
	m.lost.drain()
	hs.codeEnds(h.ctx)
	m.draws.reap()
	m.draws.mark.Forget()
	if m.outliving.samples {
		m.sys.timers.End()
	}
	m.running = nil
	h.parkedAt = m.undo.now()
	m.redo.tried = m.redo.tried || h.begun >= 0
	if !h.parked {
		hs.keep(h)
		if h.wakes == nil {
			h.wakes = make(chan struct{})
		}
		goroutine.Go(m.goOn)
	} else {
		hs.back <- struct{}{}
	}
	<-h.wakes
	if h.unwinding {
		// Unlike a panic it cannot be recovered by the program, and the goroutine has nothing else to do.
		runtime.Goexit()
	}
	h.wait = waitNothing
	if m.outliving.samples {
		m.sys.timers.Begin()
	}
	m.outliving.enter(m.draws.on)
	m.draws.sow()
}

// keep leaves the handler its goroutine.
func (hs *handlers) keep(h *handler) {
	h.parked = true
	hs.parked = append(hs.parked, h)
}

// wake lets a parked handler go on and waits until it blocks again or ends.
func (hs *handlers) wake(h *handler) {
	m := hs.m
	m.undo.goesOn(h)
	m.runner, m.running, h.ctx.cur = h.ctx, h.ctx, h
	m.dog.Beat()
	m.draws.mark.Forget()
	h.wakes <- struct{}{}
	<-hs.back
}

// unwind ends a parked handler from outside: its deferred functions run, what they send goes nowhere.
func (hs *handlers) unwind(h *handler) {
	m := hs.m
	c := h.ctx
	if h.lost {
		hs.forget(h)
		return
	}
	if h.begun < 0 {
		m.undo.bar(h)
	}
	h.parkedAt = never
	if h.wait == waitCall {
		m.calls.giveUp(&m.calls.all[h.call], "the caller had stopped")
	}
	h.unwinding = true
	m.running, c.cur = nil, h
	h.wakes <- struct{}{}
	<-hs.back
	c.cur = nil
	c.dropTask(h)
}

// dropTask takes a suspended task out.
func (c *Context) dropTask(h *handler) {
	if i := slices.Index(c.tasks, h); i >= 0 {
		c.m.undo.saveLife(c)
		c.tasks = slices.Concat(c.tasks[:i], c.tasks[i+1:])
	}
}

// blocks gives the handler that runs in c, for a method that is about to block it.
func (c *Context) blocks(method string) *handler {
	if !c.acts() {
		runtime.Goexit()
	}
	if c.starting {
		panic("rehearse: " + method +
			" in a start hook: a start hook is part of the step that creates the actor and must not block; " +
			"send the actor a message and block in its handler")
	}
	return c.cur
}

// codeEnds is called when code of the program is over, or blocked, on its goroutine.
func (hs *handlers) codeEnds(c *Context) {
	m := hs.m
	m.outliving.leave()
	if m.outliving.watched {
		m.outliving.noteLoosened(func() string { return m.tr.ActorName(c.index) })
	}
}

// quit ends a parked handler whose beginning is taken back: its deferred functions run, what they do goes nowhere, and
// what they change is restored after it.
func (hs *handlers) quit(h *handler) {
	h.unwinding = true
	hs.m.running, h.ctx.cur = nil, h
	h.wakes <- struct{}{}
	<-hs.back
}
