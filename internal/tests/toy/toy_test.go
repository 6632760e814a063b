package toy

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

func naive() explore.Strategy { return search.NewNaive() }

// Naive executes exactly the executions that the dumb twin counts, in the same classes, and ends in the same states
// equally often.
func TestNaiveAgainstTwin(t *testing.T) {
	for _, model := range Models {
		for _, timers := range TimerModes {
			t.Run(model.String()+" "+timers.String(), func(t *testing.T) {
				c, err := Compare(naive,
					CompareOptions{Demand: Every, Models: []trace.Model{model}, Timers: []trace.TimerMode{timers},
						Programs: 300, Limit: 300})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(c)
				if c.Branching < c.Programs/4 {
					t.Errorf("only %d of %d programs have more than one class: the comparison says little", c.Branching, c.Programs)
				}
			})
		}
	}
}

// So it does where faults are injected.
func TestNaiveWithFaults(t *testing.T) {
	for _, s := range []string{"drop:1", "duplicate:2", "crash-losing:1", "crash:1", "restart:2", "all:1", "all:2"} {
		faults, err := trace.ParseFaults(s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compare(naive, CompareOptions{Demand: Every, Faults: faults, Programs: 15, Limit: 300})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(s, c)
		if c.Branching < c.Programs/2 {
			t.Errorf("%s: only %d of %d programs have more than one class", s, c.Branching, c.Programs)
		}
	}
}

// The twin counts what was counted by hand, and naive agrees with it.
func TestStories(t *testing.T) {
	for _, n := range Stories() {
		for _, model := range Models {
			c := NewCase(n.Name, n.Program, explore.Conditions{Model: model, Timers: n.Timers}, 10000)
			if c.Want.Classes != n.Classes[model] || c.Want.Ambiguous != "" {
				t.Errorf("%s%d classes, want %d %s: %s", c, c.Want.Classes, n.Classes[model], c.Want.Ambiguous, n.Why)
			}
			if _, err := CompareOn([]Case{c}, naive, Every); err != nil {
				t.Error(err)
			}
		}
	}
}
