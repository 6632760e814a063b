package search_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// witness writes down the schedules of any strategy that runs from the start.
type witness struct {
	explore.Strategy
	chosen []string
}

func (w *witness) Start() bool {
	w.chosen = nil
	return w.Strategy.Start()
}

func (w *witness) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	c := w.Strategy.Choose(tr, enabled)
	w.chosen = append(w.chosen, enabled[c.Index].ID.String())
	return c
}

// TestRandomDelay: many walks meet every schedule that Delay executes, and no other.
func TestRandomDelay(t *testing.T) {
	schedules := func(sys explore.System, words string, seed uint64, walks int) map[string]bool {
		s, err := search.ParseDelay(words, seed)
		if err != nil {
			t.Fatal(err)
		}
		w, got := &witness{Strategy: s}, map[string]bool{}
		if _, err := explore.Run(sys, w,
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: walks},
				After: func(*explore.Counters, *trace.Trace) { got[strings.Join(w.chosen, " ")] = true }}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	programs := 0
	for seed := uint64(0); seed < 60; seed++ {
		sys := toy.NewSystem(toy.Random(seed, toy.Features{Spawn: true, Constraints: true, Choices: true}))
		want := schedules(sys, "2", 0, 0)
		if len(want) < 3 || len(want) > 20 {
			continue
		}
		programs++
		got := schedules(sys, "2/random", 1, 3000)
		for s := range got {
			if !want[s] {
				t.Fatalf("seed %d: a schedule that no two delays make: %s", seed, s)
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d of %d schedules", seed, len(got), len(want))
		}
		if a, b := schedules(sys, "2/random", 7, 3), schedules(sys, "2/random", 7, 3); !maps.Equal(a, b) {
			t.Errorf("seed %d: the same seed gave other schedules", seed)
		}
	}
	if programs < 10 {
		t.Errorf("only %d programs", programs)
	}
}
