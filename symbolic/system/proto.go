package system

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// proto is what protoactor-go does for its actors under control of the adapter: actor_context.go and deadletter.go of
// the framework.
//
// Differs: supervision is the default one, and a panic under another one ends the execution; no middleware, routers,
// event streams and restored stashes, which are marked.
type proto struct {
	*world
	options map[exec.Value]string // of props, by the value that they are: their names
	names   []string              // that references by name have, of actors that were not there
}

// names is the first of references by name.
const names = 7000

// recipe is what an actor is made from.
type recipe struct {
	op   model.Op // Props: a function that makes it; PropsFunc: the function that it is
	from exec.Value
	pool bool // a router, or made with options that matter

	supervisor, guardian bool // it has a strategy of its own: for its children, for itself
}

func (w *proto) operate(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Self:
		return w.running.ref, true
	case model.Message:
		return w.current().msg, true
	case model.Sender:
		return w.current().sender, true
	case model.Parent:
		return w.reference(w.running.parent), true
	case model.Children:
		return w.childrenOf(w.running, o.Sig), true
	case model.Send, model.Request, model.RequestFrom, model.Forward, model.Respond:
		w.send(o)
		return nil, true
	case model.Stop:
		w.stopOrPoison(o)
		return nil, true
	case model.Watch, model.Unwatch:
		k, typ := watchKind, "actor.Watch"
		if o.Op == model.Unwatch {
			k, typ = unwatchKind, "actor.Unwatch"
		}
		w.sendSystem(w.target(o.To), typ, letter{kind: k, sender: w.running.ref})
		return nil, true
	case model.Spawn:
		return w.spawn(o), true
	case model.Choose:
		return w.choice(o), true
	}
	return w.more(o)
}

// more does what is about futures, timers and props.
func (w *proto) more(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Props, model.PropsFunc, model.PropsSame, model.PropsClone:
		return w.propsOf(o), true
	case model.System:
		if ptr, ok := o.Sig.Results().At(0).Type().Underlying().(*types.Pointer); ok {
			return w.m.There("system", ptr), true
		}
		return nil, false
	case model.Option, model.OptionLayer:
		return w.option(o), true
	case model.Ask, model.StopAsk:
		return w.ask(o), true
	case model.AwaitBlocking:
		return w.result(o), true
	case model.Reenter:
		w.reenter(o)
		return nil, true
	case model.PIDOf:
		if c := w.callOf(o.Args[0]); c != nil {
			return w.futureRef(c), true
		}
	case model.Pipe:
		w.pipe(o)
		return nil, true
	case model.ByName:
		if ref := w.named(o.Args[1]); ref != nil {
			return ref, true
		}
		w.mark("%s: who is meant is not known", o.Name)
	case model.IdleTimer, model.CancelTimer:
		w.idles(o)
		return nil, true
	case model.Timer, model.RequestTimer, model.Publish, model.Subscribe, model.Stash, model.NewFuture:
		w.mark("%s is not followed", o.Name)
	case model.Pool, model.Group:
		v := w.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
		w.recipes[v] = &recipe{pool: true}
		return v, true
	}
	return nil, false
}

func (w *proto) outer(*types.Func, []exec.Value) (exec.Value, bool) { return nil, false }

// current gives the message that is handled, the driver has none.
func (w *proto) current() letter {
	if h := w.running.cur; h != nil && h.inner != nil {
		return *h.inner
	} else if h != nil && h.message >= 0 {
		x := w.letters[h.message]
		if x.sender == nil {
			x.sender = w.m.Known(0)
		}
		return x
	}
	return letter{msg: exec.Face{}, sender: w.m.Known(0)}
}

// reference gives the reference to an actor, nobody for -1 and for the driver.
func (w *proto) reference(a int32) *term.Term {
	if a <= 0 {
		return w.m.Known(0)
	}
	return w.actors[a].ref
}

// target decides who is meant by a reference. Nobody is a panic inside of the framework.
func (w *proto) target(v exec.Value) int32 { return w.targetOf(v, nil) }

// targetOf is target of a message, nil for none.
func (w *proto) targetOf(v, msg exec.Value) int32 {
	ref := w.m.ReferenceOf(v)
	n := exec.KnownActor(ref)
	switch {
	case n >= names:
		a := w.called(w.names[n-names])
		if a == nil {
			w.m.End("a message to a name that nobody has")
		}
		return a.index
	case n > futures:
		return int32(n)
	}
	to := w.whom(ref, msg)
	if to < 0 {
		w.m.Throw("send to a nil reference")
	}
	return to
}

// send does what puts a message of a user on its way.
func (w *proto) send(o exec.Operation) {
	x := letter{msg: o.Msg, sender: w.m.Known(0)}
	now := w.current()
	switch o.Op {
	case model.Request:
		if w.running.index > 0 {
			x.sender = w.running.ref
		}
	case model.RequestFrom:
		x.sender = w.m.ReferenceOf(o.From)
	case model.Forward:
		x.msg, x.sender = now.msg, now.sender
	case model.Respond:
		if w.m.Nobody(now.sender) {
			w.lost(w.m.Pos(), true)
			w.operates(-1)
			return // a dead letter
		}
		w.post(w.target(now.sender), x)
		return
	}
	w.post(w.targetOf(o.To, x.msg), x)
}

// post sends a message of a user.
func (w *proto) post(to int32, x letter) {
	switch {
	case to > futures && w.calls[to-futures-1].state != callOpen: // it goes by no name any more
		w.lost(x.pos, false)
		w.operates(-1)
	case to > futures:
		w.operates(w.answered(w.calls[to-futures-1], x.msg))
	case w.notes():
		w.note(to, x.msg, x.sender, nil)
	default:
		for _, one := range w.batch(x.msg) {
			w.post(to, letter{kind: batchKind, msg: one, sender: w.m.Known(0)})
		}
		i := w.message(w.running, to, trace.User, w.typeName(w.typed(x.msg)), x)
		if x.kind == ordinary {
			w.operates(i)
		}
		w.dispatch(i)
	}
}

// batch gives the messages of one that is a batch: they come before it.
func (w *proto) batch(msg exec.Value) []exec.Value {
	fn, recv := w.method(msg, "GetMessages")
	if fn == nil || fn.Signature.Params().Len() > 0 || fn.Signature.Results().Len() != 1 {
		return nil
	}
	return w.m.Elements(w.m.Call(fn, recv))
}

// sendSystem sends a system message.
func (w *proto) sendSystem(to int32, typ string, x letter) {
	if to > futures {
		w.mark("a system message to a future is not followed")
		return
	}
	if w.actors[to].stopped && x.kind != watchKind {
		return // nobody goes by its name: a dead letter of which nothing comes
	}
	w.dispatch(w.message(w.running, to, trace.System, typ, x))
}

// stopOrPoison has an actor stop: at once, or behind the messages that it has.
func (w *proto) stopOrPoison(o exec.Operation) {
	to := w.target(o.To)
	if w.waited && w.driver.Plain && w.running.index == 0 {
		return // behind a wait that nobody ends
	}
	if strings.HasPrefix(o.Name, "Poison") {
		w.post(to, letter{kind: poisonKind, msg: w.own("PoisonPill"), sender: w.m.Known(0)})
		return
	}
	w.sendSystem(to, "actor.Stop", letter{kind: stopKind})
}

// own makes a pointer to a message of the framework.
func (w *proto) own(name string, fields ...exec.Value) exec.Value {
	t := w.p.frameworkType(model.ProtoactorPath, name)
	if t == nil {
		w.m.End("protoactor-go's " + name + " is not known")
	}
	v := w.m.Zero(t)
	if s, ok := v.(*exec.Struct); ok {
		str := t.Underlying().(*types.Struct)
		for i := range str.NumFields() {
			if str.Field(i).Name() == "Who" && len(fields) > 0 {
				s.Fields[i] = fields[0]
			}
		}
	}
	return exec.Face{Type: types.NewPointer(t), Val: w.m.Pointer(t, v)}
}

// named gives a reference by name: to the actor, or to the one that gets the name later; nil if the name is not known.
func (w *proto) named(v exec.Value) *term.Term {
	id, ok := w.m.Text(v)
	if !ok || id == "" {
		return nil
	}
	if a := w.called(id); a != nil {
		return a.ref
	}
	i := slices.Index(w.names, id)
	if i < 0 {
		i, w.names = len(w.names), append(w.names, id)
	}
	return w.m.Known(names + i)
}

// called finds the actor of a name, nil if there is none.
func (w *world) called(id string) *agent {
	for _, a := range w.actors {
		if a.id == id {
			return a
		}
	}
	return nil
}

// childrenOf gives the children of an actor.
func (w *proto) childrenOf(a *agent, sig *types.Signature) exec.Value {
	var list []exec.Value
	for _, c := range a.children {
		list = append(list, w.actors[c].ref)
	}
	return w.m.Slice(sig.Results().At(0).Type().Underlying().(*types.Slice).Elem(), list)
}
