package hollywood

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is the event stream. The framework tells it of everything that we have to know: who is born, restarts, and
// sends to nobody. It does so with a plain call on the goroutine on which that happens.

// streamKind is the kind of the framework's event stream.
const streamKind = "eventstream"

// EventStream is the state of an event stream, as reports name it.
type EventStream struct {
	Subscribers []*actor.PID // in the order in which they subscribed; the framework knows them by pointer
}

// Subscribe and Unsubscribe are the framework's messages to the event stream, as reports name them.
type (
	Subscribe   struct{ PID *actor.PID }
	Unsubscribe struct{ PID *actor.PID }
)

// stream stands in an engine's registry for its event stream. actor.Processer and adapter.Actor.
type stream struct {
	inert
	framework *framework
	rt        *adapter.Runtime
	engine    *actor.Engine
	pid       *actor.PID
	execution uint64
	known     int   // processes in the registry at the last look
	appears   bool  // as an actor
	index     int32 // then
	state     EventStream

	readers adapter.Readers // of the registry
	lookups adapter.Lookups
	left    bool // an actor has left the registry in the step that runs
}

var (
	_ actor.Processer = (*stream)(nil)
	_ adapter.Actor   = (*stream)(nil)
)

// appear makes the stream an actor of the execution.
func (s *stream) appear() {
	s.appears = true
	s.index = s.rt.Spawned(s, &s.state, "", streamKind)
}

// PID is called by who looks the stream up by its name, too. actor.Processer.
func (s *stream) PID() *actor.PID {
	s.looked(0)
	return s.pid
}

// Send takes an event, or a message to the stream. actor.Processer.
func (s *stream) Send(_ *actor.PID, msg any, sender *actor.PID) {
	adapter.Point()
	if e, ok := msg.(actor.ActorMaxRestartsExceededEvent); ok {
		s.exceeded(e)
	}
	defer adapter.Together(adapter.Apart())
	if !s.rt.Exploring() {
		if e, ok := msg.(actor.ActorInitializedEvent); ok {
			s.framework.silence(s.engine, e.PID.GetID())
		}
		endRepeater()
		return
	}
	if s.execution != s.rt.Serial() {
		s.rt.Refuse(errOutlived(fmt.Sprintf("%T was sent to an engine of an earlier execution", msg)))
	}
	s.looked(s.eventReads(msg))
	s.hear(&msg)
	value, subscribes := s.valueOf(msg)
	if subscribes && !s.appears {
		s.framework.listened = true
		s.rt.Omit(s.rt.Running(), "subscribes to the event stream, which no earlier execution has done: events that "+
			"came before are not explored as messages")
		s.appear()
	}
	if s.appears {
		s.rt.Send(s.index, trace.User, value, actor.Envelope{Msg: msg, Sender: sender})
	}
}

// valueOf is what people know a message by, and whether it subscribes.
func (s *stream) valueOf(msg any) (value any, subscribes bool) {
	if pid, ok := s.subscription(msg); ok {
		return Subscribe{pid}, true
	}
	if pid, ok := s.unsubscription(msg); ok {
		return Unsubscribe{pid}, false
	}
	return msg, false
}

func (s *stream) subscription(msg any) (*actor.PID, bool) {
	if !isOf(msg, s.framework.sub) {
		return nil, false
	}
	return part[*actor.PID](msg, s.framework.ofSub), true
}

func (s *stream) unsubscription(msg any) (*actor.PID, bool) {
	if !isOf(msg, s.framework.unsub) {
		return nil, false
	}
	return part[*actor.PID](msg, s.framework.ofUnsub), true
}

// hear learns what an event says. It may replace what does not repeat in it.
func (s *stream) hear(msg *any) {
	f := s.framework
	switch e := (*msg).(type) {
	case actor.ActorInitializedEvent:
		f.adopt(s, e.PID.GetID())
	case actor.ActorRestartedEvent:
		if b := f.adopt(s, e.PID.GetID()); b != nil {
			b.restarts(e.Reason)
			e.Stacktrace = b.stackOf(e.Stacktrace)
			*msg = e
		}
	case actor.ActorDuplicateIdEvent:
		f.refusedName(s, e.PID.GetID())
	case actor.DeadLetterEvent:
		s.deadLetter(&e)
		*msg = e
	}
}

// exceeded is called before an actor ends whose restarts are used up.
func (s *stream) exceeded(e actor.ActorMaxRestartsExceededEvent) {
	if !s.rt.Exploring() {
		return
	}
	if b := s.framework.adopt(s, e.PID.GetID()); b != nil {
		b.restarts(nil)
		b.poisonChildren()
	}
}

// refusedName notes that a spawn failed, since an actor of that name was there.
func (f *framework) refusedName(s *stream, id string) {
	s.rt.Access(adapter.Name(id), false)
	if b := f.boxOf(s.engine, id); b != nil {
		s.rt.Holder(b.index)
	}
}

// deadLetter notes a message to nobody. Of what the framework sends itself the program need not be told.
func (s *stream) deadLetter(e *actor.DeadLetterEvent) {
	f := s.framework
	id := e.Target.GetID()
	to := f.missed(s.rt, s.engine, id)
	if pill, ok := f.pillIn(e.Message); ok {
		e.Message = pill.value() // a function does not repeat
		return
	}
	if e.Sender == s.pid && s.pid != nil {
		return // an event
	}
	s.rt.DeadLetter(e.Message, to, f.hasCrashed(s.engine, id))
}

// Handle does what the framework's event stream does, but for its log. adapter.Actor.
func (s *stream) Handle(_ trace.MessageKind, payload any) {
	env := payload.(actor.Envelope)
	if pid, ok := s.subscription(env.Msg); ok {
		if !slices.Contains(s.state.Subscribers, pid) {
			s.state.Subscribers = append(s.state.Subscribers, pid)
		}
		return
	}
	if pid, ok := s.unsubscription(env.Msg); ok {
		s.state.Subscribers = slices.DeleteFunc(s.state.Subscribers, func(p *actor.PID) bool { return p == pid })
		return
	}
	if len(s.state.Subscribers) > 1 && s.rt.Captures() {
		s.rt.Omit(s.index, "has several subscribers: the orders in which they are sent an event, which are those of a "+
			"map, are explored in the order of subscription only; use -model mailbox-serial")
	}
	for _, to := range s.state.Subscribers {
		s.engine.SendWithSender(to, env.Msg, s.pid)
	}
}

// Value is the state of the stream. adapter.Actor.
func (s *stream) Value() any { return &s.state }

// stackOf is the stack of a panic without what differs between executions: the goroutine's number, and our own frames.
func (b *box) stackOf(stack []byte) []byte {
	if b.stack != nil {
		stack, b.stack = b.stack, nil
	}
	if i := bytes.IndexByte(stack, '\n'); i >= 0 && bytes.HasPrefix(stack, []byte("goroutine ")) {
		stack = append([]byte("goroutine 1 [running]"), stack[i:]...)
	}
	if i := bytes.Index(stack, []byte("github.com/rehearse-go/rehearse/adapter")); i >= 0 {
		stack = stack[:i:i]
	}
	return stack
}

// restarts is called when the framework is about to restart the actor, and when it will not since that was too often.
func (b *box) restarts(reason any) {
	b.rt.KeepDeadlinesApart()
	if b.reported {
		b.reported = false
		return
	}
	if reason == nil {
		reason = "it panicked in Initialized, and may not be restarted"
	}
	b.rt.ReportOf(b.index, explore.PanicIncident(reason))
}
