package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells a strategy what an actor would have accepted before a step that it took since. A handler that waits
// takes nothing. An actor whose handler panicked takes no user message until its supervisor has decided.

var (
	_ explore.Foreseer = (*Runtime)(nil)
	_ explore.Recaller = (*Runtime)(nil)
)

// stand is what decides what an actor accepts, as it was before one of its steps.
type stand struct{ busy, ready bool }

// foresight is what is known of how actors stood before their steps.
type foresight struct {
	*execution
	cast *cast

	recalls bool    // a strategy will ask WouldAccept
	stands  []stand // by event
}

// reset makes ready for another execution.
func (f *foresight) reset() { f.recalls, f.stands = false, f.stands[:0] }

// Recall is explore.Recaller.
func (f *foresight) Recall() { f.recalls = true }

// recall notes how an actor stands that is about to take the step of an event.
func (f *foresight) recall(event, a int32) {
	for len(f.stands) <= int(event) {
		f.stands = append(f.stands, stand{})
	}
	s := &f.cast.actors[a]
	f.stands[event] = stand{busy: s.busy, ready: !s.gone && s.Actor != nil && s.Ready()}
}

// WouldAccept is explore.Foreseer.
func (f *foresight) WouldAccept(event, message int32) (accepts, known bool) {
	s, msg := &f.tr.Events[event].Step, &f.tr.Messages[message]
	switch {
	case !f.recalls || s.Actor != msg.Receiver || s.Kind == trace.Timer || s.Kind == trace.Advance,
		int(event) >= len(f.stands):
		return false, false
	case s.Kind.Chooses():
		return false, true
	case msg.Kind == trace.Answer:
		return true, true
	case s.Kind == trace.Send:
		return false, true
	}
	b := f.stands[event]
	if msg.Kind == trace.System {
		return !b.busy, true
	}
	return !b.busy && b.ready, true
}
