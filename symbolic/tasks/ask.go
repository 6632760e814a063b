package tasks

import (
	"fmt"
	"go/types"
	"math"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file makes futures and actors of protoactor-go, and has tasks wait for futures.

// asks makes a future and sends its request. Whoever is outside of the run may answer anything.
func (s *scheduler) asks(o exec.Operation) exec.Value {
	to := s.m.ReferenceOf(o.To)
	if s.m.Nobody(to) {
		s.m.Throw(nilReference)
	}
	made := o.Sig.Results().At(0).Type()
	f := &future{owner: s.running.obj, asker: s.running.obj, ref: s.m.Reference(fmt.Sprintf("future%d", len(s.asked)+1)),
		ending: o.Op == model.StopAsk}
	f.limit = s.store.Int(term.Word(64), int64(10*time.Second)) // of protoactor-go for the end of an actor
	if !f.ending {
		f.limit = s.m.Held(o.Args[3]).(*term.Term)
	}
	f.due = s.after(f.limit)
	atOnce := s.m.True(s.store.Equal(f.limit, s.store.Int(f.limit.Sort, 0)))
	l := &letter{to: to, msg: o.Msg, sender: f.ref}
	inside, _ := s.addressee(to)
	if f.ending {
		s.note("stop", to, nil)
	} else {
		s.note("ask", to, l.msg)
	}
	switch {
	case inside != nil && f.ending:
		s.refuse("the end of an actor of the case")
	case inside != nil:
		s.deliver(l)
	default:
		s.openUp(f, l, o)
	}
	if s.asked, f.atOnce = append(s.asked, f), atOnce; atOnce {
		s.complete(f, exec.Face{}, s.failure("ErrTimeout"), Timeout)
	}
	v := s.m.Opaque(made).(*exec.Opaque)
	s.futures[v] = f
	return v
}

// after gives the time after a while. The clock of Go's timers ends at its greatest number.
func (s *scheduler) after(limit *term.Term) *term.Term {
	due := s.store.Add(s.now, limit)
	return s.store.If(s.store.SLess(due, s.now), s.store.Int(limit.Sort, math.MaxInt64), due)
}

// openUp sends a request to somebody outside of the run, who may answer anything.
func (s *scheduler) openUp(f *future, l *letter, o exec.Operation) {
	n := 1
	for _, g := range s.asked {
		if g.open != nil {
			n++
		}
	}
	a := &Answer{Name: fmt.Sprintf("answer%d", n), From: l.to, Asked: o.Name, How: NoAnswer}
	f.open = a
	if f.ending {
		s.m.Mark(exec.Env, unfollowed, o.Name)
		t := s.own("Terminated")
		a.content = exec.Face{Type: t, Val: s.m.There(a.Name, t)}
		s.sent = append(s.sent, Sent{l.to, o.Name, nil})
		return
	}
	s.outgoing(l)
	a.Asked = s.sent[len(s.sent)-1].Message
	a.content = s.m.Input(a.Name, types.NewInterfaceType(nil, nil))
	for _, name := range []string{"DeadLetterResponse", "MessageEnvelope"} { // of which the future takes something else
		s.m.Exclude(a.content, s.own(name))
	}
}

// known gives a future.
func (s *scheduler) known(v exec.Value) *future {
	p, _ := s.m.Held(v).(*exec.Opaque)
	if s.futures[p] == nil {
		s.refuse("a future that is not known")
	}
	return s.futures[p]
}

// reenter has a task go on once a future is complete: with the message that it has now, before all messages of users.
func (s *scheduler) reenter(f *future, do exec.Value) {
	now := s.running
	t := &task{obj: now.obj, name: now.name, msg: now.msg, sender: now.sender, do: do, on: f}
	if f.done {
		t.obj.system = append(t.obj.system, t)
		return
	}
	f.owner, f.hooks = t.obj, append(f.hooks, t)
}

// block waits for a future, while no other task of the actor runs.
func (s *scheduler) block(o exec.Operation) exec.Value {
	f := s.known(o.Args[0])
	if t := s.running; !f.done {
		f.owner, t.awaited, t.call = t.obj, f, true
		s.m.Suspend()
	}
	if o.Sig.Results().Len() == 1 {
		return f.err
	}
	return exec.Tuple{f.value, f.err}
}

// recipe is what an actor is made of.
type recipe struct {
	op   model.Op // Props: a function that makes it, PropsFunc: the function that it is
	from exec.Value
}

// props notes what an actor is to be made of. With options it is not known.
func (s *scheduler) props(o exec.Operation) exec.Value {
	v := s.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
	options := o.Args[len(o.Args)-1]
	if o.Sig.Variadic() && len(s.m.Elements(options)) > 0 || o.Name == "PropsFromProducerWithActorSystem" {
		return v
	}
	switch o.Op {
	case model.Props, model.PropsFunc:
		s.recipes[v] = &recipe{o.Op, o.Args[0]}
	default:
		if old, ok := s.m.Held(o.Args[0]).(*exec.Opaque); ok {
			s.recipes[v] = s.recipes[old]
		}
	}
	return v
}

// spawn makes an actor. Its first message is Started.
func (s *scheduler) spawn(o exec.Operation) exec.Value {
	props, _ := s.m.Held(o.Made).(*exec.Opaque)
	var ref *term.Term
	if r := s.recipes[props]; r == nil {
		s.strangers++
		ref = s.m.Reference(fmt.Sprintf("spawned%d", s.strangers))
		s.note("spawn", ref, nil)
		s.m.Mark(exec.Env, "%s: what the new actor does is not known, it counts as one outside of the case", o.Name)
	} else {
		made := s.grown(r)
		ref, made.parent = made.ref, s.running.obj.ref
		t := s.own("Started")
		made.system = append(made.system,
			&task{obj: made, name: named(t), msg: exec.Face{Type: t, Val: s.m.There("started", t)}, sender: s.zero(),
				system: true})
	}
	if o.Sig.Results().Len() == 1 {
		return ref
	}
	s.m.Mark(exec.Env, "whether the name of the actor is taken")
	return exec.Tuple{ref, exec.Face{}}
}

// grown makes an actor of what is known of it.
func (s *scheduler) grown(r *recipe) *object {
	s.bounded()
	made := &object{}
	name := ""
	var kind exec.Value
	if r.op == model.PropsFunc {
		f, ok := s.m.Held(r.from).(exec.Func)
		if !ok || f.Fn == nil {
			s.refuse("an actor whose behaviour is not known")
		}
		made.behavior, name, kind = f, model.FunctionName(f.Fn), f
	} else {
		face, ok := s.m.Held(s.m.CallValue(r.from)).(exec.Face)
		if !ok || face.Type == nil {
			s.refuse("an actor whose behaviour is not known")
		}
		made.behavior, made.receive, kind = face.Val, s.receiver(face.Type), face
		name = strings.TrimPrefix(model.TypeName(face.Type), "*")
	}
	made.name, made.number = fmt.Sprintf("%s%d", name, len(s.objects)), len(s.objects)
	made.ref = s.m.Reference(made.name)
	s.objects = append(s.objects, made)
	s.note("spawn", made.ref, kind)
	return made
}

// receiver gives the method that handles the messages of a type of actors.
func (s *scheduler) receiver(t types.Type) *ssa.Function {
	fn := s.m.Method(t, nil, "Receive")
	if fn == nil || len(fn.Blocks) == 0 {
		s.refuse("an actor whose source was not read")
	}
	return fn
}
