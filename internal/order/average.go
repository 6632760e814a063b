package order

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// average is HMS, [Basset11] 4.2, 7: the actor that has sent the most messages per message received first, over the
// whole history of the exploration.
//
// The source leaves some questions open that its counts settle. There is one history, which is never undone on
// backtracking. It grows by one step whenever a state is visited first, final ones included. An actor without history
// counts as one message sent per message; ties by age.
type average struct {
	past []traffic // by actor
}

type traffic struct{ received, sent int }

func (*average) Name() string { return "HMS" }

// Actors has those first that send most for a message that they receive.
func (h *average) Actors(into []int32, tr *trace.Trace, enabled []trace.Step) []int32 {
	if n := len(tr.Events); n > tr.Explored {
		h.learn(&tr.Events[n-1])
	}
	from := len(into)
	into = byAge(into, enabled)
	slices.SortStableFunc(into[from:], func(a, b int32) int { return h.compare(a, b) })
	return into
}

// learn counts what the actor of an event has received and sent.
func (h *average) learn(e *trace.Event) {
	if !e.Step.Kind.Handles() {
		return
	}
	for int(e.Step.Actor) >= len(h.past) {
		h.past = append(h.past, traffic{})
	}
	t := &h.past[e.Step.Actor]
	t.received++
	t.sent += len(e.Sent)
}

// compare is negative if a has sent more per message than b; in whole numbers, so that ties are ties.
func (h *average) compare(a, b int32) int {
	x, y := h.of(a), h.of(b)
	return y.sent*x.received - x.sent*y.received
}

func (h *average) of(actor int32) traffic {
	if int(actor) < len(h.past) && h.past[actor].received > 0 {
		return h.past[actor]
	}
	return traffic{1, 1}
}
