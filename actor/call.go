package actor

import (
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// calls are the requests of this execution that want a reply, and the futures of those that do not block.
type calls struct {
	m   *machine
	all []call
}

// call is a request that wants a reply: of a Call, which blocks, or of an Ask.
type call struct {
	index   int32
	state   callState
	caller  *handler // of a Call; nil for an Ask
	asker   int32    // the actor that called
	future  *Future  // of an Ask
	callee  int32    // -1 if nobody
	answer  int32    // the message that carries the reply, -1 if there is none
	timer   int32    // index of its timer, -1 if none
	err     error    // what the caller gets
	failure error    // what it was answered with, in place of a value
	gaveUp  string   // why a given up call takes no reply any more
	replied bool     // there was a reply, be it in vain or not released yet
	request *trace.Type
	object  trace.ID // the identity of the request
}

type callState uint8

const (
	callOpen     callState = iota
	callAnswered           // the reply is on its way
	callDone
	callGivenUp
)

// Call sends msg and blocks this actor until the reply is delivered: it takes no other message. The error is a
// *StoppedError if the actor called panicked before it replied.
func (c *Context) Call(to Ref, msg any) (any, error) { return c.callFor("Call", to, msg, -1) }

// CallTimeout is Call, given up with ErrTimeout when a timer of d is delivered before the reply. A reply that comes
// later is a dead letter.
func (c *Context) CallTimeout(to Ref, msg any, d time.Duration) (any, error) {
	return c.callFor("CallTimeout", to, msg, max(d, 0))
}

// callFor is Call with a timeout, negative for none.
func (c *Context) callFor(method string, to Ref, msg any, d time.Duration) (any, error) {
	h := c.blocks(method)
	m := c.m
	var i int32
	if m.redo.on {
		i = m.redo.callAgain(to, msg, d)
	} else {
		i = m.calls.begin(h, to, msg, d)
	}
	m.redo.noteEffect(c, noteCall, 0)
	h.wait, h.call = waitCall, i
	m.handlers.park(h)
	k := &m.calls.all[i]
	if k.err != nil {
		return nil, k.err
	}
	return m.tr.Messages[k.answer].Value, nil
}

// newCall makes a call of the handler, with a timeout if it is not negative.
func (cs *calls) begin(h *handler, to Ref, msg any, timeout time.Duration) int32 {
	m := cs.m
	i := cs.request(h.ctx, to, msg)
	cs.all[i].caller, cs.all[i].timer = h, -1
	if timeout >= 0 {
		t := m.timers.set(h.ctx, timeout, expired{})
		expiry := m.timers.all[t].message
		m.tr.Messages[expiry].EndsCall = true
		m.outbox.extra[expiry].call = i + 1
		cs.all[i].timer = t
	}
	return i
}

// request sends the request of a new call and gives the call's index.
func (cs *calls) request(c *Context, to Ref, msg any) int32 {
	m := cs.m
	i := int32(len(cs.all))
	cs.all = append(cs.all, call{index: i, asker: c.index, callee: -1, answer: -1, timer: -1,
		request: m.types.of(msg).trace})
	if to != (Ref{}) && int(to.n) <= len(m.actors.all) {
		r := m.outbox.message(c, to.index(), trace.User, msg)
		m.outbox.extra[r].call = i + 1
		cs.all[i].callee, cs.all[i].object = to.index(), m.tr.Messages[r].ID
		m.outbox.dispatch(r)
		if m.c.Model == trace.Mailbox && !m.tr.Messages[r].AtOnce {
			// Its release comes later; the call fails from now on if the callee panics.
			e := &m.tr.Events[m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: m.tr.Actors[to.index()].Life()})
		}
	} else {
		m.outbox.send(c, to, trace.User, msg) // reports the dead letter
	}
	return i
}

// answer answers a call with a value, or an error, from the actor called. It completes the call now or, where the sends
// of handlers are captured, when the answer is released in its turn.
func (cs *calls) answer(c *Context, k *call, ty *trace.Type, value any, err error) {
	m := cs.m
	captures := m.captures()
	if !captures {
		cs.touch(k)
	}
	m.undo.saveCall(k)
	if k.replied || !captures && k.state != callOpen {
		k.replied = true
		cs.answeredInVain(c, k, -1, ty)
		return
	}
	k.replied, k.failure = true, err
	switch {
	case k.future == nil:
		k.answer = cs.recordAnswer(trace.Answer, ty, c, k, value)
	case captures:
		k.answer = cs.recordAnswer(trace.Resolution, ty, c, k, value)
		m.undo.saveFuture(k.future)
		k.future.by, k.future.value, k.future.err = c.index+1, value, err
	}
	if captures {
		m.pool.SendIn(m.runner.index, k.answer)
		return
	}
	if k.future == nil {
		m.pool.Post(k.answer)
	}
	cs.completes(c, k, ty, value)
}

func (cs *calls) recordAnswer(kind trace.MessageKind, ty *trace.Type, c *Context, k *call, value any) int32 {
	i := cs.m.outbox.record(ty, kind, c, k.asker, value)
	cs.m.outbox.extra[i].call = k.index + 1
	return i
}

// completes has the answer to an open call reach the caller, or the future.
func (cs *calls) completes(c *Context, k *call, ty *trace.Type, value any) {
	if k.future != nil {
		k.state = callDone
		cs.resolve(c, k.future, ty, value, k.failure)
		return
	}
	k.state, k.err = callAnswered, k.failure
}

// releasedAnswer is the release of the answer to a call.
func (cs *calls) released(i int32) {
	m := cs.m
	msg := m.tr.Messages[i]
	k, c := &cs.all[m.outbox.extra[i].call-1], m.actors.all[msg.Sender]
	cs.touch(k)
	m.undo.saveCall(k)
	if k.state == callOpen {
		cs.completes(c, k, msg.Type, msg.Value)
		return
	}
	m.pool.Cancel(i)
	if k.failure == nil { // nobody misses the failure of a call that was given up
		cs.answeredInVain(c, k, i, msg.Type)
	}
}

// answeredInVain notes an answer that nobody gets: message i, if there is one.
func (cs *calls) answeredInVain(c *Context, k *call, i int32, ty *trace.Type) {
	in := trace.Incident{Kind: trace.DeadLetter, Actor: c.index, Message: i, Text: k.gaveUp,
		Injected: cs.m.faults.injected(k.asker)}
	if in.Text == "" {
		in.Text = "the call was answered before"
	}
	if i < 0 {
		in.Type, in.Where = ty.Name, callSite()
	}
	cs.m.incident(in)
}

// endCall goes on with a call whose answer, or timeout, was delivered.
func (cs *calls) end(k *call, timedOut bool) {
	m := cs.m
	m.undo.saveCall(k)
	if timedOut {
		cs.giveUp(k, "the call was given up")
		k.err = ErrTimeout
	} else {
		k.state = callDone
		if k.timer >= 0 {
			m.timers.drop(&m.timers.all[k.timer])
		}
	}
	m.pool.Look(k.caller.ctx.index)
	m.handlers.wake(k.caller)
}

// giveUp ends a call from the side of the caller.
func (cs *calls) giveUp(k *call, why string) {
	m := cs.m
	cs.touch(k)
	if k.state == callAnswered && m.pool.Cancel(k.answer) && !m.over {
		m.incident(trace.Incident{Kind: trace.DeadLetter, Actor: m.tr.Messages[k.answer].Sender, Message: k.answer, Text: why,
			Injected: m.faults.injected(k.asker)})
	}
	m.undo.saveCall(k)
	k.state, k.gaveUp = callGivenUp, why
	if k.timer >= 0 {
		m.timers.drop(&m.timers.all[k.timer])
	}
}

// touchCall notes that it matters whether the present step comes before or after others that answer the call or give it
// up. An answer to a call that was given up makes no message.
func (cs *calls) touch(k *call) {
	m := cs.m
	if !m.over { // else handlers are being unwound
		e := &m.tr.Events[m.event]
		e.Touched = append(e.Touched, trace.Touch{Object: k.object, Write: true})
	}
}

// failCalls fails what others still await of an actor that panicked.
func (cs *calls) fail(c *Context, text string) {
	m := cs.m
	if m.captures() {
		// Which calls there are matters here, and the end of the actor is released later.
		e := &m.tr.Events[m.event]
		e.Touched = append(e.Touched, trace.Touch{Object: m.tr.Actors[c.index].Life(), Write: true})
	}
	for i := range cs.all {
		k := &cs.all[i]
		if k.callee != c.index || k.replied {
			continue
		}
		if k.state == callGivenUp || m.captures() {
			// A call that is given up does not fail: whether it was before matters here, also where it fails later.
			e := &m.tr.Events[m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: k.object})
		}
		if k.state == callOpen {
			err := &StoppedError{Actor: m.tr.ActorName(c.index), Panic: text}
			cs.answer(c, k, m.types.of(err).trace, err, err)
		}
	}
}
