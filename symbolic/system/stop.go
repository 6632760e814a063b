package system

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the releases of captured sends, and the ends of native actors: actor/release.go and actor/send.go.

// watcher is who is told of the end of an actor.
type watcher struct{ actor int32 }

// release is the step that releases what an actor has captured first.
func (w *world) release(s trace.Step) {
	msg, _, dead := w.pool.Release(s.Actor, trace.ID{})
	actor := s.Actor
	s = w.tr.ReleaseOf(msg)
	s.Actor = actor
	w.beginEvent(s)
	e := &w.tr.Events[w.event]
	e.Completed, e.Released = true, msg
	w.dueBehind(msg)
	switch class := w.tr.Messages[msg].Kind; {
	case class == trace.Answer, class == trace.Resolution:
		w.frame.(answerer).releasedAnswer(msg)
	case class == trace.End:
		w.leaves(w.actors[w.tr.Messages[msg].Receiver])
	case dead:
		w.deadOnArrival(msg)
	}
}

// answerer is a framework whose answers are released.
type answerer interface{ releasedAnswer(message int32) }

// deadOnArrival deals with a message whose receiver has stopped.
func (w *world) deadOnArrival(i int32) {
	msg := &w.tr.Messages[i]
	if msg.Kind == trace.User {
		w.lost(w.letters[i].pos, w.letters[i].answers && msg.Receiver == 0)
	}
	if d, ok := w.frame.(interface{ dead(int32) }); ok {
		d.dead(i)
		return
	}
	if w.letters[i].kind == watchKind {
		w.watches--
		w.terminated(w.actors[msg.Receiver], msg.Sender, w.pool.Post)
	}
}

// stop is what an actor that stops sees of it.
func (w *world) stop(a *agent) {
	a.stopping, a.stopped = false, true
	for _, t := range w.timers {
		if t.owner == a.index {
			w.cancel(t)
		}
	}
	a.tasks = nil
	if !w.captures() || !w.pool.Holds(w.runner.index) || a.index == 0 {
		w.leaves(a)
		return
	}
	w.pool.SendIn(w.runner.index, w.message(a, a.index, trace.End, "end", letter{}))
}

// leaves is the end of an actor for all others.
func (w *world) leaves(a *agent) {
	w.pool.Stop(a.index)
	e := &w.tr.Events[w.event]
	e.Stopped = append(e.Stopped, a.index)
	if w.watches > 0 && !w.driver.Proto {
		w.takeWatches(a)
	}
	if w.driver.Proto {
		return // it tells them itself
	}
	for _, to := range a.watchers {
		w.terminated(a, to.actor, w.pool.Send)
	}
}

// takeWatches handles the watch requests that are still before an actor that stops.
func (w *world) takeWatches(a *agent) {
	var requests []int32
	w.pool.Each(func(i int32) {
		if msg := &w.tr.Messages[i]; msg.Receiver == a.index && msg.Kind == trace.System {
			requests = append(requests, i)
		}
	})
	for _, i := range requests {
		if w.pool.Cancel(i) && w.letters[i].kind == watchKind {
			w.watches--
			a.watchers = append(a.watchers, watcher{w.tr.Messages[i].Sender})
		}
	}
}

// terminated tells a watcher.
func (w *world) terminated(a *agent, watcher int32, post func(int32) bool) {
	if w.phase == settingUp {
		post = w.pool.Post
	}
	t := w.p.frameworkType(model.NativePath, "Terminated")
	if t == nil {
		return
	}
	msg := exec.Face{Type: t, Val: &exec.Struct{Type: t, Fields: []exec.Value{a.ref}}}
	post(w.message(a, watcher, trace.User, model.TypeName(t), letter{msg: msg}))
}

// typeName names the type of a message as traces do.
func (w *world) typeName(t types.Type) string {
	if t == nil {
		return "nil"
	}
	return model.TypeName(t)
}
