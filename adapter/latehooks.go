package adapter

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what hangs on a future, under mailbox: pipes and continuations. A handler asks first, and hangs
// something on the future behind that. It runs at its delivery, whole, so the answer always finds what hangs there,
// and whoever answers hands it on. In a process the answer may come between the two. Then the owner of the future
// hands it on itself, which may be later: behind what else whoever has answered, or others behind it, send to the
// same actor. Where an execution has such a message, the trace says that this order is not explored.

// handedOn is a message by which an answer was handed on.
type handedOn struct {
	message        int32
	event          int32 // that released the answer
	owner, answers int32 // whose future it is, and who has answered
}

// noteHook notes that what hangs on a future sends message m, while its answer is released.
func (r *Runtime) noteHook(m int32) {
	if !r.Captures() || r.sys.hooks {
		return
	}
	if owner := r.tr.Messages[r.message].Receiver; owner != r.running {
		r.hooks = append(r.hooks, handedOn{m, r.event(), owner, r.running})
	}
}

// concludeHooks looks for what could have come before an answer was handed on, when the execution is over.
func (r *Runtime) concludeHooks() {
	for i := range r.hooks {
		h := &r.hooks[i]
		e := r.handedOnBefore(h)
		if e < 0 {
			continue
		}
		if r.sys.probing {
			r.sys.hooks = true
			return
		}
		name, sender, receiver := r.tr.ActorName, r.tr.Events[e].Step.Actor, r.tr.Messages[h.message].Receiver
		r.omit(fmt.Sprintf("%s asks %s, and then has the answer piped, or goes on with it (PipeTo, ReenterAfter). The answer may "+
			"come between the two, and what %s (%s) sends to %s then comes first: that is not explored; have it sent with Request "+
			"and handle the answer as a message, or use -model mailbox-serial",
			name(h.owner), name(h.answers), name(sender), r.stepName(e), name(receiver)))
		return
	}
}

// handedOnBefore gives the first release of a message of the same class to the same actor that comes of the answer,
// and not of its being handed on; -1 if there is none.
func (r *Runtime) handedOnBefore(h *handedOn) int32 {
	c := consequences{messages: map[int32]bool{}, actors: map[int32]bool{h.answers: true}, objects: map[trace.ID]bool{}}
	to := &r.tr.Messages[h.message]
	for e := h.event + 1; int(e) < len(r.tr.Events); e++ {
		ev := &r.tr.Events[e]
		k := ev.Step.Kind
		if k == trace.Advance || k == trace.Send && ev.Step.Actor == h.owner || !c.has(ev) || r.handsOn(h, ev) {
			continue
		}
		if m := ev.Released; m >= 0 && r.tr.Messages[m].Receiver == to.Receiver && r.tr.Messages[m].Class == to.Class {
			return e
		}
		r.spread(&c, ev)
	}
	return -1
}

// handsOn reports whether an event releases or handles a message of that answer's.
func (r *Runtime) handsOn(h *handedOn, ev *trace.Event) bool {
	return slices.ContainsFunc(r.hooks, func(o handedOn) bool {
		return o.event == h.event && (o.message == ev.Released || o.message == ev.Step.Message)
	})
}
