package system

import (
	"time"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has futures of protoactor-go: future.go of the framework, and adapter/release.go.

// futures is the reference below those of futures, which are like actors of their own.
const futures = 6000

// continuation is what goes on after a future.
type continuation struct {
	do     exec.Value
	call   *call
	msg    exec.Value
	sender *term.Term
}

func (w *proto) futureRef(c *call) *term.Term { return w.m.Known(futures + c.number) }

// callOf gives the call that a future is of.
func (w *proto) callOf(v exec.Value) *call {
	o, _ := w.m.Held(v).(*exec.Opaque)
	for _, c := range w.calls {
		if o != nil && c.of == o {
			return c
		}
	}
	return nil
}

// ask makes a future and sends its request, or stops an actor.
func (w *proto) ask(o exec.Operation) exec.Value {
	c := &call{number: len(w.calls) + 1, asker: w.running.index, request: -1, answer: -1}
	w.calls = append(w.calls, c)
	c.of = w.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
	to := w.target(o.To)
	c.callee = to
	c.behind = w.pool.Last(c.asker)
	limit := w.duration(10 * time.Second)
	if o.Op == model.Ask {
		limit = w.m.Held(o.Args[3]).(*term.Term)
		c.request = int32(len(w.tr.Messages))
		w.post(to, letter{msg: o.Msg, sender: w.futureRef(c)})
	} else {
		w.sendSystem(to, "actor.Watch", letter{kind: watchKind, sender: w.futureRef(c)})
		w.stopOrPoison(o)
	}
	if w.m.True(w.store.SLess(limit, w.duration(0))) {
		return c.of // it never times out
	}
	c.deadline = w.after(limit)
	return c.of
}

// answered takes an answer to a future.
func (w *proto) answered(c *call, msg exec.Value) int32 {
	i := w.message(w.running, c.asker, trace.Answer, w.typeName(w.typed(msg)), letter{msg: msg, call: c})
	if w.explores() {
		w.pool.SendIn(w.runner.index, i)
	} else {
		w.pool.Post(i)
	}
	c.answer = i
	return i
}

// turn says when what hangs on a future is sent.
type turn uint8

const (
	inTurn turn = iota // like what a handler sends
	first              // before all that is captured: in the event of a release
	atOnce             // by a timer
)

// completes completes a future. What hangs on it is sent.
func (w *proto) completes(c *call, value exec.Value, when turn) {
	if c.state != callOpen {
		return
	}
	c.state, c.value = callDone, value
	if c.err == nil {
		c.err = exec.Face{}
	}
	c.sent = 0
	for _, x := range c.after {
		w.goOn(c, x, when)
	}
	c.after = nil
}

// goOn sends what hangs on a future.
func (w *proto) goOn(c *call, x letter, when turn) {
	to, class, typ := c.asker, trace.System, "actor.continuation"
	if x.continues == nil {
		to, class = x.of, trace.User
		if x.msg = c.value; w.typed(c.err) != nil {
			x.msg = c.err
		}
		typ = w.typeName(w.typed(x.msg))
	}
	from := w.running
	if from == nil {
		from = w.actors[w.tr.Events[w.event].Step.Actor]
	}
	i := w.message(from, to, class, typ, x)
	w.tr.Messages[i].GoesOn = x.continues != nil
	switch {
	case when == first:
		w.pool.SendNext(w.tr.Events[w.event].Step.Actor, i, c.sent)
		c.sent++
	case when == inTurn && w.explores():
		if !w.pool.SendIn(from.index, i) {
			w.deadOnArrival(i)
		}
	case !w.pool.Behind(c.asker, c.behind, i):
		w.pool.Post(i)
	}
}

// result waits for a future, while the actor does nothing else.
func (w *proto) result(o exec.Operation) exec.Value {
	c := w.callOf(o.Args[0])
	if c == nil {
		w.m.End("a future that is not known")
	}
	if c.state == callOpen {
		h := w.running.cur
		h.wait, h.call, c.caller = waitCall, c, h
		w.park(h)
	}
	if o.Sig.Results().Len() == 1 {
		return c.err
	}
	return exec.Tuple{c.value, c.err}
}

// reenter has the actor go on once a future is complete, with the message that it has now.
func (w *proto) reenter(o exec.Operation) {
	c := w.callOf(o.From)
	if c == nil {
		w.m.End("a future that is not known")
	}
	now := w.current()
	x := letter{kind: resumeKind, continues: &continuation{o.Func, c, now.msg, now.sender}}
	if c.state == callOpen {
		c.after = append(c.after, x)
		return
	}
	w.goOn(c, x, inTurn)
}

// pipe has the answer of a future go to actors.
func (w *proto) pipe(o exec.Operation) {
	c := w.callOf(o.Args[0])
	if c == nil {
		w.m.End("a future that is not known")
	}
	for _, to := range w.m.Elements(o.To) {
		x := letter{of: w.target(to), sender: w.m.Known(0)}
		if c.state == callOpen {
			c.after = append(c.after, x)
		} else {
			w.goOn(c, x, inTurn)
		}
	}
}

// abandon lets handlers go on that wait for an answer which never comes, as the adapter ends its executions: what they
// do then is nothing that the program does. Only their blocks are of interest.
func (w *world) abandon() {
	p := w.proto()
	if p == nil || !w.ending {
		return
	}
	w.beginEvent(trace.StartStep(3))
	for i := 0; i < len(w.calls); i++ { // there may be more
		c := w.calls[i]
		if h := c.caller; c.state == callOpen && h != nil && h.wait == waitCall && h.call == c {
			c.err = w.m.Error("future: dead letter")
			p.completes(c, exec.Face{}, atOnce)
			w.wake(h)
		}
	}
}

// reply is the step that hands an answer over.
func (w *proto) reply(c *call, message int32) {
	h := c.caller
	w.runner = w.actors[c.asker]
	w.running = w.runner
	w.completes(c, w.letters[message].msg, inTurn)
	w.running = nil
	if h != nil && h.wait == waitCall && h.call == c {
		w.path = append(w.path, w.event)
		w.wake(h)
	}
}
