package actor

import (
	"runtime"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

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

// Future is the reply to an Ask. It may be handed to other actors, which may await it too.
type Future struct {
	m       *machine
	object  trace.ID // the request's identity
	ready   bool
	value   any
	err     error
	by      int32 // the actor that has resolved it, plus one; others see that when it is ready
	callee  int32
	request *trace.Type
	waiting []*handler
}

// Ready reports whether the reply is there.
func (f *Future) Ready() bool {
	f.touch(false)
	if f.m == nil || f.m.running == nil {
		return f.ready
	}
	return f.m.told(f.m.running, noteReady, bit(f.readyFor(f.m.running))) == 1
}

// readyFor reports whether an actor sees the future ready: who has resolved it does so before that is released.
func (f *Future) readyFor(c *Context) bool { return f.ready || f.by == c.index+1 }

// touch notes that the present step depends on the future: it is the one thing besides messages that actors share.
func (f *Future) touch(write bool) {
	if f.m == nil || f.m.running == nil || f.m.redo.on {
		return
	}
	e := &f.m.tr.Events[f.m.event]
	e.Touched = append(e.Touched, trace.Touch{Object: f.object, Write: write})
}

// Call sends msg and blocks this actor until the reply is delivered: it takes no other message. The error is a *StoppedError if the
// actor called panicked before it replied.
func (c *Context) Call(to Ref, msg any) (any, error) { return c.callFor("Call", to, msg, -1) }

// CallTimeout is Call, given up with ErrTimeout when a timer of d is delivered before the reply. A reply that comes later is
// a dead letter.
func (c *Context) CallTimeout(to Ref, msg any, d time.Duration) (any, error) {
	return c.callFor("CallTimeout", to, msg, max(d, 0))
}

// callFor is Call with a timeout, negative for none.
func (c *Context) callFor(method string, to Ref, msg any, d time.Duration) (any, error) {
	h := c.blocks(method)
	m := c.m
	var i int32
	if m.redo.on {
		i = m.callAgain(to, msg, d)
	} else {
		i = m.newCall(h, to, msg, d)
	}
	m.told(c, noteCall, 0)
	h.wait, h.call = waitCall, i
	m.park(h)
	k := &m.calls[i]
	if k.err != nil {
		return nil, k.err
	}
	return m.tr.Messages[k.answer].Value, nil
}

// newCall makes a call of the handler, with a timeout if it is not negative.
func (m *machine) newCall(h *handler, to Ref, msg any, timeout time.Duration) int32 {
	i := m.request(h.ctx, to, msg)
	m.calls[i].caller, m.calls[i].timer = h, -1
	if timeout >= 0 {
		t := m.setTimer(h.ctx, timeout, expired{})
		expiry := m.timers[t].message
		m.tr.Messages[expiry].EndsCall = true
		m.extra[expiry].call = i + 1
		m.calls[i].timer = t
	}
	return i
}

// request sends the request of a new call and gives the call's index.
func (m *machine) request(c *Context, to Ref, msg any) int32 {
	i := int32(len(m.calls))
	m.calls = append(m.calls, call{index: i, asker: c.index, callee: -1, answer: -1, timer: -1, request: m.typeOf(msg).trace})
	if to != (Ref{}) && int(to.n) <= len(m.actors) {
		r := m.message(c, to.index(), trace.User, msg)
		m.extra[r].call = i + 1
		m.calls[i].callee, m.calls[i].object = to.index(), m.tr.Messages[r].ID
		m.dispatch(r)
		if m.c.Model == trace.Mailbox && !m.tr.Messages[r].AtOnce {
			// Its release comes later; the call fails from now on if the callee panics.
			e := &m.tr.Events[m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: m.tr.Actors[to.index()].Life()})
		}
	} else {
		m.send(c, to, trace.User, msg) // reports the dead letter
	}
	return i
}

// answer answers a call with a value, or an error, from the actor called. It completes the call now or, where the sends of handlers
// are captured, when the answer is released in its turn.
func (m *machine) answer(c *Context, k *call, ty *trace.Type, value any, err error) {
	captures := m.captures()
	if !captures {
		m.touchCall(k)
	}
	m.saveCall(k)
	if k.replied || !captures && k.state != callOpen {
		k.replied = true
		m.answeredInVain(c, k, -1, ty)
		return
	}
	k.replied, k.failure = true, err
	switch {
	case k.future == nil:
		k.answer = m.recordAnswer(trace.Answer, ty, c, k, value)
	case captures:
		k.answer = m.recordAnswer(trace.Resolution, ty, c, k, value)
		m.saveFuture(k.future)
		k.future.by, k.future.value, k.future.err = c.index+1, value, err
	}
	if captures {
		m.pool.SendIn(m.runner.index, k.answer)
		return
	}
	if k.future == nil {
		m.pool.Post(k.answer)
	}
	m.completes(c, k, ty, value)
}

func (m *machine) recordAnswer(class trace.Class, ty *trace.Type, c *Context, k *call, value any) int32 {
	i := m.record(ty, class, c, k.asker, value)
	m.extra[i].call = k.index + 1
	return i
}

// completes has the answer to an open call reach the caller, or the future.
func (m *machine) completes(c *Context, k *call, ty *trace.Type, value any) {
	if k.future != nil {
		k.state = callDone
		m.resolve(c, k.future, ty, value, k.failure)
		return
	}
	k.state, k.err = callAnswered, k.failure
}

// releasedAnswer is the release of the answer to a call.
func (m *machine) releasedAnswer(i int32) {
	msg := m.tr.Messages[i]
	k, c := &m.calls[m.extra[i].call-1], m.actors[msg.Sender]
	m.touchCall(k)
	m.saveCall(k)
	if k.state == callOpen {
		m.completes(c, k, msg.Type, msg.Value)
		return
	}
	m.pool.Cancel(i)
	if k.failure == nil { // nobody misses the failure of a call that was given up
		m.answeredInVain(c, k, i, msg.Type)
	}
}

// answeredInVain notes an answer that nobody gets: message i, if there is one.
func (m *machine) answeredInVain(c *Context, k *call, i int32, ty *trace.Type) {
	in := trace.Incident{Kind: trace.DeadLetter, Actor: c.index, Message: i, Text: k.gaveUp, Injected: m.injected(k.asker)}
	if in.Text == "" {
		in.Text = "the call was answered before"
	}
	if i < 0 {
		in.Type, in.Where = ty.Name, callSite()
	}
	m.incident(in)
}

// endCall goes on with a call whose answer, or timeout, was delivered.
func (m *machine) endCall(k *call, timedOut bool) {
	m.saveCall(k)
	if timedOut {
		m.giveUp(k, "the call was given up")
		k.err = ErrTimeout
	} else {
		k.state = callDone
		if k.timer >= 0 {
			m.drop(&m.timers[k.timer])
		}
	}
	m.wake(k.caller)
}

// giveUp ends a call from the side of the caller.
func (m *machine) giveUp(k *call, why string) {
	m.touchCall(k)
	if k.state == callAnswered && m.pool.Cancel(k.answer) && !m.over {
		m.incident(trace.Incident{Kind: trace.DeadLetter, Actor: m.tr.Messages[k.answer].Sender, Message: k.answer, Text: why,
			Injected: m.injected(k.asker)})
	}
	m.saveCall(k)
	k.state, k.gaveUp = callGivenUp, why
	if k.timer >= 0 {
		m.drop(&m.timers[k.timer])
	}
}

// touchCall notes that it matters whether the present step comes before or after others that answer the call or give it up: an answer to
// a call that was given up makes no message.
func (m *machine) touchCall(k *call) {
	if !m.over { // else handlers are being unwound
		e := &m.tr.Events[m.event]
		e.Touched = append(e.Touched, trace.Touch{Object: k.object, Write: true})
	}
}

// failCalls fails what others still await of an actor that panicked.
func (m *machine) failCalls(c *Context, text string) {
	for i := range m.calls {
		k := &m.calls[i]
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
			m.answer(c, k, m.typeOf(err).trace, err, err)
		}
	}
}

// Ask sends msg and gives the future of its reply. The reply is no message: the future is ready as soon as the other replies.
func (c *Context) Ask(to Ref, msg any) *Future {
	f := &Future{callee: -1}
	if !c.acts() {
		return f
	}
	if c.m.redo.on {
		return c.m.askAgain(to, msg)
	}
	i := c.m.request(c, to, msg)
	k := &c.m.calls[i]
	if k.callee >= 0 { // else nobody will ever make it ready
		f.m, f.object = c.m, c.m.tr.Messages[len(c.m.tr.Messages)-1].ID
	}
	k.future, f.callee, f.request = f, k.callee, k.request
	return f
}

// resolve makes a future ready. Each task that awaits it may resume: that is an effect of this step.
func (m *machine) resolve(c *Context, f *Future, ty *trace.Type, value any, err error) {
	m.saveFuture(f)
	f.ready, f.value, f.err = true, value, err
	f.touch(true)
	for _, h := range f.waiting {
		if h.task < 0 && !h.ctx.stopped {
			m.postTask(c, h, ty, value)
		}
	}
	f.waiting = nil
}

// postTask makes the message by which a released task will resume.
func (m *machine) postTask(c *Context, h *handler, ty *trace.Type, value any) {
	m.setTask(h, m.record(ty, trace.Task, c, h.ctx.index, value))
	m.extra[h.task].since = h.since
	m.pool.Post(h.task)
}

// Await gives the value of the future. If it is not ready, the actor is released until it is: it may handle other messages
// meanwhile, and the task resumes as a step of its own.
func (c *Context) Await(f *Future) (any, error) {
	h := c.blocks("Await")
	f.touch(false)
	if c.m.told(c, noteAwait, bit(f.readyFor(c))) == 0 {
		h.wait, h.future = waitFuture, f
		if !c.m.redo.on {
			c.m.setSince(h)
			c.m.saveFuture(f)
			f.waiting = append(f.waiting, h)
			if c.m.polls() {
				c.m.postTask(c, h, f.request, nil)
			}
		}
		c.releaseUntilResumed(h)
	}
	if !c.m.redo.on {
		c.m.saveGiven(f.value)
	}
	return f.value, f.err
}

// AwaitUntil releases the actor until the condition holds, as Await does. cond must depend on this actor's state only, and
// change nothing; it is asked between steps.
func (c *Context) AwaitUntil(cond func() bool) {
	h := c.blocks("AwaitUntil")
	holds := bit(cond())
	if c.m.told(c, noteUntil, holds) != holds {
		c.m.strays("what it waits for was there, or is there now")
	}
	if holds == 0 {
		h.wait, h.cond = waitCond, cond
		if !c.m.redo.on {
			c.m.setSince(h)
			c.m.postTask(c, h, c.m.tr.TypeNamed("condition"), nil)
		}
		c.releaseUntilResumed(h)
	}
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// polls reports whether a task may be picked before it is ready.
func (m *machine) polls() bool { return m.sys.Polling && m.phase != settingUp }

func (c *Context) releaseUntilResumed(h *handler) {
	c.cur = nil
	if !c.m.redo.on {
		c.m.saveLife(c)
		c.tasks = append(c.tasks, h)
	}
	c.m.park(h)
}

// mayResume reports whether the released task that the message resumes may be picked.
func (m *machine) mayResume(c *Context, message int32) bool {
	h := c.task(message)
	return h != nil && (m.polls() || h.isReady()) // a restart has ended the tasks of before
}

func (h *handler) isReady() bool {
	if h.wait == waitCond {
		return h.cond()
	}
	return h.future.ready
}

func (c *Context) task(message int32) *handler {
	for _, h := range c.tasks {
		if h.task == message {
			return h
		}
	}
	return nil
}

// resume goes on with a released task, or puts it back if it was picked before it was ready.
func (m *machine) resume(c *Context, message int32) {
	h := c.task(message)
	if !h.isReady() {
		old := &m.tr.Messages[message]
		m.postTask(c, h, old.Type, nil)
		m.tr.Events[m.event].Completed = true
		return
	}
	c.dropTask(h)
	m.setTask(h, -1)
	m.wake(h)
}

// Receive blocks this actor until a message that matches is delivered, and gives it; others stay in the mailbox. match must
// depend on this actor's state and the message only, and change nothing.
func (c *Context) Receive(match func(msg any) bool) any {
	h := c.blocks("Receive")
	c.m.told(c, noteReceive, 0)
	h.wait, h.match = waitReceive, match
	c.m.park(h)
	h.match = nil
	// From here on the handler handles this message: Sender and Reply speak of it.
	h.message = h.taken
	return c.m.tr.Messages[h.message].Value
}

// choiceOf asks for a value in the middle of a step. The event so far is over with it; the handler goes on in the event of
// the choice.
func (m *machine) choiceOf(n int) int {
	m.values = m.values[:0]
	for v := range n {
		m.values = append(m.values, m.tr.ChoiceStep(m.event, 0, v))
	}
	ch, ok := m.ask(m.values, true)
	if !ok {
		m.halt()
	}
	s := m.values[ch.Index]
	runner := m.runner
	m.beginEvent(s)
	m.choice, m.runner = ch, runner
	m.tr.Events[m.event].Time = m.running.Now()
	return int(s.Value)
}

// Choose is explore.Host.Choose.
func (m *machine) Choose(n int) int {
	if m.running == nil {
		if m.over {
			runtime.Goexit()
		}
		panic("rehearse: Choose while no handler is running")
	}
	if m.phase == settingUp {
		return 0
	}
	m.choosesDeclared()
	if m.redo.on {
		return m.chooseAgain(n)
	}
	return m.choiceOf(n)
}
