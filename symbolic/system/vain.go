package system

import "slices"

// This file ends executions of a search in which a message from outside was handled in vain: its handler has
// returned, and has written, sent and made nothing. The execution without that message goes on in the same ways, with
// fewer conditions and more steps left.
//
//	assumes:    goals that the handler has reached were looked at before
//	checked by: symbolic/target's random systems, and ends_test.go

// trial counts what there was before a message from outside was handled.
type trial struct {
	by                           *handler
	acts, messages, events, made int
}

// tries notes what there is before a handler takes a message from outside. Where the actor has a receive timeout, no
// message is in vain, since each puts that off.
func (f *searcher) tries(h *handler, message int32) {
	f.trial = nil
	off := f.walk != nil || f.bounds.again || f.w.asksReceived()
	if off || h.actor.patience != nil || !slices.Contains(f.sent, message) {
		return
	}
	f.trial = f.counted(h)
	f.w.m.Fence()
}

// counted counts what there is now.
func (f *searcher) counted(by *handler) *trial {
	w := f.w
	made := len(w.actors) + len(w.calls) + len(w.timers) + len(w.atEnd)
	return &trial{by, w.acts, len(w.tr.Messages), len(w.m.Path().Events), made}
}

// vain reports whether the last message was handled in vain.
func (f *searcher) vain() bool {
	t := f.trial
	if t == nil || t.by != f.by[len(f.by)-1] || !t.by.returned() || t.by.taken >= 0 {
		return false
	}
	return !f.w.m.Changed() && *t == *f.counted(t.by)
}

// asksReceived reports whether functions that judge may tell executions apart by the messages that were sent, which
// are no part of a state.
func (w *world) asksReceived() bool { return w.judging && w.p.asksReceived() }
