package system

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file has panics of handlers: actor/handler.go and actor/call.go for native actors. What protoactor-go makes of one, a restart mostly, is not followed.

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
	if w.phase == settingUp || w.task.escapes(failed) {
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
	c.failure = exec.Face{Type: ptr, Val: w.m.Pointer(t, &exec.Struct{Type: t, Fields: []exec.Value{w.store.Text(w.tr.ActorName(a.index)), text}})}
	w.answer(a, c, c.failure)
}

// lets notes that what comes after a panic is not known.
func (w *proto) lets(h *handler) (ended bool) {
	if failed := w.m.Catch(func() { ended = w.m.Resume(h.task) }); failed != nil {
		w.marked = true
		w.m.Fail(failed)
	}
	return ended
}
