package system

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// native is what package actor does for its actors.
type native struct{ *world }

func (w *native) operate(o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Spawn:
		return w.spawn(o), true
	case model.Send:
		w.send(o.To, letter{msg: o.Msg})
	case model.Respond:
		w.reply(o.Msg)
	case model.Become:
		a := w.running
		a.previous = append(a.previous, a.value)
		a.value = o.Func
	case model.Unbecome:
		if a := w.running; len(a.previous) > 0 {
			a.value = a.previous[len(a.previous)-1]
			a.previous = a.previous[:len(a.previous)-1]
		}
	case model.Stop:
		if o.To == nil {
			w.running.stopping = true
		} else {
			w.sendSystem(o.To, stopKind, "actor.stop")
		}
	case model.Watch:
		w.sendSystem(o.To, watchKind, "actor.watch")
	case model.Self:
		return w.running.ref, true
	case model.Sender:
		return w.sender(), true
	case model.Unhandled:
	case model.Stash:
		w.running.stash = append(w.running.stash, w.running.cur.message)
	case model.Unstash:
		w.unstash(w.running)
	default:
		return w.waiting(o)
	}
	return nil, true
}

// waiting does what is about calls, futures, timers and choices.
func (w *native) waiting(o exec.Operation) (exec.Value, bool) {
	results := o.Sig.Results()
	switch o.Op {
	case model.Call:
		var limit *term.Term
		if o.Name == "CallTimeout" {
			limit = w.m.Held(o.Args[3]).(*term.Term)
		}
		return w.callFor(o, limit), true
	case model.Ask:
		return w.ask(o), true
	case model.Await:
		return w.await(o), true
	case model.AwaitCond:
		w.awaitUntil(o.Func)
	case model.Receive:
		h := w.blocks("Receive")
		h.wait, h.cond = waitReceive, o.Func
		w.park(h)
		h.message = h.taken
		return w.letters[h.message].msg, true
	case model.Timer:
		t := w.setTimer(w.running, w.m.Held(o.Args[1]).(*term.Term), letter{msg: w.m.Copy(o.Msg)}, w.typeName(w.typed(o.Msg)))
		if a := w.runner; a.cur != nil {
			a.cur.timers = append(a.cur.timers, t)
		}
		return w.store.Int(sortOf(results.At(0).Type()), int64(t.number)), true
	case model.CancelTimer:
		if t := w.numbered(o.Args[1]); t != nil {
			w.takesTurn(t)
			return w.store.Bool(w.cancel(t)), true
		}
		return w.store.Bool(false), true
	case model.Choose:
		return w.choice(o), true
	default:
		return nil, false
	}
	return nil, true
}

func sortOf(t types.Type) term.Sort {
	s, _ := term.TypeOf(t)
	return s.Sort
}

// outer does what functions of the framework do that concern no other actor.
func (w *native) outer(fn *types.Func, args []exec.Value) (exec.Value, bool) {
	switch w.m.FullName(fn) {
	case "(*" + model.NativePath + ".Context).T":
		return w.m.Opaque(fn.Signature().Results().At(0).Type()), true
	case "(*" + model.NativePath + ".Context).Now":
		return w.later(w.now, w.running.clock), true
	case "(*" + model.NativePath + ".Context).Name":
		if to := w.who(args[1]); to >= 0 {
			return w.store.Text(w.tr.ActorName(to)), true
		}
		return w.store.Text("nobody"), true
	case "(*" + model.NativePath + ".Future).Ready":
		if f := w.future(args[0]); f != nil {
			return w.store.Bool(f.readyFor(w.running)), true
		}
	}
	return nil, false
}

// spawn creates an actor, and runs its start hook in the same step.
func (w *native) spawn(o exec.Operation) exec.Value {
	name := ""
	if o.Name == "SpawnNamed" {
		text, ok := w.m.Text(o.Args[1])
		if name = text; !ok {
			w.mark("the name of an actor is not known")
		}
	}
	face, ok := w.m.Held(o.Made).(exec.Face)
	if !ok || face.Type == nil {
		w.m.End("an actor whose behaviour is not known")
	}
	creator := w.running
	w.tr.AddActor(w.tr.TypeNamed(w.behaviorType(face, name)), name, creator.index, w.event)
	a := w.newAgent()
	a.value, a.clock = face, w.later(w.now, creator.clock)
	w.creates(a)
	if start := w.m.Method(face.Type, nil, "Start"); start != nil && len(start.Params) == 2 &&
		isContext(start.Params[1].Type()) {
		w.born(func() { w.begins(a, start, face) })
		w.running = creator
	}
	return a.ref
}

// begins runs the start hook of a new actor.
func (w *native) begins(a *agent, start *ssa.Function, face exec.Face) {
	a.starting, w.running = true, a
	failed := w.m.Catch(func() { w.m.Call(start, face.Val, w.m.Context(start.Params[1].Type())) })
	a.starting = false
	if failed != nil {
		w.panicked(a, failed)
	}
	if a.stopping {
		w.stop(a)
	}
}

// born has a new actor begin. What its hook visits until the driver has sent its messages, each test with that driver
// visits.
func (w *world) born(begin func()) {
	if w.over {
		begin()
		return
	}
	w.hooked = append(w.hooked, w.m.Visits(begin)...)
}

// lasting gives the blocks that every execution visits before the driver's own messages: those of set-up, and of start
// hooks.
func (w *world) lasting() []*ssa.BasicBlock {
	return slices.Concat(w.m.Path().Blocks[:w.visited], w.hooked)
}

// isContext reports whether a type is that by which native actors act.
func isContext(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == model.NativePath
}

// behaviorType names the type of an actor as traces do.
func (w *native) behaviorType(face exec.Face, name string) string {
	if model.ActorFunc(face.Type) == "" {
		return model.TypeName(face.Type)
	}
	if name != "" {
		return name
	}
	if f, ok := w.m.Held(face.Val).(exec.Func); ok && f.Fn != nil {
		return model.FunctionName(f.Fn)
	}
	return "unknown"
}

// handle has an actor handle a message.
func (w *native) handle(h *handler) {
	msg := w.letters[h.message].msg
	face := w.m.Held(h.actor.value).(exec.Face)
	if model.ActorFunc(face.Type) != "" {
		sig := face.Type.Underlying().(*types.Signature)
		w.m.CallValue(face.Val, w.m.Context(sig.Params().At(0).Type()), msg)
		return
	}
	fn := w.m.Method(face.Type, nil, "Receive")
	if fn == nil || len(fn.Blocks) == 0 {
		w.m.End("an actor whose source was not read")
	}
	w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-2].Type()), msg)
}

// accepts asks an actor that has constraints.
func (w *native) accepts(a *agent, message int32) bool {
	if a.index == 0 {
		return false // the test function takes messages by Receive alone
	}
	fn, recv := w.method(a.value, "Accepts")
	if fn == nil {
		return true
	}
	return w.constraint(a, fn, recv, w.letters[message].msg)
}

// refuses reports whether an actor may refuse a message and take it later.
func (w *world) refuses(a *agent) bool {
	fn, _ := w.method(a.value, "Accepts")
	return fn != nil && !a.stopped && !w.driver.Proto
}

func (w *native) constraint(a *agent, fn *ssa.Function, recv, msg exec.Value) bool {
	up := w.running
	w.running = a
	defer func() { w.running = up }()
	c, ok := w.m.Call(fn, recv, msg).(*term.Term)
	return ok && w.m.True(c)
}

// send sends a message.
func (w *native) send(to exec.Value, x letter) {
	receiver := w.whom(to, x.msg)
	x.msg = w.m.Copy(x.msg)
	switch {
	case w.notes():
		w.note(receiver, x.msg, nil, nil)
	case receiver < 0:
		w.lost(w.m.Pos(), x.answers)
		w.operates(-1)
	default:
		i := w.message(w.running, receiver, trace.User, w.typeName(w.typed(x.msg)), x)
		w.operates(i)
		w.dispatch(i)
	}
}

// sendSystem sends a system message.
func (w *native) sendSystem(to exec.Value, k kind, typ string) {
	if receiver := w.who(to); receiver >= 0 {
		if w.notes() {
			w.mark("%s of the test function is not followed", typ)
			return
		}
		w.dispatch(w.message(w.running, receiver, trace.System, typ, letter{kind: k}))
	}
}

// sender gives who has sent the message that is handled.
func (w *native) sender() exec.Value {
	if h := w.running.cur; h != nil && h.message >= 0 && !w.running.starting {
		return w.actors[w.tr.Messages[h.message].Sender].ref
	}
	return w.m.Known(0)
}

// reply answers the message that is handled.
func (w *native) reply(msg exec.Value) {
	h := w.running.cur
	if h == nil || h.message < 0 {
		w.m.Throw("Reply while no message is being handled")
	}
	c := w.letters[h.message].call
	if c == nil || w.tr.Messages[h.message].Kind != trace.User {
		w.send(w.sender(), letter{msg: msg, answers: true})
		return
	}
	w.answer(w.running, c, w.m.Copy(msg))
	w.operates(c.answer)
}

// system handles a system message.
func (w *native) system(a *agent, message int32) {
	w.tr.Events[w.event].Completed = true
	switch w.letters[message].kind {
	case stopKind:
		a.cur = nil // a handler that waits is over; what it defers acts on nobody
		a.stopping = true
	case watchKind:
		w.watches--
		a.watchers = append(a.watchers, watcher{w.tr.Messages[message].Sender})
	}
}

// unstash puts the messages that were put aside back, before all others.
func (w *native) unstash(a *agent) {
	first := int32(len(w.tr.Messages))
	for _, old := range a.stash {
		msg := w.tr.Messages[old]
		w.tr.AddMessage(msg.Type, trace.User, msg.Sender, msg.Receiver, w.event, nil)
		w.letters = append(w.letters, w.letters[old])
	}
	for i, old := range slices.Backward(a.stash) {
		w.pool.Return(first+int32(i), old)
	}
	a.stash = nil
}
