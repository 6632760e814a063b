package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Where handlers declare what they read and write, no class is missed either: final states and violations are those of
// all executions, and optimal executes each class once. Programs are compared under the models that heed effects.
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
				toy.Check(t, "source", cases, newSource, toy.Cover)
				toy.Check(t, "optimal", cases, newOptimal, toy.Exact)
				t.Log(skipped, "programs were too large")
			})
		}
	}
}

func effects(f toy.Features) toy.Features {
	f.Effects = true
	return f
}

// Seeds that were executed wrongly. Each says what was wrong.
func TestEffectsRegressions(t *testing.T) {
	alone := toy.Features{Effects: true, Senders: true, Fails: true}
	for _, r := range []struct {
		seed     uint64
		features toy.Features
		model    trace.Model
		why      string
	}{
		{60, effects(toy.Full), trace.Bag, "a handler that did more than declared was believed to access what is declared where it comes earlier"},
		{10, alone, trace.FIFO, "so was one that sent"},
		{2165, alone, trace.Bag, "a step that comes earlier was believed to depend on all steps of its actor, and explored there in vain"},
	} {
		cases := []toy.Case{toy.NewCase(r.why, toy.Random(r.seed, r.features), explore.Conditions{Model: r.model}, 20000)}
		if cases[0].Want.Over || len(cases[0].Conditions.Effects) == 0 {
			t.Errorf("seed %d is too large, or declares nothing", r.seed)
		}
		compareBoth(t, cases)
	}
}

// The same in other orders of actors.
func TestEffectsInOrders(t *testing.T) {
	for _, name := range []string{"LIFO", "HDM", "LCA"} {
		cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{trace.Bag, trace.FIFO, trace.Causal}, Timers: toy.TimerModes[:1],
			Features: toy.Features{Effects: true, Senders: true, Spawn: true, Calls: true}, Programs: 40, Limit: 400})
		if err != nil {
			t.Fatal(err)
		}
		toy.Check(t, "source "+name, cases, func() explore.Strategy { return NewSource(inOrder(t, name)) }, toy.Cover)
		toy.Check(t, "optimal "+name, cases, func() explore.Strategy { return NewOptimal(inOrder(t, name)) }, toy.Exact)
	}
}
