package protoactor

import (
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// mailbox stands in for the framework's: what is posted becomes a message of the execution, and is handled when the
// exploration says so. actor.Mailbox and adapter.Actor.
type mailbox struct {
	framework *framework
	rt        *adapter.Runtime
	system    *actor.ActorSystem
	props     *actor.Props // this actor's own
	id        string
	execution uint64 // that the actor belongs to
	index     int32
	invoker   actor.MessageInvoker
	context   actor.Context
	suspended bool
	waiting   atomic.Int32   // user messages
	patience  *time.Duration // the receive timeout of the framework's context
	systems   atomic.Int32   // system messages
	routing   *routing       // of a router's actor, else nil

	middleware []actor.MailboxMiddleware // of the mailbox that the program chose
	bypassed   []string                  // what the program chose and is not run
	handling   bool                      // a handler runs, or waits
	payload    any                       // what it got
	resting    adapter.Deadline          // the receive timeout that the framework has stopped for the time of the handler
	controls   []any                     // that came meanwhile, for the middleware

	stance stance
	first  []uintptr // code of the handlers that the actor began with
}

// RegisterHandlers is called once, when the actor exists and before anything is posted.
func (m *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	m.invoker = invoker
	m.context = invoker.(actor.Context)
	m.patience = m.framework.patienceOf(invoker)
	typ, name := m.names()
	m.execution = m.rt.Serial()
	m.index = m.rt.Spawned(m, m.Value(), typ, name)
	m.framework.mu.Lock()
	m.framework.boxes[place{m.system, m.id}] = m
	m.framework.mu.Unlock()
	m.rt.AccessAgain(trace.Touch{Object: adapter.Name(m.id), Write: true})
	m.controlRouter()
	m.tellBypassed()
	m.Changed() // what it begins with is no change
	m.first = m.stance.codes(nil)
}

// Start is called when the actor may begin.
func (m *mailbox) Start() { m.started() }

// UserMessageCount is the number of user messages that wait.
func (m *mailbox) UserMessageCount() int { return int(m.waiting.Load()) }

// PostUserMessage takes a message.
func (m *mailbox) PostUserMessage(message any) {
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	_, inner, sender := actor.UnwrapEnvelope(message)
	if batch, ok := inner.(actor.MessageBatch); ok {
		for _, one := range batch.GetMessages() {
			m.PostUserMessage(one)
		}
	}
	if !m.rt.Exploring() {
		m.leaveAlone(sender)
		return
	}
	m.refuseOutlived(inner)
	m.watchFuture(sender, inner)
	m.framework.sends(m.rt)
	m.posted(message)
	m.waiting.Add(1)
	if _, ok := inner.(*actor.ReceiveTimeout); ok {
		m.rt.Timeout(m.index, inner, message)
		return
	}
	m.rt.Send(m.index, trace.User, inner, message)
}

// continuationType is the framework's message by which a task goes on after ReenterAfter.
const continuationType = "*actor.continuation"

// PostSystemMessage takes a system message. That an actor suspends or resumes itself, when it fails or was restarted,
// is no step. It can take no user message before that, and its handler sees nothing of it. Where another one does it, a
// supervisor say, that is a message in its place among what that one sends.
func (m *mailbox) PostSystemMessage(message any) {
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	m.refuseOutlived(message)
	if isControl(message) && m.rt.Running() == m.index {
		m.control(message)
		return
	}
	m.framework.sends(m.rt)
	m.posted(message)
	m.systems.Add(1)
	switch msg := message.(type) {
	case *actor.Started:
		m.rt.Start(m.index, message, message)
	case *actor.Watch:
		m.watchFuture(msg.Watcher, message)
		m.rt.Send(m.index, trace.System, message, message)
	default:
		if reflect.TypeOf(message).String() == continuationType {
			m.rt.GoOn(m.index, message, message)
			return
		}
		m.rt.Send(m.index, trace.System, message, message)
	}
}

// Handle runs the actor for one message. adapter.Actor.
func (m *mailbox) Handle(kind trace.MessageKind, payload any) {
	if m.routing != nil {
		_, message, _ := actor.UnwrapEnvelope(payload)
		m.routing.controls(message)
	}
	m.handling, m.payload = true, payload
	defer func() { m.handling, m.payload = false, nil }()
	switch {
	case kind == trace.System && isControl(payload):
		m.systems.Add(-1)
		m.suspends(payload)
	case kind == trace.System:
		m.systems.Add(-1)
		m.rests(reflect.TypeOf(payload).String() != continuationType)
		m.invoker.InvokeSystemMessage(payload)
	default:
		m.waiting.Add(-1)
		_, keeps := payload.(actor.NotInfluenceReceiveTimeout)
		m.rests(!keeps)
		m.invoker.InvokeUserMessage(payload)
	}
	m.resting = adapter.Deadline{}
	m.received(payload)
	if m.Timed() {
		m.rt.KeepDeadlinesApart()
	}
}

// Failed starts supervision, as the stock mailbox does.
func (m *mailbox) Failed(reason, payload any) {
	if m.Gone() && m.waiting.Load() > 0 {
		m.rt.Omit(m.index, "panics when it has left the registry, and messages wait in its mailbox, which the framework "+
			"goes on to hand over: that is not explored")
	}
	m.handling = true
	m.invoker.EscalateFailure(reason, payload)
	m.handling = false
	m.settle()
}

// Ready reports whether user messages are processed.
func (m *mailbox) Ready() bool { return !m.suspended }

// Timed reports whether a receive timeout is set. The framework resets the field on the goroutine of its timer, without
// a lock; here nothing else runs when it is read, which the race detector cannot know.
//
//go:norace
func (m *mailbox) Timed() bool { return *m.patience > 0 }

// Deadline gives the receive timeout that runs. The framework stops it while a user message is handled, and sets it
// anew in the end.
//
//go:norace
func (m *mailbox) Deadline() adapter.Deadline {
	if *m.patience == 0 {
		return adapter.Deadline{}
	}
	d := adapter.Deadline{After: *m.patience}
	if extras := hidden(m.context, "extras"); extras.IsValid() && !extras.IsNil() {
		if timer := hidden(extras.Interface(), "receiveTimeoutTimer"); timer.IsValid() {
			d.Timer, _ = timer.Interface().(*time.Timer)
		}
	}
	if d == m.resting {
		return adapter.Deadline{}
	}
	return d
}

// rests notes whether the framework stops the receive timeout for the time of the handler, as it does for what it tells
// the actor as a message.
func (m *mailbox) rests(does bool) {
	if m.resting = (adapter.Deadline{}); does {
		m.resting = m.Deadline()
	}
}

// Gone reports whether the actor has stopped: it is no longer registered.
func (m *mailbox) Gone() bool {
	p, ok := m.system.ProcessRegistry.GetLocal(m.id)
	if !ok {
		return true
	}
	mine, ok := p.(*actor.ActorProcess)
	// The name may be in use again.
	return ok && *at[actor.Mailbox](mine, mailboxField) != actor.Mailbox(m)
}

// Stay registers the actor again.
func (m *mailbox) Stay() bool {
	_, ok := m.system.ProcessRegistry.Add(actor.NewActorProcess(m), m.id)
	return ok
}

// Leave takes it out again.
func (m *mailbox) Leave() {
	if !m.Gone() {
		m.system.ProcessRegistry.Remove(m.self())
	}
}

// Value is the user's actor.
func (m *mailbox) Value() any { return m.context.Actor() }

func (m *mailbox) self() *actor.PID { return m.context.Self() }

// names gives the type of an actor made from a function, "" for any other, and the name given at spawn, "" if the
// framework made it up.
func (m *mailbox) names() (typ, name string) {
	name = m.id[strings.LastIndexByte(m.id, '/')+1:]
	if i := strings.IndexByte(name, '$'); i >= 0 {
		name = name[:i]
	}
	f := reflect.ValueOf(m.Value())
	if f.Kind() != reflect.Func {
		return "", name
	}
	if name != "" {
		return name, name
	}
	return adapter.FunctionName(runtime.FuncForPC(f.Pointer())), ""
}
