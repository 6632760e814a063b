package actor

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// outbox records what is sent and makes it pending, or captures it, and releases it later (release.go).
type outbox struct {
	m     *machine
	extra []extra // of the messages of the trace
}

// extra is what the machine knows of a message beyond the trace.
type extra struct {
	call  int32         // index of the call it belongs to plus one: request, answer or timeout
	since int32         // of a task: the event in which its handler was released
	timer int32         // index of its timer plus one
	clock time.Duration // the sender's time
}

// Send sends a message. What it refers to is copied, unless that is switched off.
func (c *Context) Send(to Ref, msg any) {
	if c.acts() {
		c.m.outbox.send(c, to, trace.User, msg)
	}
}

// send records a message and puts it into the pool; -1 if it is for nobody.
func (o *outbox) send(c *Context, to Ref, kind trace.MessageKind, msg any) int32 {
	m := o.m
	if m.redo.on {
		return m.redo.sendAgain(to, kind, msg)
	}
	if to == (Ref{}) || int(to.n) > len(m.actors.all) {
		in := trace.Incident{Kind: trace.DeadLetter, Actor: c.index, Message: -1, Type: m.types.of(msg).trace.Name,
			Text: "the reference is empty"}
		if to != (Ref{}) {
			in.Text = to.String() + " is a reference of another execution"
		}
		in.Where = callSite()
		m.incident(in)
		return -1
	}
	if len(m.tr.Events[m.event].Sent) >= m.c.MaxSteps {
		o.floods(c)
	}
	i := o.message(c, to.index(), kind, msg)
	o.dispatch(i)
	return i
}

// floods ends the execution where a single step sends or creates without end, long before it takes all memory.
func (o *outbox) floods(c *Context) {
	m := o.m
	e := &m.tr.Events[m.event]
	m.breach(fmt.Errorf("%s has sent %d messages and created %d actors in %s and does not end: no message is "+
		"delivered before the step that sends it is over; let it end, or raise "+
		"MaxSteps", m.tr.ActorName(c.index), len(e.Sent), len(e.Created),
		m.tr.StepName(e.Step)))
	m.halt()
}

// dispatch puts a message of a handler into the pool. Those of set-up are no steps of their own.
func (o *outbox) dispatch(i int32) {
	m := o.m
	var ok bool
	if m.explores() {
		ok = m.pool.SendIn(m.runner.index, i)
	} else {
		ok = m.pool.PostIn(m.runner.index, i)
	}
	if _, watching := m.tr.Messages[i].Value.(watch); watching {
		m.actors.watches++
	}
	if !ok {
		o.deadOnArrival(i)
	}
}

// message records a message without making it pending.
func (o *outbox) message(c *Context, receiver int32, kind trace.MessageKind, msg any) int32 {
	info := o.m.types.of(msg)
	if info.refs && o.m.c.Copy {
		msg = copied(msg)
	}
	return o.record(info.trace, kind, c, receiver, msg)
}

// record is message for a value that is not to be copied.
func (o *outbox) record(ty *trace.Type, kind trace.MessageKind, c *Context, receiver int32, msg any) int32 {
	i := o.m.tr.AddMessage(ty, kind, c.index, receiver, o.m.event, msg)
	o.extra = append(o.extra, extra{clock: c.Now()})
	return i
}

// deadOnArrival deals with a message whose receiver has stopped.
func (o *outbox) deadOnArrival(i int32) {
	m := o.m
	msg := &m.tr.Messages[i]
	switch msg.Value.(type) {
	case stop:
		return // it has what it wants
	case watch:
		m.actors.watches--
		m.actors.terminated(m.actors.all[msg.Receiver], msg.Sender, m.pool.Post)
		return
	}
	text := m.tr.ActorName(msg.Receiver) + " had stopped"
	if msg.Receiver == 0 {
		text = "the test function had ended"
	}
	m.incident(trace.Incident{Kind: trace.DeadLetter, Actor: msg.Sender, Message: i, Text: text, Where: o.sendSite(msg),
		Injected: m.faults.injected(msg.Receiver)})
}

// sendSite is where the message is being sent; unknown once its handler has gone on.
func (o *outbox) sendSite(msg *trace.Message) string {
	if o.m.running == nil || o.m.running.index != msg.Sender {
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

// Reply answers the message being handled: it completes the call or ask that sent it; a message that was just sent is
// answered by sending to its sender.
func (c *Context) Reply(msg any) {
	if !c.acts() {
		return
	}
	if c.cur.message < 0 {
		panic("rehearse: Reply while no message is being handled")
	}
	m := c.m
	i := m.outbox.extra[c.cur.message].call
	if i == 0 || m.tr.Messages[c.cur.message].Kind != trace.User {
		m.outbox.send(c, c.Sender(), trace.User, msg)
		return
	}
	m.redo.noteEffect(c, noteReply, 0)
	if m.redo.on {
		m.redo.replyAgain(i, msg)
		return
	}
	info := m.types.of(msg)
	if info.refs && m.c.Copy {
		msg = copied(msg)
	}
	m.calls.answer(c, &m.calls.all[i-1], info.trace, msg, nil)
}
