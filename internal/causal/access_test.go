package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestAccesses: what Accesses tells is what the relation knows, for every event of random executions and for every step
// before it happened.
func TestAccesses(t *testing.T) {
	events, expected := 0, 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		for e := range int32(o.Len()) {
			at := int32(o.First()) + e
			var written []trace.ID
			everything := Accesses{}.Written(model, tr, at, func(x trace.ID) {
				if !slices.Contains(written, x) {
					written = append(written, x)
				}
			})
			var want []trace.ID
			for _, a := range o.Footprint(nil, e) {
				if a.Write {
					want = append(want, a.Object)
				}
			}
			if everything != o.Barrier(e) {
				t.Fatalf("%s: event %d (%s) is said to be one that all depend on: %v\n%s", cond, e, tr.StepName(tr.Events[at].Step), everything, p)
			}
			if !everything && !sameObjects(written, want) {
				t.Fatalf("%s: event %d (%s) writes %v, the relation has %v\n%s", cond, e, tr.StepName(tr.Events[at].Step), written, want, p)
			}
			events++
			s := o.Step(e)
			if s.Kind.Chooses() || s.Kind == trace.Start || everything {
				continue
			}
			early, _ := Accesses{}.Expected(tr, s, nil)
			for _, x := range early {
				if expected++; !slices.Contains(want, x) {
					t.Fatalf("%s: event %d (%s) was expected to write %v, and writes %v\n%s", cond, e, tr.StepName(*s), x, want, p)
				}
			}
		}
	})
	t.Logf("%d events, %d writes that were expected", events, expected)
}

func sameObjects(a, b []trace.ID) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return len(a) == len(b)
}
