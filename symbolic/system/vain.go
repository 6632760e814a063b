package system

import "slices"

// This file ends executions of a search in which a message from outside was handled in vain: nothing was written, sent or made. The execution without it goes on in the same
// ways, with fewer conditions and more steps left.
//
//	assumes:    what the handler has come to is looked at before: a goal there ends the execution
//	checked by: symbolic/target's random systems, and ends_test.go

// trial is what there was before a message from outside was handled.
type trial struct {
	by                           *handler
	acts, messages, events, many int
}

// tries notes what there is before a handler takes a message from outside. Where the actor has a receive timeout, every message puts that off.
func (f *searcher) tries(h *handler, message int32) {
	if f.trial = nil; f.walk == nil && !f.bounds.again && h.actor.patience == nil && !f.w.asksReceived() && slices.Contains(f.sent, message) {
		f.trial = f.now(h)
		f.w.m.Fence()
	}
}

func (f *searcher) now(h *handler) *trial {
	w := f.w
	return &trial{h, w.acts, len(w.tr.Messages), len(w.m.Path().Events), len(w.actors) + len(w.calls) + len(w.timers) + len(w.atEnd)}
}

// vain reports whether the last message was handled in vain.
func (f *searcher) vain() bool {
	t := f.trial
	return t != nil && t.by == f.by[len(f.by)-1] && t.by.returned() && t.by.taken < 0 && !f.w.m.Changed() && *t == *f.now(t.by)
}

// asksReceived reports whether functions are executed that may tell executions apart by what was sent, which no state has.
func (w *world) asksReceived() bool { return w.judging && w.p.asksReceived() }
