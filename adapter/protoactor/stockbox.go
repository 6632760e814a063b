package protoactor

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file looks at the mailbox and the dispatcher that the program chose for an actor, in whose place ours stands.
//
// An unbounded mailbox hands on every message, in the order of arrival: so does ours. Its middleware is called where
// the stock mailbox calls it. A mailbox that drops, bounds or sorts messages is another program, of which nothing is
// explored: it is named, and the result is not complete. So is a dispatcher that is not the stock one.

// unbounded are the queues behind which a mailbox hands on all messages in the order of arrival.
var unbounded = []string{"*actor.unboundedMailboxQueue", "*mpsc.Queue"}

// named are the framework's other queues, as people know them.
var named = map[string]string{"*actor.boundedMailboxQueue": "a bounded mailbox",
	"*actor.priorityQueue": "a priority mailbox"}

// boxOf gives the middleware of the mailbox that props produce, and what it is if it is none that ours stands for.
func boxOf(props *actor.Props) (middleware []actor.MailboxMiddleware, foreign string) {
	produce := hidden(props, "mailboxProducer")
	if produce.IsNil() {
		return nil, ""
	}
	box := produce.Interface().(actor.MailboxProducer)()
	queue, calls := hidden(box, "userMailbox"), hidden(box, "middlewares")
	if fmt.Sprintf("%T", box) != "*actor.defaultMailbox" || !queue.IsValid() || !calls.IsValid() {
		return nil, fmt.Sprintf("a mailbox of its own (%T)", box)
	}
	middleware, _ = calls.Interface().([]actor.MailboxMiddleware)
	kind := queue.Elem().Type().String()
	if slices.Contains(unbounded, kind) {
		return middleware, ""
	}
	if foreign = named[kind]; foreign == "" {
		foreign = "a mailbox of its own (" + kind + ")"
	} else if dropping := hidden(queue.Interface(), "dropping"); dropping.IsValid() && dropping.Bool() {
		foreign += " that drops messages"
	}
	return middleware, foreign
}

// dispatcherOf gives what the dispatcher of props is, "" for the stock one, whatever its throughput.
func dispatcherOf(props *actor.Props) string {
	d := hidden(props, "dispatcher")
	if !d.IsValid() || d.IsNil() {
		return ""
	}
	switch t := fmt.Sprintf("%T", d.Interface()); t {
	case "actor.goroutineDispatcher":
		return ""
	case "actor.synchronizedDispatcher":
		return "a synchronized dispatcher, which runs the handler where the message is sent"
	default:
		return "a dispatcher of its own (" + t + ")"
	}
}

// inspectBox looks at what the program chose, which is about to be replaced.
func (m *mailbox) inspectBox() {
	box, foreign := boxOf(m.props)
	m.middleware = box
	for _, what := range []string{foreign, dispatcherOf(m.props)} {
		if what != "" {
			m.bypassed = append(m.bypassed, what)
		}
	}
}

// tellBypassed reports what is not run, once the actor has a name.
func (m *mailbox) tellBypassed() {
	for _, what := range m.bypassed {
		m.rt.Bypass(m.index, what)
	}
}

// What follows calls middleware as the stock mailbox does: Posted by whoever posts, Received after the handler, Empty
// when nothing waits after it. Its state is that of the mailbox, which all who post share.

func (m *mailbox) started() {
	for _, w := range m.middleware {
		w.MailboxStarted()
	}
}

func (m *mailbox) posted(message any) {
	if len(m.middleware) > 0 {
		m.rt.Access(m.rt.Shared(m.index), true)
	}
	m.each(func(w actor.MailboxMiddleware) { adapter.Amid(func() { w.MessagePosted(message) }) })
}

// each calls f for the middleware; whatever it does depends on what it has done before.
func (m *mailbox) each(f func(actor.MailboxMiddleware)) {
	if len(m.middleware) == 0 {
		return
	}
	m.rt.Touch(m.rt.Shared(m.index), true)
	for _, w := range m.middleware {
		f(w)
	}
}

// isControl reports whether a message is to the mailbox itself.
func isControl(message any) bool {
	switch message.(type) {
	case *actor.SuspendMailbox, *actor.ResumeMailbox:
		return true
	}
	return false
}

// suspends does what a message to the mailbox itself says.
func (m *mailbox) suspends(message any) {
	m.suspended = reflect.TypeOf(message) == reflect.TypeFor[*actor.SuspendMailbox]()
}

// control takes a message to the mailbox itself that the actor sends, which the stock mailbox finds in its queue when
// the handler that runs is over.
func (m *mailbox) control(message any) {
	m.posted(message)
	m.suspends(message)
	if len(m.middleware) == 0 {
		return
	}
	if m.controls = append(m.controls, message); !m.handling {
		m.settle()
	}
}

// received is called when a handler has returned.
func (m *mailbox) received(message any) {
	m.each(func(w actor.MailboxMiddleware) { w.MessageReceived(message) })
	m.settle()
}

// settle is what the stock mailbox does between two messages.
func (m *mailbox) settle() {
	if len(m.middleware) == 0 {
		return
	}
	for _, c := range m.controls {
		for _, w := range m.middleware {
			adapter.Amid(func() { w.MessageReceived(c) })
		}
	}
	m.controls = m.controls[:0]
	if m.waiting.Load() > 0 || m.systems.Load() > 0 || m.suspended {
		return
	}
	for _, w := range m.middleware {
		adapter.Amid(w.MailboxEmpty)
	}
}
