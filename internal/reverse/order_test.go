package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Whether S makes a class of a beginning is the same by the keys of its steps and by a simulation to its end. Actors
// refuse messages, wait in their handlers and inject restarts.
func TestKeysSayWhatTheSimulationDoes(t *testing.T) {
	for _, model := range []trace.Model{trace.FIFO, trace.Causal} {
		t.Run(model.String(), func(t *testing.T) {
			cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Features: toy.Full,
				Programs: 400, Limit: 500})
			if err != nil {
				t.Fatal(err)
			}
			answers := map[bool]int{}
			newChecked := func() *Search { return checkedSearch(t, answers) }
			sure := toy.AnsweredFor(t, cases, newChecked)
			if _, err := toy.CompareOn(sure, newSearch, toy.Exact); err != nil {
				t.Error(err)
			}
			if t.Log(answers); answers[true] < 20 || answers[false] < 20 {
				t.Errorf("answers %v: want many of both kinds", answers)
			}
		})
	}
}

// checkedSearch makes a search that compares each answer of the keys, and counts them.
func checkedSearch(t *testing.T, answers map[bool]int) *Search {
	r := New()
	c := &r.class
	c.answered = func(begin bitset.Set, leads bool) {
		answers[leads]++
		answered, tied, plain := c.answered, c.tied, c.plain
		c.answered, c.plain = nil, false
		if simulated := c.newSimulation().follows(begin); simulated != leads {
			t.Errorf("by the keys %t, by simulation %t", leads, simulated)
		}
		c.answered, c.tied, c.plain = answered, tied, plain
	}
	return r
}
