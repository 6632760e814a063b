package system

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the ends of actors of GoAkt, and lookups by name.

// stops stops an actor: the one that acts, or another one, which does so by itself.
func (w *goakt) stops(o exec.Operation) exec.Value {
	a := w.running
	switch {
	case o.To != nil:
		if w.m.Nobody(w.m.ReferenceOf(o.To)) {
			return w.noError(o)
		}
		a = w.actors[w.target(o.To)]
	case !w.own(o) && w.ofReference(o):
		a = w.of(o)
	case !w.own(o):
		ref := w.nameIn(o)
		if ref == nil {
			w.m.End(o.Name + ": who is meant is not known")
		}
		a = w.actors[w.target(ref)]
	}
	switch {
	case a.stopped || a.index == 0:
	case a == w.running:
		w.yields(a)
		w.ends(a)
	default:
		w.mark("that who stops an actor waits for its end")
		w.dispatch(w.message(w.running, a.index, trace.System, "goakt.Stops", letter{kind: stopKind}))
	}
	return w.noError(o)
}

func (w *goakt) noError(o exec.Operation) exec.Value {
	if o.Sig.Results().Len() > 0 {
		return exec.Face{}
	}
	return nil
}

// yields has what the actor has sent be released before it goes on.
func (w *goakt) yields(a *agent) {
	h := a.cur
	if !w.captures() || !w.pool.Holds(a.index) || h == nil {
		return
	}
	c := &call{number: len(w.calls) + 1, asker: a.index, caller: h, request: -1}
	w.calls = append(w.calls, c)
	c.answer = w.message(a, a.index, trace.Answer, "goakt.Stops", letter{call: c})
	w.pool.SendIn(a.index, c.answer)
	h.wait, h.call = waitCall, c
	w.park(h)
}

// ends ends an actor, after its children.
func (w *goakt) ends(a *agent) {
	if a.stopped {
		return
	}
	w.mark("the end of an actor")
	for _, c := range a.children {
		if child := w.actors[c]; !child.stopped {
			w.dispatch(w.message(w.running, c, trace.System, "goakt.Stops", letter{kind: stopKind}))
		}
	}
	a.stopped = true
	if face, ok := w.m.Held(a.recipe.from).(exec.Face); ok {
		if fn := w.m.Method(face.Type, nil, "PostStop"); fn != nil && len(fn.Blocks) > 0 {
			w.m.Call(fn, face.Val, w.m.Context(fn.Params[len(fn.Params)-1].Type()))
		}
	}
	for _, to := range a.watchers {
		w.dispatch(w.message(a, to.actor, trace.System, "actor.Terminated",
			letter{kind: terminatedKind, msg: w.framework("Terminated"), of: a.index, sender: a.ref}))
	}
	if a.parent > 0 {
		up := w.actors[a.parent]
		up.children = slices.DeleteFunc(slices.Clone(up.children), func(c int32) bool { return c == a.index })
	}
	a.leaving = true
}

// watch has an actor hear of the end of another one.
func (w *goakt) watch(o exec.Operation) {
	who, of := w.of(o).index, w.actors[w.target(o.To)]
	of.watchers = slices.DeleteFunc(slices.Clone(of.watchers), func(x watcher) bool { return x.actor == who })
	if o.Op == model.Watch {
		of.watchers = append(of.watchers, watcher{who})
	}
}

// byName looks an actor up; false if that is not known.
func (w *goakt) byName(o exec.Operation) (exec.Value, bool) {
	at := 1
	if o.Op == model.ByName {
		at = 2
	}
	id, ok := w.m.Text(o.Args[at])
	if !ok || o.Name == "ReSpawn" {
		return nil, false
	}
	a := w.called(id)
	if a != nil && (a.stopped || o.Op == model.Child && a.parent != w.of(o).index) {
		a = nil
	}
	switch {
	case a != nil:
		return w.made(o, a), true
	case o.Sig.Results().Len() == 1:
		w.mark("what supervision does about an error of a handler")
		return w.m.Known(0), true
	}
	return exec.Tuple{w.m.Known(0), w.m.Error("actor not found")}, true
}
