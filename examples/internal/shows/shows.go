// Package shows holds what the tests of all examples state about their schedules.
package shows

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// The defaults of rehearse.Config.
const (
	horizon  = time.Minute
	maxSteps = 100_000
	blocked  = 10 * time.Second
)

// repetitions is how often a schedule must give the same execution.
const repetitions = 1000

// Schedule explores sys until it finds the bug that cfg expects, within 1,000 executions. The minimised schedule must not be longer than
// the one made by hand, and must give the same execution and the same violation whenever it is executed.
func Schedule(t *testing.T, cfg rehearse.Config, sys rehearse.System, byHand int) {
	t.Helper()
	cfg.Budget = "1000x"
	result, err := rehearse.Explore(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 1 || !result.Findings[0].Expected {
		t.Fatalf("%d findings, want the expected one only: %v", len(result.Findings), result.Findings)
	}
	finding := result.Findings[0]
	forced := finding.Schedule.Steps
	t.Logf("found by execution %d; %d forced steps, %d by hand", finding.Execution, len(forced), byHand)
	if len(forced) > byHand {
		t.Errorf("the minimised schedule has %d forced steps, the one made by hand %d:\n%v", len(forced), byHand, forced)
	}
	repeat(t, cfg, sys, forced, finding.Violation.Key())
}

// repeat executes the schedule once and then again and again, step for step.
func repeat(t *testing.T, cfg rehearse.Config, sys rehearse.System, forced []trace.Forced, key string) {
	t.Helper()
	o := options(cfg, sys)
	first, err := replay.NewRunner(sys, o)(forced)
	if err != nil {
		t.Fatal(err)
	}
	if first.With(key) == nil {
		t.Fatalf("the schedule does not give %q again but %v", key, first.Violations)
	}
	for i := range repetitions {
		again := replay.NewRepeat(first.Trace)
		seen := false
		o.Budget.Executions = 1
		o.Found = func(f explore.Found) bool {
			for _, v := range f.Violations {
				seen = seen || v.Key() == key
			}
			return false
		}
		if _, err := explore.Run(sys, again, o); err != nil {
			t.Fatal(err)
		}
		if d := again.Divergence(); d != nil || !seen {
			t.Fatalf("repetition %d: divergence %v, violation seen again: %v", i+1, d, seen)
		}
	}
}

// options are those of Explore under cfg, as far as the examples set them.
func options(cfg rehearse.Config, sys rehearse.System) explore.Options {
	model := cfg.Model
	if model == trace.DefaultModel {
		model = sys.DefaultModel()
	}
	return explore.Options{
		Conditions: explore.Conditions{Model: model, Timers: cfg.Timers, Horizon: horizon, MaxSteps: maxSteps, Copy: true, Blocked: blocked},
		Check:      &check.Checker{Levels: cfg.Checks},
	}
}
