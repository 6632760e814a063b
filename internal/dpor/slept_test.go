package dpor

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// The old events whose races source looks at again are those of which a look at all nodes says that their step slept
// before it was taken, and those that cancelled a timer which could have fired.
func TestOldEvents(t *testing.T) {
	dense := toy.Full
	dense.Dense = true
	slept := 0
	for seed := range uint64(10) {
		for _, model := range toy.Models {
			s := NewSource(nil)
			o := explore.Options{Conditions: explore.Conditions{Model: model, Timers: toy.TimerModes[seed%2]},
				Budget: explore.Budget{Executions: 60}, After: func(_ *explore.Counters, tr *trace.Trace) {
					want := slowOldEvents(s)
					if got := s.old.list; !slices.Equal(got, want) {
						t.Fatalf("seed %d under %s: %v, want %v", seed, model, got, want)
					}
					slept += len(want)
				}}
			if _, err := explore.Run(toy.NewSystem(toy.Random(seed, dense)), s, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if slept < 1000 {
		t.Errorf("only %d such events: the comparison says little", slept)
	}
}

func slowOldEvents(s *Source) (all []oldEvent) {
	for e := range int32(s.order.Len()) {
		slept, cancels := false, false
		for k := range s.nodes {
			n := &s.nodes[k]
			slept = slept || n.event < e && !n.inStep &&
				slices.ContainsFunc(n.sleep, func(q sleeper) bool { return q.id == s.order.Step(e).ID })
		}
		s.order.CancelledFirings(e, func(int32) { cancels = true })
		if slept || cancels {
			all = append(all, oldEvent{e, slept})
		}
	}
	return all
}
