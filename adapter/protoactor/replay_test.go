package protoactor_test

import (
	"os"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// repeatable are programs with what repetition is hard for: requests, timeouts, restarts, back-off, repeating timers.
var repeatable = map[string]func(*explore.T, *journal){
	"late":    lateProgram,
	"mutual":  mutual(time.Second),
	"backoff": office(ruled(backingOff, "a", "b"), order{"a", boom{}}, order{"b", boom{}}, order{"a", tick{}}, order{"b", tick{}}),
	"allforone": office(ruled(allForOne(actor.RestartDirective), "a", "b", "c"),
		order{"a", boom{}}, order{"b", tick{}}, order{"c", boom{}}, order{"b", tick{}}),
	"sleep": timing(patience, ask{3}, tick{}, quiet{}, told{}),
}

// Each of 10 random schedules gives the same trace and the same journal 10 times, with REHEARSE_TOY each of 20 50
// times, in both modes and with both kinds of timers.
func TestRepetitions(t *testing.T) {
	schedules, times := 10, 10
	if testing.Short() { // the race detector is for the hand-overs between goroutines, which few schedules have all of
		schedules, times = 4, 4
	}
	if os.Getenv("REHEARSE_TOY") != "" {
		schedules, times = 20, 50
	}
	for name, program := range repeatable {
		for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
			t.Run(name+"/"+timers.String(), func(t *testing.T) {
				features.Repeat(t, protoactor.System, program, explore.Conditions{Model: trace.Mailbox, Timers: timers}, schedules, times)
			})
		}
	}
}

// What is found and minimised in one System replays in another, made anew: the same violation, and no step is stale.
func TestReplayInFreshSystem(t *testing.T) {
	for _, f := range findings {
		f.config.Budget = "200x"
		r, err := rehearse.Explore(f.config, protoactor.System(f.program))
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%s: error %v, findings %+v", f.name, err, r.Findings)
		}
		found := r.Findings[0]
		checker := check.Checker{Levels: f.config.Checks, Ends: f.config.Environment, Final: f.config.Final, Invariants: f.config.Invariants}
		run := replay.NewRunner(protoactor.System(f.program), explore.Options{
			Conditions: explore.Conditions{Model: trace.Mailbox, MaxSteps: f.config.MaxSteps}, MaxSteps: f.config.MaxSteps, Check: &checker})
		again, err := run(found.Schedule.Steps)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if again.With(found.Violation.Key()) == nil || len(again.Stale) > 0 {
			t.Errorf("%s: the replay has violations %+v and stale steps %v, want %s", f.name, again.Violations, again.Stale, found.Violation.Key())
		}
	}
}
