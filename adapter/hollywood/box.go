package hollywood

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// box stands in for an actor's inbox: what is sent becomes a message of the execution, and is handled when the
// exploration says so. actor.Inboxer and adapter.Actor.
type box struct {
	framework *framework
	rt        *adapter.Runtime
	engine    *actor.Engine
	proc      actor.Processer // the framework's
	opts      *actor.Opts
	context   *actor.Context
	pid       *actor.PID
	id        string
	execution uint64
	index     int32

	stream  *stream // of its engine
	started bool    // the framework has opened the inbox
	stopped bool    // it has closed it for good
	mother  bool    // it has had children
	first   []actor.MiddlewareFunc
	seen    actor.Receiver // the instance at the last look
	renewed bool           // another one was made since

	failing  *failure // what the framework is to recover from next
	reported bool     // a panic that it is about to announce was reported
	stack    []byte   // of the last panic of a handler

	batch
}

// failure is a panic that is handed on.
type failure struct{ reason any }

var (
	_ actor.Inboxer = (*box)(nil)
	_ adapter.Actor = (*box)(nil)
)

// entry stands in a registry for an actor.
type entry struct{ box *box }

var _ actor.Processer = entry{}

// adopt takes an actor over that is registered and about to handle Started; nil: there is none.
func (f *framework) adopt(s *stream, id string) *box {
	p := f.find(s.engine, id)
	if n, ours := p.(entry); ours {
		return n.box
	}
	if reflect.TypeOf(p) != reflect.PointerTo(f.process) {
		return nil
	}
	raw := pointerOf[byte](p)
	b := &box{framework: f, rt: s.rt, engine: s.engine, stream: s, proc: p, id: id, execution: s.execution,
		opts: at[actor.Opts](raw, f.ofProcess.opts), context: *at[*actor.Context](raw, f.ofProcess.context),
		pid: *at[*actor.PID](raw, f.ofProcess.pid)}
	typ, name := b.names()
	b.index = s.rt.Spawned(b, b.Value(), typ, name)
	if up := b.parent(); up != nil {
		up.mother = true
	}
	b.seen = b.context.Receiver()
	f.mu.Lock()
	f.boxes[place{s.engine, id}] = b
	f.mu.Unlock()
	s.names(b)
	f.register(s.engine, id, entry{b})
	b.first = b.opts.Middleware
	b.opts.Middleware = append([]actor.MiddlewareFunc{b.guard}, b.first...)
	produce := b.opts.Producer
	b.opts.Producer = func() actor.Receiver {
		b.rt.Exploring() // takes the lock: a restart wakes by a timer, whose order the race detector does not see
		b.renewed = true
		return produce()
	}
	inbox := at[actor.Inboxer](raw, f.ofProcess.inbox)
	stock, _ := (*inbox).(*actor.Inbox)
	*inbox = b
	if stock != nil { // what it has sent to itself in Initialized
		ring := *at[*ringOf](stock, f.ofInbox)
		if waiting, ok := ring.PopN(ring.Len()); ok {
			for _, env := range waiting {
				b.Send(env)
			}
		}
	}
	return b
}

// silence has an actor that is born when the execution is over handle nothing.
func (f *framework) silence(e *actor.Engine, id string) {
	if p := f.find(e, id); reflect.TypeOf(p) == reflect.PointerTo(f.process) {
		*at[actor.Inboxer](pointerOf[byte](p), f.ofProcess.inbox) = dropped{}
	}
}

// Send takes a message. actor.Inboxer.
func (b *box) Send(env actor.Envelope) {
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	if !b.rt.Exploring() {
		endRepeater()
		return
	}
	if b.execution != b.rt.Serial() {
		b.rt.Refuse(errOutlived(fmt.Sprintf("%T was sent to %s of an earlier execution", env.Msg, b.id)))
	}
	b.watchRequest(env.Sender, env.Msg)
	value, graceful := env.Msg, false
	if pill, ok := b.framework.pillIn(env.Msg); ok {
		value, graceful = pill.value(), pill.graceful
	}
	b.rivals(graceful)
	if !b.rt.Captures() {
		b.lands()
	}
	b.rt.Send(b.index, trace.User, value, env)
}

// lands notes that a message is in the mailbox as soon as it is sent.
func (b *box) lands() {
	touches, omits := b.arrives()
	if touches {
		b.rt.Touch(b.rt.Shared(b.index), false)
	}
	if omits != "" {
		b.rt.Omit(b.index, omits)
	}
}

// Start is called when the actor takes messages, and again after a restart. actor.Inboxer.
func (b *box) Start(actor.Processer) { b.started = true }

// Stop is called when the actor takes no more. actor.Inboxer.
func (b *box) Stop() error {
	b.stopped = true
	if b.rt.Exploring() && b.execution == b.rt.Serial() {
		b.rt.NotReady(b.index)
		b.stream.ends(b)
	}
	return nil
}

// Handle runs the actor for one message. The framework recovers from panics itself, so it is left out: Failed has it
// recover from the panic once more. adapter.Actor.
func (b *box) Handle(_ trace.MessageKind, payload any) {
	env := payload.(actor.Envelope)
	b.takes()
	if b.mother {
		b.rt.Touch(b.children(), false) // it may look who they are
	}
	if pill, ok := b.framework.pillIn(env.Msg); ok {
		b.swallow(env, pill)
		return
	}
	normal := false
	defer func() {
		if !normal {
			b.stack = debug.Stack()
			if b.behindPill() {
				b.rt.Omit(b.index, "panics at a message behind Poison, in the same batch: the framework forgets Poison then, and "+
					"hands the batch over again, which is not executed")
			}
		}
	}()
	b.receive(env)
	normal = true
	b.settle()
}

// receive is what the framework does for a message, but for its recovery from panics.
func (b *box) receive(env actor.Envelope) {
	f := b.framework
	*at[any](b.context, f.ofContext.message) = env.Msg
	*at[*actor.PID](b.context, f.ofContext.sender) = env.Sender
	receive := b.context.Receiver().Receive
	for _, m := range slices.Backward(b.first) {
		receive = m(receive)
	}
	receive(b.context)
}

// guard is the outermost middleware of the actor where the framework itself calls it: in Initialized, Started and
// Stopped, and where it is to recover from a panic again.
func (b *box) guard(next actor.ReceiveFunc) actor.ReceiveFunc {
	return func(c *actor.Context) {
		if f := b.failing; f != nil {
			b.failing = nil
			panic(f.reason)
		}
		normal := false
		defer func() {
			if normal {
				return
			}
			reason := recover()
			if reason == nil { // Goexit
				return
			}
			if adapter.Unwinds(reason) {
				select {} // the framework would recover from it, and go on
			}
			b.rt.ReportOf(b.index, explore.PanicIncident(reason))
			b.reported = true
			panic(reason)
		}()
		next(c)
		normal = true
	}
}

// Failed has the framework recover from a panic: the actor gets Stopped, and is restarted after its delay, on this
// goroutine. adapter.Actor.
func (b *box) Failed(reason, payload any) {
	b.failing, b.reported = &failure{reason}, true
	b.invoke(payload.(actor.Envelope))
	b.failing, b.reported = nil, false
}

// invoke has the framework handle a message. What it does not recover from ends the process.
func (b *box) invoke(env actor.Envelope) {
	defer func() {
		if reason := recover(); reason != nil {
			if adapter.Unwinds(reason) {
				panic(reason)
			}
			panic(fmt.Sprintf("%v: the framework does not recover from that, and the process ends", reason))
		}
	}()
	b.proc.Invoke([]actor.Envelope{env})
}

// Ready reports whether messages are taken. adapter.Actor.
func (b *box) Ready() bool { return b.started && !b.stopped }

// Gone reports whether the actor has stopped. adapter.Actor.
func (b *box) Gone() bool { return b.stopped }

// Stay registers the actor again. adapter.Actor.
func (b *box) Stay() bool {
	if b.framework.find(b.engine, b.id) != nil {
		return false
	}
	b.framework.register(b.engine, b.id, entry{b})
	return true
}

// Leave takes it out again. adapter.Actor.
func (b *box) Leave() {
	b.stream.left = true
	if n, ok := b.framework.find(b.engine, b.id).(entry); ok && n.box == b {
		b.framework.register(b.engine, b.id, nil)
	}
}

// Timed is adapter.Actor: the framework has no receive timeouts.
func (b *box) Timed() bool { return false }

// Deadline is adapter.Actor.
func (b *box) Deadline() adapter.Deadline { return adapter.Deadline{} }

// Changed reports whether another instance is behind the actor: it was restarted. adapter.Actor.
func (b *box) Changed() bool {
	if !b.renewed {
		return false
	}
	before, now := b.seen, b.context.Receiver()
	b.seen, b.renewed = now, false
	// A struct may hold a function in an interface, of which its type tells nothing.
	return !reflect.ValueOf(before).Comparable() || !reflect.ValueOf(now).Comparable() || now != before
}

// Value is the user's receiver, or the function that it was made from. adapter.Actor.
func (b *box) Value() any {
	r := b.context.Receiver()
	if reflect.TypeOf(r) == b.framework.function {
		return *at[func(*actor.Context)](pointerOf[byte](r), b.framework.ofFunc)
	}
	return r
}

// Count is adapter.Actor: the framework does not tell how many messages wait.
func (b *box) Count(int) {}

// silent takes the place of an actor that has crashed.
type silent struct{}

func (silent) Receive(*actor.Context) {}

// Crash stops the actor as the framework does, but none of its code runs, and what waits in its mailbox stays there.
// adapter.Actor.
func (b *box) Crash() {
	*at[actor.Receiver](b.context, b.framework.ofContext.receiver) = silent{}
	b.opts.Middleware, b.first = nil, nil
	b.framework.crashed = append(b.framework.crashed, b)
	b.poisonChildren()
	b.proc.Invoke([]actor.Envelope{b.framework.stopPill()})
}

// Restart is what the framework does when a handler has panicked. adapter.Actor.
func (b *box) Restart() {
	b.Failed("restarted by an injected fault", actor.Envelope{})
}

// parent gives the actor above, nil if there is none.
func (b *box) parent() *box {
	if p := b.context.Parent(); p != nil {
		return b.framework.boxOf(b.engine, p.GetID())
	}
	return nil
}

// children stands for who the actor's children are: they take themselves out of its list when they end, and nobody is
// told when it looks.
func (b *box) children() trace.ID { return b.rt.Shared(b.index).With(ofChildren) }

const ofChildren = 0x6368696c6472656e

// names gives the type of an actor made from a function, "" for any other, and what it was spawned as.
func (b *box) names() (typ, name string) {
	name = b.opts.Kind[strings.LastIndexByte(b.opts.Kind, '/')+1:]
	if !isRandom(b.id) {
		name += "/" + b.opts.ID
	}
	v := b.Value()
	if reflect.TypeOf(v).Kind() != reflect.Func {
		return "", name
	}
	if name != "" {
		return name, name
	}
	return adapter.FunctionName(runtime.FuncForPC(reflect.ValueOf(v).Pointer())), ""
}

// isRandom reports whether the last part of an id is a number that the framework drew.
func isRandom(id string) bool {
	last := id[strings.LastIndexByte(id, '/')+1:]
	return len(last) > 11 && strings.Trim(last, "0123456789") == ""
}

// Start is actor.Processer: the actor has started.
func (n entry) Start() {}

// PID is called by who looks the actor up by its name. actor.Processer.
func (n entry) PID() *actor.PID {
	defer adapter.Together(adapter.Apart())
	if b := n.box; b.rt.Exploring() && b.execution == b.rt.Serial() {
		b.stream.looked(1)
		if !isRandom(b.id) {
			b.rt.Access(adapter.Name(b.id), false)
		}
		b.rt.Holder(b.index)
	}
	return n.box.pid
}

// Send is actor.Processer.
func (n entry) Send(_ *actor.PID, msg any, sender *actor.PID) {
	n.box.stream.sentBy(msg)
	n.box.Send(actor.Envelope{Msg: msg, Sender: sender})
}

// Invoke is actor.Processer.
func (n entry) Invoke(list []actor.Envelope) { n.box.proc.Invoke(list) }

// Shutdown is actor.Processer.
func (n entry) Shutdown() { n.box.proc.Shutdown() }
