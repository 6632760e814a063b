package system

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// hollywood is what Hollywood does for its actors under control of the adapter. It shares requests, the passing of time
// and the record with protoactor-go. There are no system messages. What stops an actor comes as a message. An actor
// handles its first messages in the step of who spawns it. The trace ascribes to that one what it sends.
//
// Differs: a panic ends the execution; no middleware, event streams and timers, which are marked. So are an actor that
// stops its children, since it waits for the end of each, and a handler that waits for the end of an actor.
type hollywood struct {
	*proto
	ids    map[exec.Value]exec.Value // identifiers in options, by the value that is the option
	inner  *agent                    // that handles its first messages, in the step of another
	limits map[*call]*term.Term      // of requests for whose answers nobody waits yet
}

// acts gives the actor whose code runs.
func (w *hollywood) acts() *agent {
	if w.inner != nil {
		return w.inner
	}
	return w.running
}

func (w *hollywood) operate(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Self:
		return w.acts().ref, true
	case model.Message:
		return w.current().msg, true
	case model.Sender:
		return w.current().sender, true
	case model.Parent:
		return w.reference(w.acts().parent), true
	case model.Children:
		if len(w.acts().children) > 1 {
			w.mark("the order in which Children gives several")
		}
		return w.childrenOf(w.acts(), o.Sig), true
	case model.Child:
		if ref := w.child(o); ref != nil {
			return ref, true
		}
		w.mark("which child Child gives")
	case model.Send, model.RequestFrom, model.Forward, model.Respond:
		w.send(o)
		return nil, true
	case model.Ask:
		return w.ask(o), true
	case model.AwaitBlocking:
		return w.result(o), true
	case model.PIDOf:
		if c := w.callOf(o.Args[0]); c != nil {
			return w.futureRef(c), true
		}
	case model.Spawn:
		return w.spawn(o), true
	case model.System:
		return w.engine(o), true
	case model.Option, model.OptionLayer:
		return w.option(o), true
	case model.Choose:
		return w.choice(o), true
	case model.ByName:
		if ref := w.byName(o); ref != nil {
			return ref, true
		}
		w.mark("%s: who is meant is not known", o.Name)
	case model.Stop:
		w.stops(o) // what waits for the end is given by default
	case model.Timer, model.CancelTimer, model.Publish, model.Listen, model.Unlisten, model.NewFuture:
		w.mark("%s is not followed", o.Name)
	}
	return nil, false
}

// engine gives the one engine.
func (w *hollywood) engine(o exec.Operation) exec.Value {
	res := o.Sig.Results()
	e := w.m.There("system", res.At(0).Type().Underlying().(*types.Pointer))
	if res.Len() == 1 {
		return e
	}
	return exec.Tuple{e, exec.Face{}}
}

// own reports whether an operation is that of the context of an actor, not of the engine.
func (w *hollywood) own(o exec.Operation) bool {
	recv := o.Sig.Recv()
	return recv != nil && model.Context(recv.Type()) != ""
}

// send does what puts a message on its way. One to nobody is dropped.
func (w *hollywood) send(o exec.Operation) {
	x, now := letter{msg: o.Msg, sender: w.m.Known(0)}, w.current()
	to := o.To
	switch o.Op {
	case model.Send:
		if w.own(o) {
			x.sender = w.acts().ref
		}
	case model.RequestFrom:
		x.sender = w.m.ReferenceOf(o.From)
	case model.Forward:
		x.msg, x.sender = now.msg, w.acts().ref
	case model.Respond:
		to = now.sender
	}
	if !w.m.Nobody(w.m.ReferenceOf(to)) {
		w.post(w.target(to), x)
	}
}

// post sends a message.
func (w *hollywood) post(to int32, x letter) {
	typ := map[kind]string{poisonKind: "hollywood.Poison", stopKind: "hollywood.Stop"}[x.kind]
	if typ == "" {
		typ = w.typeName(w.typed(x.msg))
	}
	sent := int32(-1)
	switch {
	case to > futures && w.calls[to-futures-1].state != callOpen: // it goes by no name any more
		w.lost(x.pos, false)
	case to > futures:
		sent = w.answered(w.calls[to-futures-1], x.msg)
	case w.notes() && x.kind == ordinary:
		w.note(to, x.msg, x.sender, nil)
		return
	default:
		sent = w.message(w.running, to, trace.User, typ, x)
		defer w.dispatch(sent)
	}
	if w.inner == nil && x.kind == ordinary {
		w.operates(sent)
	}
}

// ask makes a request, for whose answer nobody waits yet.
func (w *hollywood) ask(o exec.Operation) exec.Value {
	c := &call{number: len(w.calls) + 1, asker: w.running.index, request: -1, answer: -1}
	w.calls = append(w.calls, c)
	c.of = w.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
	c.behind = w.pool.Last(c.asker)
	w.limits[c], _ = w.m.Held(o.Args[3]).(*term.Term)
	if w.m.Nobody(w.m.ReferenceOf(o.To)) {
		return c.of
	}
	c.callee = w.target(o.To)
	c.request = int32(len(w.tr.Messages))
	w.post(c.callee, letter{msg: o.Msg, sender: w.futureRef(c)})
	return c.of
}

// result waits for an answer: its time begins now.
func (w *hollywood) result(o exec.Operation) exec.Value {
	if c := w.callOf(o.Args[0]); c != nil && c.state == callOpen && w.limits[c] != nil {
		c.deadline = w.after(w.limits[c])
	}
	return w.proto.result(o)
}

// option notes what an option of a spawn is.
func (w *hollywood) option(o exec.Operation) exec.Value {
	v := w.m.Opaque(o.Sig.Results().At(0).Type())
	w.options[v] = o.Name
	if o.Name == "WithID" {
		w.ids[v] = o.Args[0]
	}
	return v
}

// identifier gives what the options of a spawn name the actor, "" if nothing.
func (w *hollywood) identifier(o exec.Operation) (id string) {
	if !o.Sig.Variadic() {
		return ""
	}
	for _, v := range w.m.Elements(o.Args[len(o.Args)-1]) {
		held := w.m.Held(v)
		switch name := w.options[held]; name {
		case "WithID":
			text, ok := w.m.Text(w.ids[held])
			if id = text; !ok {
				w.mark("the identifier of an actor is not known")
			}
		case "WithMiddleware":
			w.m.Mark(exec.Havoc, "middleware is not followed")
		case "":
			if _, own := held.(exec.Func); own {
				w.m.Mark(exec.Havoc, "an option of the program's own is not followed")
			}
		}
	}
	return id
}

// spawn makes an actor, which handles its first messages at once.
func (w *hollywood) spawn(o exec.Operation) exec.Value {
	f, ok := w.m.Held(o.Made).(exec.Func)
	if !ok || f.Fn == nil {
		w.m.End("an actor whose producer is not known")
	}
	r := &recipe{op: model.Props, from: o.Made}
	if strings.HasSuffix(o.Name, "Func") {
		r.op = model.PropsFunc
	}
	of, ok := w.m.Text(o.Args[2])
	if !ok {
		w.mark("the kind of an actor is not known")
	}
	id, name := w.identifier(o), of[strings.LastIndexByte(of, '/')+1:]
	if id != "" {
		name += "/" + id
	}
	value := w.incarnates(r)
	typ := w.kindOf(r, value, name)
	up := w.acts()
	w.tr.AddActor(w.tr.TypeNamed(typ), name, w.running.index, w.event)
	a := w.newAgent()
	a.recipe, a.value, a.function = r, value, r.op == model.PropsFunc
	if id != "" && !w.own(o) {
		a.id = of + "/" + id
	}
	if w.own(o) {
		a.parent = up.index
		up.children = append(up.children, a.index)
		if up.id != "" && id != "" {
			a.id = up.id + "/" + of + "/" + id
		}
	}
	if w.inner == nil {
		w.creates(a)
	}
	for _, first := range []string{"Initialized", "Started"} {
		w.receive(a, letter{msg: w.framework(first), sender: w.m.Known(0)})
	}
	return a.ref
}

// framework makes a message of the framework.
func (w *hollywood) framework(name string) exec.Value {
	t := w.p.frameworkType(model.HollywoodPath, name)
	if t == nil {
		w.m.End("Hollywood's " + name + " is not known")
	}
	return exec.Face{Type: t, Val: w.m.Zero(t)}
}

// receive runs the code of an actor for a message, in the middle of the handler that runs.
func (w *hollywood) receive(a *agent, x letter) {
	h := w.running.cur
	acting, inner := w.inner, h.inner
	h.inner = &x
	if a != w.running {
		w.inner = a
	}
	w.runs(a)
	h.inner, w.inner = inner, acting
	if h.message >= 0 {
		w.m.Receive(w.current().msg)
	}
}

// runs calls what handles the messages of an actor.
func (w *hollywood) runs(a *agent) {
	w.m.Receive(w.current().msg)
	if a.function {
		w.callActor(a.value)
		return
	}
	face := w.m.Held(a.value).(exec.Face)
	fn := w.m.Method(face.Type, nil, "Receive")
	if fn == nil || len(fn.Blocks) == 0 {
		w.m.End("an actor whose source was not read")
	}
	w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-1].Type()))
}

// handle has an actor handle the message of a handler.
func (w *hollywood) handle(h *handler) {
	x := w.letters[h.message]
	if x.sender == nil {
		x.sender = w.m.Known(0)
	}
	if x.kind != poisonKind && x.kind != stopKind {
		w.receive(h.actor, x)
		return
	}
	a := h.actor
	if x.kind == poisonKind {
		w.mark("what follows Poison in its batch")
	}
	for _, c := range a.children {
		w.mark("the end of an actor with children")
		w.post(c, letter{kind: poisonKind, sender: w.m.Known(0)})
	}
	a.stopped = true
	if w.captures() && w.pool.Holds(a.index) {
		w.pool.SendIn(a.index, w.proto.world.message(a, a.index, trace.End, "end", letter{}))
	} else {
		a.leaving = true
	}
	w.receive(a, letter{msg: w.framework("Stopped"), sender: w.m.Known(0)})
	if a.parent > 0 {
		p := w.actors[a.parent]
		for i, c := range p.children {
			if c == a.index {
				p.children = append(p.children[:i:i], p.children[i+1:]...)
				break
			}
		}
	}
}

// stops sends what stops an actor. Who has stopped gets none.
func (w *hollywood) stops(o exec.Operation) {
	ref := w.m.ReferenceOf(o.To)
	if w.m.Nobody(ref) {
		return
	}
	to := w.target(ref)
	if to > futures || w.actors[to].stopped {
		return
	}
	k := stopKind
	if strings.HasPrefix(o.Name, "Poison") {
		k = poisonKind
	}
	w.post(to, letter{kind: k, sender: w.m.Known(0)})
}

// byName gives the actor of a name; nil if the name is not known. Who looks a name up finds nobody if there is none.
func (w *hollywood) byName(o exec.Operation) *term.Term {
	id, ok := w.m.Text(o.Args[1])
	if len(o.Args) > 2 {
		more, known := w.m.Text(o.Args[2])
		id, ok = id+"/"+more, ok && known
	}
	switch {
	case !ok || o.Name == "Child":
		return nil
	case o.Name == "NewPID":
		return w.named(o.Args[1])
	}
	if a := w.called(id); a != nil && !a.stopped {
		return a.ref
	}
	return w.m.Known(0)
}

// child gives the child of a name; nil if that is not known. Nobody can write down the name of one whose identifier, or
// that of whose parent, the framework has drawn.
func (w *hollywood) child(o exec.Operation) *term.Term {
	id, ok := w.m.Text(o.Args[1])
	for _, c := range w.acts().children {
		switch a := w.actors[c]; {
		case a.id == "":
		case !ok:
			return nil
		case a.id == id:
			return a.ref
		}
	}
	return w.m.Known(0)
}

// lets lets a handler run until it waits or ends. A panic ends the execution.
func (w *hollywood) lets(h *handler) (ended bool) {
	failed := w.m.Catch(func() { ended = w.m.Resume(h.task) })
	if failed != nil {
		w.marked = true
		w.m.Fail(failed)
	}
	return ended
}

// system is not called: there are no system messages.
func (w *hollywood) system(*agent, int32) { w.m.End("a system message in Hollywood") }

// dead is a message whose receiver has stopped, of which others hear by the event stream alone.
func (w *hollywood) dead(int32) {}
