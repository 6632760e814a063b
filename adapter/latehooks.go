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
func (ac *accesses) noteHook(m int32) {
	if !ac.Captures() || ac.sys.hooks {
		return
	}
	if owner := ac.tr.Messages[ac.message].Receiver; owner != ac.running {
		ac.hooks = append(ac.hooks, handedOn{m, ac.recorder.event(), owner, ac.running})
	}
}

// concludeHooks looks for what could have come before an answer was handed on, when the execution is over.
func (ac *accesses) concludeHooks() {
	for i := range ac.hooks {
		h := &ac.hooks[i]
		e := ac.handedOnBefore(h)
		if e < 0 {
			continue
		}
		if ac.sys.isProbing() {
			ac.sys.hooks = true
			return
		}
		name, sender, receiver := ac.tr.ActorName, ac.tr.Events[e].Step.Actor, ac.tr.Messages[h.message].Receiver
		ac.omit(fmt.Sprintf("%s asks %s, and then has the answer piped, or goes on with it (PipeTo, ReenterAfter). "+
			"The answer may come between the two, and what %s (%s) sends to %s then comes first: that is not "+
			"explored; have it sent with Request and handle the answer as a message, or use -model mailbox-serial",
			name(h.owner), name(h.answers), name(sender), ac.stepName(e), name(receiver)))
		return
	}
}

// handedOnBefore gives the first release of a message of the same class to the same actor, -1 if there is none. It has
// to come of the answer, and not of its being handed on.
func (ac *accesses) handedOnBefore(h *handedOn) int32 {
	c := consequences{messages: map[int32]bool{}, actors: map[int32]bool{h.answers: true}, objects: map[trace.ID]bool{}}
	to := &ac.tr.Messages[h.message]
	for e := h.event + 1; int(e) < len(ac.tr.Events); e++ {
		ev := &ac.tr.Events[e]
		k := ev.Step.Kind
		if k == trace.Advance || k == trace.Send && ev.Step.Actor == h.owner || !c.has(ev) || ac.handsOn(h, ev) {
			continue
		}
		if m := ev.Released; m >= 0 && ac.tr.Messages[m].Receiver == to.Receiver && ac.tr.Messages[m].Kind == to.Kind {
			return e
		}
		ac.spread(&c, ev)
	}
	return -1
}

// handsOn reports whether an event releases or handles a message of that answer's.
func (ac *accesses) handsOn(h *handedOn, ev *trace.Event) bool {
	return slices.ContainsFunc(ac.hooks, func(o handedOn) bool {
		return o.event == h.event && (o.message == ev.Released || o.message == ev.Step.Message)
	})
}
