package system

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file has panics of handlers: actor/handler.go and actor/call.go for native actors, and actor_context.go of
// protoactor-go, where the default strategy of supervision restarts the actor.

// lets has a panic stop the actor. One of the test function, or in set-up, ends the execution.
func (w *native) lets(h *handler) (ended bool) {
	if h.actor.index == 0 || w.phase == settingUp {
		return w.m.Resume(h.task)
	}
	if failed := w.m.Catch(func() { ended = w.m.Resume(h.task) }); failed != nil {
		h.panicked = true
		w.panicked(h.actor, failed)
		return true
	}
	return ended
}

// panicked stops an actor, and fails the calls to it.
func (w *native) panicked(a *agent, failed *exec.Failed) {
	if w.phase == settingUp || w.escapes(failed) {
		w.m.Fail(failed)
	}
	a.stopping = true
	for _, c := range w.calls {
		if c.callee == a.index && !c.replied && c.state == callOpen {
			w.fails(a, c)
		}
	}
}

// fails answers a call with the error that tells of a panic. Its text may be any: how Go words a panic is not modelled.
func (w *native) fails(a *agent, c *call) {
	t := w.p.frameworkType(model.NativePath, "StoppedError")
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		panic("system: actor.StoppedError is no struct")
	}
	text := w.m.Input(fmt.Sprintf("panic%d", len(w.tr.Messages)), s.Field(1).Type())
	ptr := types.NewPointer(t)
	c.failure = exec.Face{Type: ptr,
		Val: w.m.Pointer(t, &exec.Struct{Type: t, Fields: []exec.Value{w.store.Text(w.tr.ActorName(a.index)), text}})}
	w.answer(a, c, c.failure)
}

// lets has a panic be a matter of supervision. One of the driver, in set-up, or under a strategy of the program's own
// ends the execution.
func (w *proto) lets(h *handler) (ended bool) {
	failed := w.m.Catch(func() { ended = w.m.Resume(h.task) })
	if failed == nil {
		return ended
	}
	a := h.actor
	switch {
	case w.phase == settingUp || !w.supervised(a):
		w.marked = true
		w.m.Fail(failed)
	case w.escapes(failed):
		w.m.Fail(failed)
	}
	h.panicked, w.running = true, a
	w.escalates(a)
	return true
}

// retries is how often the default strategy of supervision restarts an actor within ten seconds. Then it stops it,
// which is not followed.
const retries = 10

// supervised reports whether an actor that panics is supervised by the default strategy, which restarts it.
func (w *proto) supervised(a *agent) bool {
	if a.index == 0 || a.recipe == nil || a.recipe.guardian || a.failures >= retries {
		return false
	}
	if a.parent <= 0 {
		return true
	}
	p := w.actors[a.parent]
	own, _ := w.method(p.value, "HandleFailure")
	return own == nil && p.recipe != nil && !p.recipe.supervisor
}

// escalates is actorContext.EscalateFailure: the mailbox waits, and the parent is told; who has none is restarted at
// once by what it tells itself.
func (w *proto) escalates(a *agent) {
	a.suspended = true
	a.failures++
	if a.parent > 0 {
		w.sendSystem(a.parent, "actor.Failure", letter{kind: failureKind, of: a.index})
		return
	}
	w.sendSystem(a.index, "actor.Restart", letter{kind: restartKind})
}

// renews is actorContext.restart: a new instance, which gets Started.
func (w *proto) renews(h *handler) {
	a := h.actor
	a.restarting, a.patience, a.idle = false, nil, nil
	a.value = w.incarnates(a.recipe)
	a.suspended = false
	w.invoke(h, letter{msg: w.own("Started")})
}
