// Package shows holds what the tests of all examples state about their schedules.
package shows

import (
	"os"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/gotest"
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

// Schedule explores sys until it finds the bug that cfg expects, within 1,000 executions. The minimised schedule must
// not be longer than the one made by hand, and must give the same execution and the same violation whenever it is
// executed.
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
	v := finding.Violation
	v.Known = false // nothing is expected where it is repeated
	repeat(t, cfg, sys, forced, v.Key())
}

// repeat executes the schedule once and then again and again, step for step.
func repeat(t *testing.T, cfg rehearse.Config, sys rehearse.System, forced []trace.Forced, key string) {
	t.Helper()
	_, restore, err := gotest.Mute()
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	o, err := options(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	first, err := replay.NewRunner(sys, o)(forced)
	if err != nil {
		t.Fatal(err)
	}
	if first.With(key) == nil {
		t.Fatalf("the schedule does not give %q again but %v", key, first.Violations)
	}
	same := 0
	o.Budget.Executions = repetitions
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			if v.Kind == trace.Divergence {
				t.Errorf("repetition %d: %s", same+1, v.Text)
				return false
			}
		}
		if f.Violations[0].Key() == key {
			same++
		}
		return true
	}
	if _, err := explore.Run(sys, &repeater{first: first.Trace}, o); err != nil {
		t.Fatal(err)
	}
	if same != repetitions {
		t.Errorf("the schedule gave %q %d times out of %d", key, same, repetitions)
	}
}

// repeater repeats an execution for as long as it is asked to.
type repeater struct {
	*replay.Repeat
	first *trace.Trace
}

// Name is "repeater".
func (*repeater) Name() string { return "repeater" }

// Start begins the next repetition.
func (r *repeater) Start() bool {
	r.Repeat = replay.NewRepeat(r.first)
	return r.Repeat.Start()
}

// Complete is false.
func (*repeater) Complete() bool { return false }

// faultless turns faults off where REHEARSE_FAULTS says so, as for Check: some ask which code runs without.
func faultless(cfg rehearse.Config) rehearse.Config {
	if os.Getenv("REHEARSE_FAULTS") == "off" {
		cfg.Faults = "off"
	}
	return cfg
}

// options are those of Explore under cfg, as far as the examples set them.
func options(cfg rehearse.Config, sys rehearse.System) (explore.Options, error) {
	faults, err := trace.ParseFaults(cfg.Faults)
	model := cfg.Model
	if model == trace.DefaultModel {
		model = sys.DefaultModel()
	}
	return explore.Options{
		Conditions: explore.Conditions{Model: model, Timers: cfg.Timers, Faults: faults, Horizon: horizon, MaxSteps: maxSteps, Copy: true, Blocked: blocked},
		Check:      &check.Checker{Levels: cfg.Checks},
	}, err
}
