package tasks

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file does what protoactor-go does for its actors, in the order in which its mailboxes do it.

// nilReference is a panic inside of protoactor-go.
const nilReference = "send to a nil reference"

// letter is a message on its way.
type letter struct {
	to     *term.Term
	msg    exec.Value
	sender *term.Term
}

// passive are operations of protoactor-go that change nothing between actors, or only what is in an actor's own state.
var passive = map[model.Op]bool{
	model.Become: true, model.Unbecome: true, model.Behaviors: true, model.BehaviorDo: true, model.Unwrap: true, model.Choose: true, model.Unhandled: true,
	model.System: true, model.Option: true, model.OptionLayer: true, model.RootLayer: true, model.RootOption: true,
	model.Decider: true, model.Pool: true, model.Group: true,
}

// unseen are those whose effects come back in a way that is not followed.
var unseen = map[model.Op]string{
	model.Watch: "the end of an actor that is watched", model.Unwatch: "whether the end of an actor comes although it is no longer watched",
	model.Timer: "the message of a timer", model.RequestTimer: "the message of a timer",
	model.IdleTimer:   "the timeout of an actor that gets no message",
	model.CancelTimer: "whether a timer fires before it is cancelled", model.Publish: "who gets an event",
	model.Subscribe: "the events of a subscription",
	model.Children:  "which children the actor has", model.ByName: "whether a name is that of an actor of the case",
}

// protoactor does what the framework does. What it does not know ends the path with a reason.
func (s *scheduler) protoactor(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	switch {
	case passive[o.Op]:
		return nil, false
	case unseen[o.Op] != "":
		m.Mark(exec.Env, "%s: %s is not followed", o.Name, unseen[o.Op])
		return nil, false
	}
	switch o.Op {
	case model.Self:
		return s.running.obj.ref, true
	case model.Message:
		return s.running.msg, true
	case model.Sender:
		return s.running.sender, true
	case model.Parent:
		return s.running.obj.parent, s.running.obj.parent != nil
	case model.Send, model.Request, model.RequestFrom, model.Forward, model.Respond:
		s.sends(o)
		return nil, true
	case model.Stash:
		s.stashed = append(s.stashed, s.running.obj.name+"."+s.running.name)
		return nil, true
	case model.Stop:
		s.stops(o)
		return nil, true
	}
	return s.waiting(o)
}

// waiting does what is about futures and new actors.
func (s *scheduler) waiting(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Ask, model.StopAsk:
		return s.asks(o), true
	case model.Reenter:
		s.reenter(s.known(o.From), o.Func)
		return nil, true
	case model.AwaitBlocking:
		return s.block(o), true
	case model.Pipe:
		f := s.known(o.Args[0])
		for _, to := range s.m.Elements(o.To) {
			if f.pipes = append(f.pipes, to); f.done {
				s.pipe(f, to)
			}
		}
		return nil, true
	case model.PIDOf:
		return s.known(o.Args[0]).ref, true
	case model.Props, model.PropsFunc, model.PropsSame, model.PropsClone:
		return s.props(o), true
	case model.Spawn:
		return s.spawn(o), true
	}
	s.refuse("an operation that the scheduler of tasks does not know: %s", o.Name)
	return nil, true
}

// sends does what puts a message on its way.
func (s *scheduler) sends(o exec.Operation) {
	l := &letter{msg: o.Msg, sender: s.zero()}
	switch o.Op {
	case model.Request:
		l.sender = s.running.obj.ref
	case model.RequestFrom:
		l.sender = s.m.ReferenceOf(o.From)
	case model.Forward:
		l.msg, l.sender = s.running.msg, s.running.sender
	case model.Respond:
		if l.to = s.running.sender; s.m.Nobody(l.to) {
			s.note("respond", l.to, l.msg)
			s.outgoing(l)
			return
		}
	}
	if l.to == nil {
		if l.to = s.m.ReferenceOf(o.To); s.m.Nobody(l.to) {
			s.m.Throw(nilReference)
		}
	}
	s.note(deedOf(o.Op), l.to, l.msg)
	if s.deliver(l) || o.Op == model.Send || o.Op == model.Respond {
		return
	}
	s.m.Mark(exec.Env, "%s: an answer that comes as a message is not followed", o.Name)
}

// deedOf names what sends a message, as exec does.
func deedOf(op model.Op) string {
	switch op {
	case model.Respond:
		return "respond"
	case model.Forward:
		return "forward"
	case model.Send:
		return "send"
	}
	return "request"
}

// deliver brings a message to who it is for. It reports whether that is somebody of the run.
func (s *scheduler) deliver(l *letter) bool {
	face, held := s.m.Held(l.msg).(exec.Face)
	known := held && face.Type != nil
	for _, f := range append(s.asked, s.result) {
		if f.ref == l.to {
			if !held || f == s.result && !known {
				s.refuse("an answer that is nil, or whose type is not known")
			}
			s.replied(f, face)
			return true
		}
	}
	to, _ := s.addressee(l.to)
	if to == nil {
		s.outgoing(l)
		return false
	}
	switch {
	case !known:
		s.refuse("a message whose type is not known")
	case s.isFramework(face.Type, ""):
		s.refuse("a message of the framework to an actor of the case: %s", named(face.Type))
	}
	for _, name := range []string{"GetAutoResponse", "GetMessages"} {
		if s.m.Method(face.Type, nil, name) != nil {
			s.refuse("a message with the method %s, by which protoactor-go does more than to deliver it", name)
		}
	}
	s.enqueue(&task{obj: to, name: named(face.Type), msg: face, sender: l.sender})
	return true
}

// outgoing notes a message for somebody outside of the run.
func (s *scheduler) outgoing(l *letter) {
	name, fields := "any", s.m.Flatten("msg", l.msg)
	if face, ok := s.m.Held(l.msg).(exec.Face); ok && face.Type != nil {
		name, fields = named(face.Type), s.m.Flatten("msg", face.Val)
	}
	s.sent = append(s.sent, Sent{l.to, name, fields})
}

// unfollowed is what nobody outside of a case tells it.
const unfollowed = "%s: the end of the actor, which its parent and its watchers get, is not followed"

// stops notes that an actor is stopped.
func (s *scheduler) stops(o exec.Operation) {
	to := s.m.ReferenceOf(o.To)
	if s.m.Nobody(to) {
		s.m.Throw(nilReference)
	}
	if inside, _ := s.addressee(to); inside != nil {
		s.refuse("the end of an actor of the case")
	}
	s.m.Mark(exec.Env, unfollowed, o.Name)
	s.note("stop", to, nil)
	s.sent = append(s.sent, Sent{to, o.Name, nil})
}

// isFramework reports whether a type is the framework's own, or a pointer to such: a certain one, or any if the name is
// empty.
func (s *scheduler) isFramework(t types.Type, name string) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == s.framework && (name == "" || n.Obj().Name() == name)
}

// own gives a pointer to a type of the framework.
func (s *scheduler) own(name string) types.Type {
	return types.NewPointer(s.framework.Scope().Lookup(name).Type())
}

// zero is the reference of nobody.
func (s *scheduler) zero() *term.Term { return s.store.Uint(s.objects[0].ref.Sort, 0) }
