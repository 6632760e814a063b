package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Where handlers declare what they read and write, no class is missed either: final states and violations are those of all executions, and
// optimal executes each class once. Programs are compared under the models that heed effects.
func TestEffectsAgainstTwin(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal} {
		for _, f := range []struct {
			name     string
			features toy.Features
			programs int
		}{
			{"messages alone", toy.Features{Effects: true, Senders: true, Fails: true}, 100},
			{"all features", effects(toy.Full), 100},
		} {
			t.Run(model.String()+" "+f.name, func(t *testing.T) {
				cases, skipped, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Timers: toy.TimerModes[:1], Features: f.features, Programs: f.programs, Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "source", cases, newSource, toy.Cover)
				compare(t, "optimal", cases, newOptimal, toy.Exact)
				t.Log(skipped, "programs were too large")
			})
		}
	}
}

func effects(f toy.Features) toy.Features {
	f.Effects = true
	return f
}
