package system

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// goakt is what GoAkt does for its actors under control of the adapter. It shares calls, the passing of time and the
// record with protoactor-go. Actors are values that are handed over. PreStart runs in the step of who spawns, and
// PostStart is the first message. Who is no actor has the framework's NoSender for a reference: that of the driver.
//
// Differs: a panic ends the execution, and so does what supervision would do about an error of a handler. The
// framework's own actors are left out, and with them the messages that only they handle. An actor that stops another
// one does not wait for that. Stashes, requests whose answers run functions, timers and pipes are marked. So is the end
// of an actor.
type goakt struct{ *proto }

// goaktErrors is the package of the framework's errors.
const goaktErrors = "github.com/tochemey/goakt/v4/errors"

func (w *goakt) operate(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Self:
		return w.running.ref, true
	case model.Message:
		return w.current().msg, true
	case model.Sender:
		return w.current().sender, true
	case model.Choose:
		return w.choice(o), true
	case model.Send, model.RequestFrom, model.Forward:
		return w.send(o), true
	case model.Respond:
		w.respond(o.Msg)
		return nil, true
	case model.Call:
		return w.call(o), true
	case model.Spawn:
		return w.spawn(o), true
	case model.Become, model.Unbecome:
		w.become(o)
		return nil, true
	case model.System:
		return w.systemOf(o), true
	}
	return w.rest(o)
}

// rest does what is about names, relatives and ends.
func (w *goakt) rest(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Stop:
		return w.stops(o), true
	case model.Watch, model.Unwatch:
		w.watch(o)
		return nil, true
	case model.Parent:
		return w.reference(w.of(o).parent), true
	case model.Children:
		if len(w.of(o).children) > 1 {
			w.mark("the order in which Children gives several")
		}
		return w.childrenOf(w.of(o), o.Sig), true
	case model.Child, model.ByName:
		if v, ok := w.byName(o); ok {
			return v, true
		}
		w.mark("%s: who is meant is not known", o.Name)
	case model.Unhandled:
		return nil, true
	case model.Stash, model.Unstash, model.Ask, model.Reenter, model.Timer, model.CancelTimer, model.Work:
		w.mark("%s is not followed", o.Name)
	}
	return nil, false
}

// own reports whether an operation is that of the context of an actor.
func (w *goakt) own(o exec.Operation) bool {
	recv := o.Sig.Recv()
	return recv != nil && model.Context(recv.Type()) != ""
}

// reference reports whether an operation is that of a reference to an actor.
func (w *goakt) ofReference(o exec.Operation) bool {
	recv := o.Sig.Recv()
	return recv != nil && model.Stands(recv.Type())
}

// of gives the actor that an operation is about: the one of the reference that it is a method of, or the one that acts.
func (w *goakt) of(o exec.Operation) *agent {
	if w.ofReference(o) {
		return w.actors[w.target(o.Args[0])]
	}
	return w.running
}

// nobody is the sender of what comes from outside of actors.
func (w *goakt) nobody() *term.Term { return w.actors[0].ref }

// from gives the sender of what an operation sends.
func (w *goakt) from(o exec.Operation) *term.Term {
	switch {
	case w.ofReference(o):
		return w.m.ReferenceOf(o.Args[0])
	case w.own(o):
		return w.running.ref
	}
	return w.nobody()
}

// current is proto.current, with who sends what nobody has sent.
func (w *goakt) current() letter {
	x := w.proto.current()
	if w.m.Nobody(x.sender) {
		x.sender = w.nobody()
	}
	return x
}

// to gives whom an operation is for, false if there is no such actor: the caller is told so.
func (w *goakt) to(o exec.Operation) (int32, bool) {
	ref := exec.Value(o.To)
	if o.To == nil && !w.own(o) || o.To == nil && w.nameIn(o) != nil {
		if ref = w.nameIn(o); ref == nil {
			w.m.End(o.Name + ": who is meant is not known")
		}
	}
	if w.m.Nobody(w.m.ReferenceOf(ref)) {
		if o.Sig.Recv() != nil {
			w.m.Throw("nil dereference")
		}
		return -1, false
	}
	to := w.target(ref)
	if to >= 0 && to < futures && w.actors[to].stopped {
		w.mark("an error of %s, since the actor has ended", o.Name)
		return to, false
	}
	return to, true
}

// nameIn gives the actor whose name an operation has in the place of a reference, nil if that is not known.
func (w *goakt) nameIn(o exec.Operation) exec.Value {
	for _, v := range o.Args {
		if id, ok := w.m.Text(v); ok {
			if a := w.called(id); a != nil && !a.stopped {
				return a.ref
			}
			return nil
		}
	}
	return nil
}

// send does what puts a message on its way. It gives no error.
func (w *goakt) send(o exec.Operation) exec.Value {
	to, ok := w.to(o)
	x := letter{msg: o.Msg, sender: w.from(o)}
	if o.Op == model.Forward {
		x.msg, x.sender = w.current().msg, w.current().sender
	}
	switch {
	case !ok:
		if o.Sig.Results().Len() > 0 {
			return w.failure("ErrDead")
		}
		return nil
	case o.Name == "BatchTell":
		for _, msg := range w.m.Elements(o.Msg) {
			w.post(to, letter{msg: msg, sender: x.sender})
		}
	default:
		w.post(to, x)
	}
	if o.Sig.Results().Len() > 0 {
		return exec.Face{}
	}
	return nil
}

// failure gives an error of the framework.
func (w *goakt) failure(name string) exec.Value {
	if pkg := w.p.load.SSA.ImportedPackage(goaktErrors); pkg != nil {
		if err := w.m.Variable(pkg.Pkg, name); err != nil {
			return err
		}
	}
	return w.m.Error(name)
}

// post sends a message. What the framework's own actor gets that stands for nobody is dropped.
func (w *goakt) post(to int32, x letter) {
	typ := w.typeName(w.typed(x.msg))
	switch {
	case to == 0:
		w.operates(-1)
	case w.notes():
		w.note(to, x.msg, x.sender, x.call)
	case typ == "actor.PoisonPill":
		x.kind = poisonKind
		w.dispatch(w.message(w.running, to, trace.System, typ, x))
	default:
		i := w.message(w.running, to, trace.User, typ, x)
		w.operates(i)
		w.dispatch(i)
	}
}

// call asks, and waits for the answer. A method of the context tells no error, but supervision hears of it.
func (w *goakt) call(o exec.Operation) exec.Value {
	c := &call{number: len(w.calls) + 1, asker: w.running.index, request: -1, answer: -1}
	to, ok := w.to(o)
	if !ok {
		return w.given(o, exec.Face{}, w.failure("ErrDead"))
	}
	w.calls = append(w.calls, c)
	c.callee, c.request, c.behind = to, int32(len(w.tr.Messages)), w.pool.Last(c.asker)
	limit, ok := w.m.Held(o.Args[len(o.Args)-1]).(*term.Term)
	if !ok {
		w.m.End("how long " + o.Name + " waits is not known")
	}
	c.deadline = w.after(limit)
	w.post(to, letter{msg: o.Msg, sender: w.from(o), call: c})
	h := w.running.cur
	h.wait, h.call, c.caller = waitCall, c, h
	w.park(h)
	if w.typed(c.err) != nil && o.Sig.Results().Len() == 1 {
		w.mark("what supervision does about an error of a handler")
	}
	return w.given(o, c.value, c.err)
}

// given gives the results of an operation that has a value, and an error perhaps.
func (w *goakt) given(o exec.Operation, v, err exec.Value) exec.Value {
	if v == nil {
		v = exec.Face{}
	}
	if o.Sig.Results().Len() == 1 {
		return v
	}
	return exec.Tuple{v, err}
}

// respond answers a call, once. Another message has no answer.
func (w *goakt) respond(msg exec.Value) {
	x := w.current()
	c := x.call
	if c == nil || c.state != callOpen || c.answer >= 0 {
		w.operates(-1)
		return
	}
	w.operates(w.answered(c, msg))
}

// systemOf gives the actor system.
func (w *goakt) systemOf(o exec.Operation) exec.Value {
	res := o.Sig.Results()
	s := w.m.Opaque(res.At(0).Type())
	if res.Len() == 1 {
		return s
	}
	return exec.Tuple{s, exec.Face{}}
}

// outer does without the framework what its systems do that concerns no actor of a program.
func (w *goakt) outer(fn *types.Func, _ []exec.Value) (exec.Value, bool) {
	switch w.m.FullName(fn) {
	case "(" + model.GoAktPath + ".ActorSystem).Start":
		return exec.Face{}, true
	case "(" + model.GoAktPath + ".ActorSystem).Stop":
		w.mark("the end of the actor system") // each PostStop runs
		return exec.Face{}, true
	case "(" + model.GoAktPath + ".ActorSystem).NoSender":
		return w.nobody(), true
	}
	return nil, false
}

// spawn makes an actor, which runs its PreStart at once, and whose first message is PostStart.
func (w *goakt) spawn(o exec.Operation) exec.Value {
	id := w.nameOf(o)
	parent := w.actors[0]
	if w.own(o) || w.ofReference(o) {
		parent = w.of(o)
	}
	if a := w.called(id); a != nil && !a.stopped {
		if a.parent != parent.index || parent.index == 0 {
			w.m.End("an actor under the name of another one")
		}
		return w.made(o, a)
	}
	typ, function := id, false
	switch v := w.m.Held(o.Made).(type) {
	case exec.Func:
		function = v.Fn != nil
	case exec.Face:
		if v.Type != nil {
			w.preStart(v)
			typ = model.TypeName(v.Type)
		}
	}
	if typ == id && !function {
		w.m.End("an actor whose behaviour is not known")
	}
	w.tr.AddActor(w.tr.TypeNamed(typ), id, w.running.index, w.event)
	a := w.newAgent()
	a.recipe, a.value, a.id, a.function = &recipe{from: o.Made}, o.Made, id, function
	if a.parent = parent.index; parent.index > 0 {
		parent.children = append(parent.children, a.index)
	}
	w.creates(a)
	i := w.message(w.running, a.index, trace.System, "actor.PostStart",
		letter{kind: startedKind, msg: w.framework("PostStart"), sender: w.nobody()})
	w.tr.Messages[i].Starts = true
	w.dispatch(i)
	return w.made(o, a)
}

// made gives the results of a spawn.
func (w *goakt) made(o exec.Operation, a *agent) exec.Value {
	if o.Sig.Results().Len() == 1 {
		return a.ref
	}
	return exec.Tuple{a.ref, exec.Face{}}
}

// nameOf gives the name that an actor is spawned with.
func (w *goakt) nameOf(o exec.Operation) string {
	if o.Name == "SpawnFromFunc" {
		w.m.End("an actor with a random name")
	}
	at := 1
	if !w.own(o) {
		at = 2
	}
	id, ok := w.m.Text(o.Args[at])
	if !ok || id == "" {
		w.m.End("the name of an actor is not known")
	}
	return id
}

// preStart runs what a new actor does before anybody knows it.
func (w *goakt) preStart(face exec.Face) {
	fn := w.m.Method(face.Type, nil, "PreStart")
	if fn == nil || len(fn.Blocks) == 0 {
		w.m.End("an actor whose source was not read")
	}
	err := w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-1].Type()))
	if w.typed(err) != nil {
		w.m.End("PreStart of an actor fails")
	}
}

// framework makes a pointer to a message of the framework.
func (w *goakt) framework(name string) exec.Value {
	t := w.p.frameworkType(model.GoAktPath, name)
	if t == nil {
		w.m.End("GoAkt's " + name + " is not known")
	}
	return exec.Face{Type: types.NewPointer(t), Val: w.m.Pointer(t, w.m.Zero(t))}
}

// become changes what handles the next messages. UnBecome goes back to the first behaviour.
func (w *goakt) become(o exec.Operation) {
	a := w.running
	switch o.Name {
	case "BecomeStacked":
		a.previous, a.value = append(a.previous, a.value), o.Func
	case "Become":
		a.previous, a.value = nil, o.Func
	case "UnBecome":
		a.previous, a.value = nil, a.recipe.from
	default:
		if len(a.previous) == 0 {
			w.m.End("an actor without a behaviour")
		}
		a.value = a.previous[len(a.previous)-1]
		a.previous = a.previous[:len(a.previous)-1]
	}
}

// handle has an actor handle the message of a handler.
func (w *goakt) handle(h *handler) {
	x := w.letters[h.message]
	if x.sender == nil || w.m.Nobody(x.sender) {
		x.sender = w.nobody()
	}
	if x.kind == poisonKind || x.kind == stopKind {
		w.ends(h.actor)
		return
	}
	up := h.inner
	h.inner = &x
	w.m.Receive(x.msg)
	a := h.actor
	face, ok := w.m.Held(a.value).(exec.Face)
	switch {
	case a.function && x.kind == startedKind: // the framework keeps that to itself
	case a.function:
		f := w.m.Held(a.value).(exec.Func)
		err := w.m.CallValue(f, w.m.Context(f.Fn.Signature.Params().At(0).Type()), x.msg)
		if w.typed(err) != nil {
			w.mark("what supervision does about an error of a handler")
		}
	case ok:
		fn := w.m.Method(face.Type, nil, "Receive")
		if fn == nil || len(fn.Blocks) == 0 {
			w.m.End("an actor whose source was not read")
		}
		w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-1].Type()))
	default:
		w.callActor(a.value)
	}
	h.inner = up
}

// lets lets a handler run until it waits or ends. A panic ends the execution.
func (w *goakt) lets(h *handler) (ended bool) {
	failed := w.m.Catch(func() { ended = w.m.Resume(h.task) })
	if failed != nil {
		w.marked = true
		w.m.Fail(failed)
	}
	return ended
}

// system handles a system message.
func (w *goakt) system(a *agent, message int32) { w.run(a, message, w.code) }

// dead is a message whose receiver has stopped: its sender is told, or nobody.
func (w *goakt) dead(int32) { w.mark("a message to an actor that has ended") }
