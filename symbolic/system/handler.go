package system

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// handler is one message being handled, or a part of the test function.
type handler struct {
	actor   *agent
	message int32 // -1: none
	task    *exec.Task
	wait    wait
	call    *call
	future  *future
	cond    exec.Value
	taken   int32   // the message that Receive got
	resumes int32   // the message by which it goes on, -1 if there is none
	inner   *letter // of protoactor-go: what it handles in the middle of another

	ended    bool // it has returned or panicked
	panicked bool
	sends    []int32 // messages of its operations in their order, -1 where there is none: it is for nobody
	timers   []*timer
	creates  []int32
}

// wait says what a handler waits for.
type wait uint8

const (
	waitNothing wait = iota
	waitCall
	waitFuture  // released
	waitCond    // released
	waitReceive // for a message that matches
	waitSetUp
)

// returned reports whether the handler has come to its end without a panic.
func (h *handler) returned() bool { return h.ended && !h.panicked }

// run runs a handler from its beginning.
func (w *world) run(a *agent, message int32, do func(h *handler)) {
	h := &handler{actor: a, message: message, taken: -1, resumes: -1}
	h.task = w.m.Start(func() { do(h) })
	if message >= 0 {
		w.begins(h)
	}
	w.wake(h)
}

// begins notes that a handler takes a message.
func (w *world) begins(h *handler) {
	w.path = append(w.path, w.event)
	w.task.begins(w, h)
}

// operates notes what an operation of the handler that runs has sent, or of the start hook of an actor that it creates.
func (w *world) operates(message int32) {
	if a := w.runner; a != nil && a.cur != nil {
		a.cur.sends = append(a.cur.sends, message)
	}
}

// code is what a handler runs.
func (w *world) code(h *handler) {
	if h.actor.index > 0 {
		w.m.Receive(w.letters[h.message].msg)
		w.frame.handle(h)
		return
	}
	if w.driver.Ran != nil {
		w.restores()
		return
	}
	fn := w.body
	if w.driver.Plain || fn.Kind != "" {
		w.m.Call(fn.Fn, w.arguments(fn.Fn.Signature)...)
		return
	}
	w.m.CallValue(*fn, w.driverArguments(fn)...)
}

// driverArguments makes what the framework hands to the test function: the T, and for native actors its Context.
func (w *world) driverArguments(fn *exec.Func) (args []exec.Value) {
	for i, v := range slices.Collect(fn.Fn.Signature.Params().Variables()) {
		if i == 1 {
			args = append(args, w.m.Context(v.Type()))
		} else {
			args = append(args, w.m.Opaque(v.Type()))
		}
	}
	return args
}

// wake lets a handler run until it waits or ends.
func (w *world) wake(h *handler) {
	a := h.actor
	w.runner, w.running, a.cur = a, a, h
	if h.message >= 0 {
		w.m.Receive(w.letters[h.message].msg)
	}
	ended := w.frame.lets(h)
	if ended {
		h.ended = true
		a.cur = nil
		w.tr.Events[w.event].Completed = true
		if a.index == 0 && !w.driver.Proto {
			a.stopping = true
		}
	}
	if a.index == 0 && w.phase != settingUp && !w.over {
		w.over, w.met = true, len(w.actors)
		w.running = a
		w.task.opened(w)
	}
	w.running = nil
}

// park has the handler that runs wait until it is woken.
func (w *world) park(h *handler) {
	w.m.Suspend()
	h.wait = waitNothing
}

// Waits is exec.Waiter.Waits. A main waits in a select for signals, ticks and keys: as far as the program knows, for
// ever. A case that an actor brings about is not followed, and marked.
func (w *world) Waits(*exec.Machine) {
	if w.driver.Plain && w.running != nil && w.running.index == 0 && w.running.cur != nil {
		w.mark("what the driver does behind a select")
		w.park(w.running.cur)
	}
}

// blocks gives the handler that runs, for what is about to block it.
func (w *world) blocks(what string) *handler {
	if w.running.starting || w.running.cur == nil {
		w.m.End(what + " in a start hook, which must not wait")
	}
	return w.running.cur
}

// takes reports whether a handler in its middle waits for a message.
func (w *world) takes(h *handler, message int32, msg *trace.Message) bool {
	switch h.wait {
	case waitCall:
		return msg.Kind != trace.User && msg.Kind != trace.System && w.letters[message].call == h.call
	case waitReceive:
		if msg.Kind == trace.System {
			return true
		}
		return (msg.Kind == trace.User || msg.Kind == trace.Timeout) && w.asks(h.actor, h.cond, w.letters[message].msg)
	}
	return false
}

// asks calls a function of the program that gives a truth value and changes nothing, between steps.
func (w *world) asks(a *agent, f exec.Value, args ...exec.Value) bool {
	up := w.running
	w.running = a
	defer func() { w.running = up }()
	c, ok := w.m.CallValue(f, args...).(*term.Term)
	return ok && w.m.True(c)
}

// mayResume reports whether the suspended task may go on that a message resumes.
func (w *world) mayResume(a *agent, message int32) bool {
	i := slices.IndexFunc(a.tasks, func(h *handler) bool { return h.resumes == message })
	if i < 0 {
		return false
	}
	if h := a.tasks[i]; h.wait == waitCond {
		return w.asks(a, h.cond)
	}
	return true // the message is there when the future is ready
}

// resume goes on with a suspended task.
func (w *world) resume(a *agent, message int32) {
	i := slices.IndexFunc(a.tasks, func(h *handler) bool { return h.resumes == message })
	h := a.tasks[i]
	a.tasks = slices.Delete(a.tasks, i, i+1)
	h.resumes = -1
	w.path = append(w.path, w.event)
	w.wake(h)
}

// releaseTask gives the actor up until the handler is resumed.
func (w *world) releaseTask(h *handler) {
	a := h.actor
	a.cur = nil
	a.tasks = append(a.tasks, h)
	w.park(h)
}

// creates notes that the handler that runs, or such a start hook, has created an actor.
func (w *world) creates(a *agent) {
	if by := w.runner; by != nil && by.cur != nil {
		by.cur.creates = append(by.cur.creates, a.index)
	}
}

// message records a message and gives its index.
func (w *world) message(from *agent, to int32, class trace.MessageKind, typ string, x letter) int32 {
	if len(w.tr.Messages) >= maxMessages {
		w.m.Cut("more than %d messages", maxMessages)
	}
	i := w.tr.AddMessage(w.tr.TypeNamed(typ), class, from.index, to, w.event, nil)
	x.clock, x.pos = w.later(w.now, from.clock), w.m.Pos()
	w.letters = append(w.letters, x)
	return i
}

// maxMessages bounds the messages of a run.
const maxMessages = 20000

// explores reports whether the sends of the handler that runs are explored: those of set-up are not.
func (w *world) explores() bool { return w.phase != settingUp }

// captures reports whether what the handler that runs sends is captured, to be released one by one.
func (w *world) captures() bool { return w.model == trace.Mailbox && w.explores() }

// dispatch puts a message of a handler into the pool.
func (w *world) dispatch(i int32) {
	var ok bool
	if w.explores() {
		ok = w.pool.SendIn(w.runner.index, i)
	} else {
		ok = w.pool.Post(i)
	}
	if w.letters[i].kind == watchKind {
		w.watches++
	}
	if !ok {
		w.deadOnArrival(i)
	}
}

// notes reports whether what runs is the driver, whose sends are noted and not sent.
func (w *world) notes() bool { return w.running.index == 0 && w.explores() && !w.replay && !w.over }

// posts sends what the driver had sent: it belongs to set-up, or the task wants it.
func (w *world) posts(p posted) int32 {
	driver := w.actors[0]
	up, runner := w.running, w.runner
	w.running, w.runner = driver, driver
	i := w.message(driver, p.to, trace.User, w.typeName(p.Type), letter{msg: p.Msg, sender: p.sender, call: p.call})
	w.dispatch(i)
	w.running, w.runner = up, runner
	return i
}

// known has the references in a message from outside be to nobody, or to those whom the driver knows: it has sent
// everything before the others begin.
func (w *world) known(flat []exec.Named) {
	for _, ref := range w.m.References(flat) {
		one := []*term.Term{w.store.Equal(ref, w.m.Known(0))}
		for _, a := range w.actors[:w.met] {
			if a.index > 0 || !w.driver.Proto {
				one = append(one, w.store.Equal(ref, a.ref))
			}
		}
		w.m.Require(w.store.Or(one...))
	}
}

// note notes a message of the driver.
func (w *world) note(to int32, msg exec.Value, sender *term.Term, c *call) {
	p := posted{to: to, sender: sender, call: c}
	p.To, p.Type, p.Msg, p.Pos = int(to)-1, w.typed(msg), msg, w.m.Pos()
	if f, ok := w.m.Held(msg).(exec.Face); ok && f.Type != nil {
		p.Flat = w.m.Flatten("msg", f.Val)
	}
	w.sent = append(w.sent, p)
}

// mark notes that something is not followed.
func (w *world) mark(format string, args ...any) {
	w.marked = true
	w.m.Mark(exec.Env, "%s", fmt.Sprintf(format, args...))
}
