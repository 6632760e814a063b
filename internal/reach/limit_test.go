package reach

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Large memory is looked at for so long only, and it is said that nobody looked any further.
func TestLimit(t *testing.T) {
	w, l := newWorld(1, false), &Looker{}
	for range 300_000 {
		w.states[0] = &cell{next: w.states[0]}
	}
	steps := 0
	for ; steps < 100 && l.Reset(w); steps++ {
		l.Begin()
		w.tr.Events = append(w.tr.Events, trace.Event{Step: trace.Step{Kind: trace.Start, Message: -1}, Completed: true})
		l.Step(int32(len(w.tr.Events) - 1))
	}
	if steps > 5 || !slices.Contains(l.Unseen(), "the first 2 million pieces of memory") {
		t.Errorf("%d steps were looked at; nobody looked behind %v", steps, l.Unseen())
	}
}
