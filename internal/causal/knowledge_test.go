package causal

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestKnowledgeIsThatOfDelivery: what sends know of in the order that was kept is what holds messages back under
// Causal.
func TestKnowledgeIsThatOfDelivery(t *testing.T) {
	known := 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, _ *toy.Program, tr *trace.Trace) {
		if model != trace.Causal {
			return
		}
		var k knowledge
		k.build(tr)
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		for m := range tr.Messages {
			if tr.Messages[m].Class != trace.User {
				continue
			}
			past := o.cursor().Past(int32(m))
			for i := range int32(len(tr.Messages)) {
				if tr.Messages[i].Class != trace.User {
					continue
				}
				if got, want := past.Has(i), k.past[m].Has(i); got != want {
					t.Fatalf("%s: message %d knows of %d: %v, and by the other definition %v", cond, m, i, got, want)
				}
				if past.Has(i) {
					known++
				}
			}
		}
	})
	if known < 1000 {
		t.Errorf("messages know of %d others in all: the programs show too little", known)
	}
}
