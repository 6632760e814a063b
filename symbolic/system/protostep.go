package system

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the steps of actors of protoactor-go: what they handle, and how they stop.

// accepts reports whether an actor takes a message of a user.
func (w *proto) accepts(a *agent, _ int32) bool { return a.index > 0 && !a.suspended }

// handle has an actor handle the message of a handler: actorContext.defaultReceive, and InvokeSystemMessage.
func (w *proto) handle(h *handler) {
	x := w.letters[h.message]
	if c := x.continues; c != nil {
		x.sender, x.msg = c.sender, c.msg
		if x.sender == nil {
			x.sender = w.m.Known(0)
		}
		h.inner = &x
		w.m.CallValue(c.do, c.call.value, c.call.err)
		return
	}
	if x.kind == poisonKind {
		w.sendSystem(h.actor.index, "actor.Stop", letter{kind: stopKind})
		return
	}
	influences := w.influences(x.msg)
	if influences {
		h.actor.idle = nil
	}
	w.invoke(h, x)
	if fn, recv := w.method(x.msg, "GetAutoResponse"); fn != nil && len(fn.Params) == 2 {
		answer := w.m.Call(fn, recv, w.m.Context(fn.Params[1].Type()))
		if to := w.current().sender; !w.m.Nobody(to) {
			w.post(w.target(to), letter{msg: answer, sender: w.m.Known(0)})
		}
	}
	if a := h.actor; a.patience != nil && influences {
		a.idle = w.after(a.patience)
		if a.at != int(w.event) { // while the handler ran it did not
			a.behind = w.pool.Last(a.index)
		}
	}
}

// invoke calls the code of an actor with a message.
func (w *proto) invoke(h *handler, x letter) {
	if x.sender == nil {
		x.sender = w.m.Known(0)
	}
	up := h.inner
	h.inner = &x
	w.m.Receive(x.msg)
	a := h.actor
	if a.function {
		w.callActor(a.value)
	} else if face := w.m.Held(a.value).(exec.Face); model.ActorFunc(face.Type) != "" {
		w.callActor(face.Val)
	} else {
		fn := w.m.Method(face.Type, nil, "Receive")
		if fn == nil || len(fn.Blocks) == 0 {
			w.m.End("an actor whose source was not read")
		}
		w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-1].Type()))
	}
	h.inner = up
}

// callActor calls a function that is an actor.
func (w *proto) callActor(v exec.Value) {
	f, ok := w.m.Held(v).(exec.Func)
	if !ok || f.Fn == nil {
		w.m.End("an actor whose behaviour is not known")
	}
	sig := f.Fn.Signature
	w.m.CallValue(f, w.m.Context(sig.Params().At(sig.Params().Len()-1).Type()))
}

// system handles a system message.
func (w *proto) system(a *agent, message int32) {
	x := w.letters[message]
	switch x.kind {
	case startedKind, resumeKind:
		w.run(a, message, w.code)
		return
	}
	w.run(a, message, func(h *handler) { w.control(h, x) })
}

// control does what a system message asks for.
func (w *proto) control(h *handler, x letter) {
	a := h.actor
	switch x.kind {
	case stopKind:
		if a.ending {
			return
		}
		a.ending, a.restarting = true, false
		w.invoke(h, letter{msg: w.own("Stopping")})
		w.stopsChildren(h)
	case failureKind:
		w.sendSystem(x.of, "actor.Restart", letter{kind: restartKind})
	case restartKind:
		a.ending, a.restarting = false, true
		w.invoke(h, letter{msg: w.own("Restarting")})
		w.stopsChildren(h)
	case watchKind:
		if a.ending {
			w.tells(w.target(x.sender), a)
		} else if who := w.target(x.sender); !slices.Contains(a.watchers, watcher{who}) {
			a.watchers = append(a.watchers, watcher{who})
		}
	case unwatchKind:
		who := w.target(x.sender)
		a.watchers = slices.DeleteFunc(a.watchers, func(o watcher) bool { return o.actor == who })
	case terminatedKind:
		a.children = slices.DeleteFunc(a.children, func(c int32) bool { return c == x.of })
		w.invoke(h, x)
		w.mayEnd(h)
	}
}

// stopsChildren stops the children of an actor, the last one first. When there is none it ends, or begins anew.
func (w *proto) stopsChildren(h *handler) {
	for _, c := range slices.Backward(slices.Clone(h.actor.children)) {
		w.sendSystem(c, "actor.Stop", letter{kind: stopKind})
	}
	w.mayEnd(h)
}

// mayEnd ends an actor that stops and has no children any more, and makes one anew that restarts.
func (w *proto) mayEnd(h *handler) {
	a := h.actor
	switch {
	case len(a.children) > 0 || a.stopped:
		return
	case a.restarting:
		w.renews(h)
		return
	case !a.ending:
		return
	}
	a.stopped, a.patience, a.idle = true, nil, nil
	if w.captures() && w.pool.Holds(a.index) {
		w.pool.SendIn(a.index, w.message(a, a.index, trace.End, "end", letter{}))
	} else {
		a.leaving = true
	}
	w.invoke(h, letter{msg: w.own("Stopped")})
	for _, to := range a.watchers {
		w.tells(to.actor, a)
	}
	if a.parent > 0 {
		w.tells(a.parent, a)
	}
}

// tells tells who watches an actor that it has stopped.
func (w *proto) tells(to int32, a *agent) {
	if to > futures {
		w.answered(w.calls[to-futures-1], w.own("Terminated", a.ref))
		return
	}
	w.sendSystem(to, "actor.Terminated", letter{kind: terminatedKind, msg: w.own("Terminated", a.ref), of: a.index})
}

// dead deals with a message whose receiver has stopped: deadletter.go.
func (w *proto) dead(i int32) {
	x, msg := w.letters[i], w.tr.Messages[i]
	switch {
	case x.kind == watchKind:
		w.watches--
		if to := w.target(x.sender); to <= futures {
			a := w.actors[msg.Receiver]
			t := w.message(a, to, trace.System, "actor.Terminated",
				letter{kind: terminatedKind, msg: w.own("Terminated", a.ref), of: a.index})
			w.pool.Post(t)
		}
	case msg.Kind == trace.User && x.sender != nil && !w.m.Nobody(x.sender):
		w.mark("the answer of the dead letters to a request is not followed")
	}
}

// releasedAnswer is the release of an answer.
func (w *proto) releasedAnswer(i int32) {
	c := w.letters[i].call
	if c.replied {
		w.pool.Cancel(i)
		return
	}
	if owner := w.actors[c.asker]; owner.cur != nil && owner.cur.wait == waitCall && owner.cur.call == c {
		c.replied = true
		return
	}
	w.pool.Cancel(i)
	c.replied = true
	w.tr.Messages[i].Kind = trace.Resolution
	w.completes(c, w.letters[i].msg, first)
}
