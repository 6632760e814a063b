package system

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has calls and futures of native actors: actor/call.go, actor/future.go and actor/await.go.

// call is a request that wants a reply.
type call struct {
	state   callState
	caller  *handler // of one that blocks
	asker   int32
	callee  int32
	future  *future
	request int32 // the message, -1 if there is none
	answer  int32 // the message that carries the reply, -1 if there is none
	timer   *timer
	replied bool
	timeout bool
	value   exec.Value
	failure exec.Value // that the callee has panicked; nil if not
	typ     string

	// Of protoactor-go.
	number   int // from 1
	of       *exec.Opaque
	err      exec.Value
	deadline *term.Term
	behind   int32    // what its actor had captured last when it was set, -1 if nothing
	after    []letter // that are sent when it is complete
	sent     int      // of these in a release
}

type callState uint8

const (
	callOpen     callState = iota
	callAnswered           // the reply is on its way
	callDone
	callGivenUp
)

// future is the reply to an Ask.
type future struct {
	ready   bool
	value   exec.Value
	err     exec.Value
	by      int32 // the actor that has resolved it; others see that when it is ready
	typ     string
	waiting []*handler
}

func (f *future) readyFor(a *agent) bool { return f.ready || f.by == a.index }

// callFor is Call, and CallTimeout with a limit.
func (w *native) callFor(o exec.Operation, limit *term.Term) exec.Value {
	h := w.blocks(o.Name)
	c := w.request(o)
	c.caller = h
	if limit != nil {
		c.timer = w.setTimer(w.running, limit, letter{kind: expiredKind, call: c}, "actor.expired")
		w.tr.Messages[c.timer.message].EndsCall = true
	}
	h.wait, h.call = waitCall, c
	w.park(h)
	res := o.Sig.Results()
	if c.timeout {
		err := w.m.Variable(o.Sig.Recv().Pkg(), "ErrTimeout")
		if err == nil {
			err = w.m.Error("actor: no reply in time")
		}
		return exec.Tuple{w.m.Zero(res.At(0).Type()), err}
	}
	return w.got(c.value, c.failure, res)
}

// got gives what a call or a future gives: a value, or why there is none.
func (w *native) got(value, failure exec.Value, res *types.Tuple) exec.Value {
	if failure != nil {
		return exec.Tuple{w.m.Zero(res.At(0).Type()), failure}
	}
	return exec.Tuple{value, w.m.Zero(res.At(1).Type())}
}

// request sends the request of a new call.
func (w *native) request(o exec.Operation) *call {
	c := &call{asker: w.running.index, callee: w.who(o.To), request: -1, answer: -1}
	w.calls = append(w.calls, c)
	switch {
	case w.notes():
		w.note(c.callee, o.Msg, nil, c)
	case c.callee >= 0:
		c.request = w.message(w.running, c.callee, trace.User, w.typeName(w.typed(o.Msg)),
			letter{msg: w.m.Copy(o.Msg), call: c})
		w.operates(c.request)
		w.dispatch(c.request)
	default:
		w.operates(-1)
	}
	return c
}

// answer answers a call: now or, where the sends of handlers are captured, when it is released in its turn.
func (w *native) answer(a *agent, c *call, value exec.Value) {
	captures := w.captures()
	if c.replied || !captures && c.state != callOpen {
		c.replied = true
		return
	}
	c.replied, c.typ = true, w.typeName(w.typed(value))
	switch {
	case c.future == nil:
		c.answer = w.message(a, c.asker, trace.Answer, c.typ, letter{msg: value, call: c})
	case captures:
		c.answer = w.message(a, c.asker, trace.Resolution, c.typ, letter{msg: value, call: c})
		c.future.by, c.future.value, c.future.err = a.index, value, c.failure
	}
	c.value = value
	if captures {
		w.pool.SendIn(w.runner.index, c.answer)
		return
	}
	if c.future == nil {
		w.pool.Post(c.answer)
	}
	w.completes(a, c)
}

// completes has the answer to an open call reach the caller, or the future.
func (w *native) completes(a *agent, c *call) {
	if c.future == nil {
		c.state = callAnswered
		return
	}
	c.state = callDone
	f := c.future
	f.ready, f.value, f.err = true, c.value, c.failure
	for _, h := range f.waiting {
		if h.resumes < 0 && !h.actor.stopped {
			w.postTask(a, h, c.typ)
		}
	}
	f.waiting = nil
}

// postTask makes the message by which a suspended task goes on.
func (w *world) postTask(a *agent, h *handler, typ string) {
	h.resumes = w.message(a, h.actor.index, trace.Task, typ, letter{resumes: h})
	w.pool.Post(h.resumes)
}

// releasedAnswer is the release of the answer to a call.
func (w *native) releasedAnswer(i int32) {
	c := w.letters[i].call
	if c.state == callOpen {
		w.completes(w.actors[w.tr.Messages[i].Sender], c)
		return
	}
	w.pool.Cancel(i)
}

// endCall goes on with a call whose answer, or timeout, was delivered.
func (w *world) endCall(c *call, timedOut bool) {
	if timedOut {
		if c.state == callAnswered {
			w.pool.Cancel(c.answer)
		}
		c.state, c.timeout = callGivenUp, true
	} else {
		c.state = callDone
	}
	if c.timer != nil {
		w.drop(c.timer)
	}
	w.pool.Look(c.caller.actor.index)
	w.path = append(w.path, w.event)
	w.wake(c.caller)
}

// ask sends a message and gives the future of its reply.
func (w *native) ask(o exec.Operation) exec.Value {
	c := w.request(o)
	c.future = &future{by: -1, typ: w.typeName(w.typed(o.Msg))}
	v := w.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
	w.futures[v] = c.future
	return v
}

// future gives the future that a value is, nil if it is none that is known.
func (w *world) future(v exec.Value) *future {
	o, _ := w.m.Held(v).(*exec.Opaque)
	return w.futures[o]
}

// await gives the value of a future. If it is not ready, the actor is released until it is.
func (w *native) await(o exec.Operation) exec.Value {
	h := w.blocks("Await")
	f := w.future(o.From)
	if f == nil {
		w.m.End("a future that is not known")
	}
	if !f.readyFor(w.running) {
		h.wait, h.future = waitFuture, f
		f.waiting = append(f.waiting, h)
		w.releaseTask(h)
	}
	return w.got(f.value, f.err, o.Sig.Results())
}

// awaitUntil releases the actor until a condition holds.
func (w *native) awaitUntil(cond exec.Value) {
	h := w.blocks("AwaitUntil")
	if w.asks(w.running, cond) {
		return
	}
	h.wait, h.cond = waitCond, cond
	w.postTask(w.running, h, "condition")
	w.releaseTask(h)
}

// atChoice is why a run ends at a choice whose values the task does not want.
const atChoice = "the execution ends at a choice"

// choice has the task pick a value, as a step in the middle of another.
func (w *world) choice(o exec.Operation) exec.Value {
	n, ok := w.m.Held(o.Args[len(o.Args)-1]).(*term.Term)
	res := sortOf(o.Sig.Results().At(0).Type())
	if w.phase == settingUp {
		return w.store.Int(res, 0)
	}
	if !ok || !n.Const() || n.Val > 64 || n.Val == 0 || o.Op != model.Choose {
		w.m.End(fmt.Sprintf("Choose of %v values", n))
	}
	var values []trace.Step
	for v := range int(n.Val) {
		values = append(values, w.tr.ChoiceStep(w.event, 0, v))
	}
	i := w.task.choose(w, values)
	if i < 0 {
		w.m.End(atChoice)
	}
	runner := w.runner
	w.beginEvent(values[i])
	w.runner = runner
	return w.store.Int(res, int64(i))
}
