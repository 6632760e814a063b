package tasks

import (
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Sent is a message to an actor that the run does not have.
type Sent struct {
	To      *term.Term
	Message string
	Fields  []exec.Named
}

// Operate does what the scheduler of native actors does, or protoactor-go. What it does not know ends the path with a
// reason.
func (s *scheduler) Operate(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	if s.framework != nil {
		return s.protoactor(m, o)
	}
	switch o.Op {
	case model.Self:
		return s.running.obj.ref, true
	case model.Spawn:
		return s.create(o), true
	case model.Send:
		s.send("send", o, nil)
		return nil, true
	case model.Ask:
		f := m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
		s.futures[f] = s.request("ask", o)
		return f, true
	case model.Call:
		s.running.awaited, s.running.call = s.request("call", o), true
		return s.answered(), true
	case model.Respond:
		s.reply(o)
		return nil, true
	case model.Await:
		return s.await(o), true
	case model.AwaitCond:
		s.running.guard = o.Func
		if !s.holds(s.running) {
			s.m.Suspend()
		}
		s.running.guard = nil
		return nil, true
	case model.Choose, model.Unhandled:
		return nil, false
	}
	s.refuse("an operation of a framework that the scheduler of tasks does not know: it knows Spawn, Self, Send, Ask, Call, Reply, Await and AwaitUntil of native actors")
	return nil, true
}

// send puts a message into the queue of its receiver.
func (s *scheduler) send(op string, o exec.Operation, answer *future) bool {
	msg, ok := s.m.Held(o.Msg).(exec.Face)
	if !ok || msg.Type == nil {
		s.refuse("a message whose type is not known")
	}
	to, ref := s.addressee(o.To)
	s.note(op, ref, msg)
	if to == nil {
		s.sent = append(s.sent, Sent{ref, named(msg.Type), s.m.Flatten("msg", msg.Val)})
		return false
	}
	s.enqueue(&task{obj: to, name: named(msg.Type), msg: msg, answer: answer, from: s.running.obj})
	return true
}

// request sends a message whose reply comes as a future.
func (s *scheduler) request(op string, o exec.Operation) *future {
	f := &future{}
	if op == "call" {
		f.owner = s.running.obj
	}
	if !s.send(op, o, f) {
		s.refuse("a request to an actor outside of the run")
	}
	return f
}

// reply completes the request that the task handles. A second reply is for nobody. One to a message that was sent is a
// message to its sender.
func (s *scheduler) reply(o exec.Operation) {
	t := s.running
	switch f := t.answer; {
	case f == nil && t.from != nil:
		s.send("respond", exec.Operation{To: t.from.ref, Msg: o.Msg}, nil)
	case f == nil:
		s.note("respond", s.result.ref, o.Msg)
	case f.done && f != s.result:
		s.note("respond", s.store.Uint(s.result.ref.Sort, 0), o.Msg)
	default:
		if f == s.result {
			s.note("respond", f.ref, o.Msg)
		} else if f.owner != nil {
			s.note("respond", f.owner.ref, o.Msg)
		}
		if !f.done {
			f.done, f.value = true, o.Msg
		}
	}
}

// await waits for a future, unless it is ready.
func (s *scheduler) await(o exec.Operation) exec.Value {
	f, _ := s.m.Held(o.From).(*exec.Opaque)
	if s.futures[f] == nil {
		s.refuse("a future that is not known")
	}
	s.running.awaited = s.futures[f]
	return s.answered()
}

// answered waits until the answer is there, and gives it with no error.
func (s *scheduler) answered() exec.Value {
	t := s.running
	f := t.awaited
	if !f.done {
		s.m.Suspend()
	}
	t.awaited, t.call = nil, false
	return exec.Tuple{f.value, exec.Face{}}
}
