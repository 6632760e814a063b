package actor

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// Send sends a message. What it refers to is copied, unless that is switched off.
func (c *Context) Send(to Ref, msg any) {
	if c.acts() {
		c.m.send(c, to, trace.User, msg)
	}
}

// send records a message and puts it into the pool; -1 if it is for nobody.
func (m *machine) send(c *Context, to Ref, class trace.Class, msg any) int32 {
	if m.redo.on {
		return m.sendAgain(to, class, msg)
	}
	if to == (Ref{}) || int(to.n) > len(m.actors) {
		in := trace.Incident{Kind: trace.DeadLetter, Actor: c.index, Message: -1, Type: m.typeOf(msg).trace.Name, Text: "the reference is empty"}
		if to != (Ref{}) {
			in.Text = to.String() + " is a reference of another execution"
		}
		in.Where = callSite()
		m.incident(in)
		return -1
	}
	if len(m.tr.Events[m.event].Sent) >= m.c.MaxSteps {
		m.floods(c)
	}
	i := m.message(c, to.index(), class, msg)
	m.dispatch(i)
	return i
}

// explores reports whether the sends of the handler that runs are explored: those of set-up are not.
func (m *machine) explores() bool { return m.phase == exploring || m.phase == fresh }

// captures reports whether what the handler that runs sends is captured, to be released one by one.
func (m *machine) captures() bool { return m.c.Model == trace.Mailbox && m.explores() }

// floods ends the execution where a single step sends or creates without end, long before it takes all memory.
func (m *machine) floods(c *Context) {
	e := &m.tr.Events[m.event]
	m.breach(fmt.Errorf("%s has sent %d messages and created %d actors in %s and does not end: no message is delivered before the step that sends "+
		"it is over; let it end, or raise MaxSteps", m.tr.ActorName(c.index), len(e.Sent), len(e.Created), m.tr.StepName(e.Step)))
	m.halt()
}

// dispatch puts a message of a handler into the pool. Those of set-up are no steps of their own.
func (m *machine) dispatch(i int32) {
	var ok bool
	if m.explores() {
		ok = m.pool.SendIn(m.runner.index, i)
	} else {
		ok = m.pool.PostIn(m.runner.index, i)
	}
	if _, watching := m.tr.Messages[i].Value.(watch); watching {
		m.watches++
	}
	if !ok {
		m.deadOnArrival(i)
	}
}

// message records a message without making it pending.
func (m *machine) message(c *Context, receiver int32, class trace.Class, msg any) int32 {
	info := m.typeOf(msg)
	if info.refs && m.c.Copy {
		msg = copied(msg)
	}
	return m.record(info.trace, class, c, receiver, msg)
}

// record is message for a value that is not to be copied.
func (m *machine) record(ty *trace.Type, class trace.Class, c *Context, receiver int32, msg any) int32 {
	i := m.tr.AddMessage(ty, class, c.index, receiver, m.event, msg)
	m.extra = append(m.extra, extra{clock: c.Now()})
	return i
}

// deadOnArrival deals with a message whose receiver has stopped.
func (m *machine) deadOnArrival(i int32) {
	msg := &m.tr.Messages[i]
	switch msg.Value.(type) {
	case stop:
		return // it has what it wants
	case watch:
		m.watches--
		m.terminated(m.actors[msg.Receiver], msg.Sender, m.pool.Post)
		return
	}
	text := m.tr.ActorName(msg.Receiver) + " had stopped"
	if msg.Receiver == 0 {
		text = "the test function had ended"
	}
	m.incident(trace.Incident{Kind: trace.DeadLetter, Actor: msg.Sender, Message: i, Text: text, Where: m.sendSite(msg),
		Injected: m.injected(msg.Receiver)})
}

// sendSite is where the message is being sent; unknown once its handler has gone on.
func (m *machine) sendSite(msg *trace.Message) string {
	if m.running == nil || m.running.index != msg.Sender {
		return ""
	}
	return callSite()
}

// callSite is file:line of the innermost caller outside of this package.
func callSite() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, thisPackage) || strings.HasSuffix(f.File, "_test.go") {
			return f.File[strings.LastIndexByte(f.File, '/')+1:] + ":" + strconv.Itoa(f.Line)
		}
		if !more {
			return ""
		}
	}
}

var thisPackage = reflect.TypeFor[Context]().PkgPath() + "."

// Reply answers the message being handled: it completes the call or ask that sent it; a message that was just sent is answered
// by sending to its sender.
func (c *Context) Reply(msg any) {
	if !c.acts() {
		return
	}
	if c.cur.message < 0 {
		panic("rehearse: Reply while no message is being handled")
	}
	m := c.m
	i := m.extra[c.cur.message].call
	if i == 0 || m.tr.Messages[c.cur.message].Class != trace.User {
		m.send(c, c.Sender(), trace.User, msg)
		return
	}
	m.told(c, noteReply, 0)
	if m.redo.on {
		m.replyAgain(i, msg)
		return
	}
	info := m.typeOf(msg)
	if info.refs && m.c.Copy {
		msg = copied(msg)
	}
	m.answer(c, &m.calls[i-1], info.trace, msg, nil)
}

// Stop stops this actor when its handler ends.
func (c *Context) Stop() {
	if c.acts() {
		c.stopping = true
	}
}

// StopActor asks an actor to stop, by a system message: it takes it before user messages.
func (c *Context) StopActor(who Ref) {
	if c.acts() {
		c.m.send(c, who, trace.System, stop{})
	}
}

// Watch asks an actor, by a system message, to tell this one when it has stopped: by Terminated, which follows what it sent.
func (c *Context) Watch(who Ref) {
	if c.acts() {
		c.m.send(c, who, trace.System, watch{})
	}
}

// stop is what an actor that stops sees of it: it takes nothing any more, its timers are cancelled, its released tasks are unwound. Where what
// it has sent is captured, the others see that it has stopped when that is released in its turn (what would come between the step and an end
// that nothing is released before might as well come before both); not so with an injected crash, which
// nobody's code brings about, nor with the test function, which they know by what it sends alone.
func (m *machine) stop(c *Context) {
	c.stopping, c.stopped = false, true
	m.endOwn(c)
	if !m.captures() || !m.pool.Holds(m.runner.index) || c.index == 0 || m.tr.Events[m.event].Step.Kind == trace.Fault {
		m.leaves(c)
		return
	}
	m.pool.SendIn(m.runner.index, m.record(m.tr.TypeNamed("end"), trace.End, c, c.index, nil))
}

// leaves is the end of an actor for all others. Its messages stay as orphans, those that watch it are told.
func (m *machine) leaves(c *Context) {
	m.pool.Stop(c.index)
	e := &m.tr.Events[m.event]
	e.Stopped = append(e.Stopped, c.index)
	if m.watches > 0 {
		m.takeWatches(c)
	}
	for _, w := range c.watchers {
		m.terminated(c, w, m.pool.Send)
	}
}

// endOwn ends the timers and the released tasks of an actor.
func (m *machine) endOwn(c *Context) {
	for i := range m.timers {
		if m.timers[i].owner == c.index {
			m.cancel(&m.timers[i])
		}
	}
	for len(c.tasks) > 0 {
		// Whether its future was ready before decides whether the task could have gone on.
		if h := c.tasks[0]; h.wait == waitFuture && h.future.m != nil {
			e := &m.tr.Events[m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: h.future.object})
		}
		m.unwind(c.tasks[0])
	}
}

// takeWatches handles the watch requests that are still before an actor that stops.
func (m *machine) takeWatches(c *Context) {
	var requests []int32
	m.pool.Each(func(i int32) {
		if msg := &m.tr.Messages[i]; msg.Receiver == c.index && msg.Class == trace.System {
			requests = append(requests, i)
		}
	})
	for _, i := range requests {
		// One that its sender has not released yet is answered on arrival.
		if m.pool.Cancel(i) && m.tr.Messages[i].Value == (watch{}) {
			m.watches--
			m.saveLife(c)
			c.watchers = append(c.watchers, m.tr.Messages[i].Sender)
		}
	}
}

// terminated tells a watcher. post is Post where no handler sends it.
func (m *machine) terminated(c *Context, watcher int32, post func(int32) bool) {
	msg := Terminated{refOf(c.index)}
	if m.phase == settingUp {
		post = m.pool.Post
	}
	// A watcher that has stopped does not care.
	post(m.record(m.typeOf(msg).trace, trace.User, c, watcher, msg))
}

// Stash puts the message being handled aside, until UnstashAll.
func (c *Context) Stash() {
	if !c.acts() {
		return
	}
	if c.cur.message < 0 {
		panic("rehearse: Stash while no message is being handled")
	}
	if c.m.told(c, noteStash, 0); c.m.redo.on {
		return
	}
	c.m.saveLife(c)
	c.stash = append(c.stash, c.cur.message)
}

// UnstashAll puts the stashed messages back, before all others of the mailbox and in the order in which they came.
func (c *Context) UnstashAll() {
	if !c.acts() {
		return
	}
	m := c.m
	first, n := m.told(c, noteUnstash, int32(len(m.tr.Messages))), m.told(c, noteUnstash, int32(len(c.stash)))
	if m.redo.on {
		m.unstashAgain(first, n)
		return
	}
	m.unstash(c)
}

func (m *machine) unstash(c *Context) {
	first := int32(len(m.tr.Messages))
	for _, old := range c.stash {
		msg := m.tr.Messages[old]
		m.tr.AddMessage(msg.Type, trace.User, msg.Sender, msg.Receiver, m.event, msg.Value)
		m.extra = append(m.extra, extra{call: m.extra[old].call, clock: m.extra[old].clock})
	}
	for i := len(c.stash) - 1; i >= 0; i-- {
		m.pool.Return(first+int32(i), c.stash[i])
	}
	m.saveLife(c)
	c.stash = nil // not shortened: see life
}
