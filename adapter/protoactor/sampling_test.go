//go:build !race

// One of the programs has receive timeouts, whose bookkeeping in protoactor-go has a data race of its own
// (timers_race_test.go).

package protoactor_test

import (
	"os"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// The strategies that draw execute the same under a seed every time, whatever the program does, under all models and
// with both kinds of timers; nothing of it is blocked, and another seed executes something else of most programs. Three
// models and one kind of timers each, with REHEARSE_TOY all.
func TestSampling(t *testing.T) {
	for _, strategy := range []string{"random", "delays/100", "pct/3", "pos", "surw", "surw/all"} {
		differ := 0
		for name, program := range repeatable {
			for i, model := range toy.Models {
				for k, timers := range toy.TimerModes {
					if i != 4*k && i != 2 && os.Getenv("REHEARSE_TOY") == "" {
						continue
					}
					c := explore.Conditions{Model: model, Timers: timers, Horizon: time.Minute}
					first := sampled(t, program, strategy, 1, c)
					if sampled(t, program, strategy, 1, c) != first {
						t.Errorf("%s of %s under %s, timers %s, differs from time to time", strategy, name, model, timers)
					}
					if sampled(t, program, strategy, 2, c) != first {
						differ++
					}
				}
			}
		}
		if differ < 8 { // of 20
			t.Errorf("%s: another seed gives other executions in %d cases only", strategy, differ)
		}
	}
}

// sampled gives the steps and the journals of five executions.
func sampled(t *testing.T, program func(*explore.T, *journal), strategy string, seed uint64, c explore.Conditions) string {
	t.Helper()
	s, err := strategies.New(strategy, seed, 0)
	if err != nil {
		t.Fatal(err)
	}
	var j journal
	text := ""
	out, err := explore.Run(protoactor.System(func(t *explore.T) { program(t, &j) }), s, explore.Options{
		Conditions: c, Budget: explore.Budget{Executions: 5}, Before: func() { j = journal{} },
		After: func(_ *explore.Counters, tr *trace.Trace) {
			for e := range tr.Events {
				text += tr.Events[e].Step.ID.String() + "\n"
			}
			text += j.String() + "\n"
		}})
	if err != nil || out.Executions != 5 || out.Blocked != 0 {
		t.Fatalf("%s under %s: %+v, %v", strategy, c.Model, out, err)
	}
	return text
}
