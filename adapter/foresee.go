package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells a strategy what an actor would have accepted before a step that it took since: a handler that waits takes nothing, and
// an actor whose handler panicked no user message until its supervisor has decided.

var (
	_ explore.Foreseer = (*Runtime)(nil)
	_ explore.Recaller = (*Runtime)(nil)
)

// stand is what decides what an actor accepts, as it was before one of its steps.
type stand struct{ busy, ready bool }

// Recall is explore.Recaller.
func (r *Runtime) Recall() { r.recalls = true }

// recall notes how an actor stands that is about to take the step of an event.
func (r *Runtime) recall(event, a int32) {
	for len(r.stands) <= int(event) {
		r.stands = append(r.stands, stand{})
	}
	s := &r.actors[a]
	r.stands[event] = stand{busy: s.busy, ready: !s.gone && s.Actor != nil && s.Ready()}
}

// WouldAccept is explore.Foreseer.
func (r *Runtime) WouldAccept(event, message int32) (accepts, known bool) {
	s, msg := &r.tr.Events[event].Step, &r.tr.Messages[message]
	switch {
	case !r.recalls || s.Actor != msg.Receiver || s.Kind == trace.Timer || s.Kind == trace.Advance || int(event) >= len(r.stands):
		return false, false
	case s.Kind.Chooses():
		return false, true
	case msg.Class == trace.Answer:
		return true, true
	case s.Kind == trace.Send:
		return false, true
	}
	b := r.stands[event]
	if msg.Class == trace.System {
		return !b.busy, true
	}
	return !b.busy && b.ready, true
}
