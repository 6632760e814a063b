package toy

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// Naive executes exactly the executions that the dumb twin counts, in the same classes, and ends in the same states equally often.
func TestNaiveAgainstTwin(t *testing.T) {
	for _, model := range Models {
		for _, tm := range []trace.TimerMode{trace.Quiescent, trace.Async} {
			t.Run(model.String()+tm.String(), func(t *testing.T) {
				c, err := Compare(func() explore.Strategy { return search.NewNaive() }, CompareOptions{Demand: Every, Models: []trace.Model{model}, Timers: []trace.TimerMode{tm}, Limit: 300, Features: Full})
				if err != nil {
					t.Error(err)
				}
				t.Log(c)
				if c.Branching < c.Programs/20 {
					t.Errorf("only %d of %d programs have more than one class: the comparison says little", c.Branching, c.Programs)
				}
			})
		}
	}
}
