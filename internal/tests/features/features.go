// Package features explores small programs that state all that may come of them. It is for tests of what actors of a
// framework can do.
//
//	journal.go   what a program writes down
//	trial.go     how a program is explored, and what that showed
//	features.go  a program with what is expected, and the strategies compared on it
package features

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// Feature is a small program with all that may come of it.
type Feature struct {
	Name    string
	Program func(*explore.T, *Journal)
	Want    []string                       // the journals over all schedules; nil: not compared
	Check   func(*testing.T, *trace.Trace) // of each execution; may be nil
	Trial

	Finds    []trace.ViolationKind // kinds of violations that are found
	Bypassed string                // part of what the result says is not run, "" if it says nothing
	Omitted  string                // part of what it says is not explored, "" if it says nothing
	Long     bool                  // it takes more than a second: only with REHEARSE_TOY
	Alone    bool                  // strategies are not compared
}

// OneSeed reports whether a result is not complete for what Go draws alone, which rehearse test sees.
func OneSeed(o *explore.Outcome) bool { return chance.Numbered() && o.ForOneSeed }

// Run explores the feature and compares.
func (f Feature) Run(t *testing.T, system SystemOf) {
	t.Helper()
	var visit func(*trace.Trace)
	if f.Check != nil {
		visit = func(tr *trace.Trace) { f.Check(t, tr) }
	}
	f.Judge(t, f.Try(t, system, f.Program, visit))
}

// Judge compares what was seen with what is expected.
func (f Feature) Judge(t *testing.T, s *Seen) {
	t.Helper()
	s.only(t, f.Finds)
	if f.Bypassed+f.Omitted == "" && f.Random == 0 && !s.Complete && !f.Cut && !OneSeed(&s.Outcome) {
		t.Errorf("not complete: %+v", s.Outcome)
	}
	if !tells(s, s.PassedOver, f.Omitted) {
		t.Errorf("not explored is %q, want %q; complete: %v", s.PassedOver, f.Omitted, s.Complete)
	}
	if !tells(s, s.Bypassed, f.Bypassed) {
		t.Errorf("bypassed %q, want %q; complete: %v", s.Bypassed, f.Bypassed, s.Complete)
	}
	if f.Cut != (s.Beyond != "") {
		t.Errorf("timers left out by the horizon: %q, want some: %v", s.Beyond, f.Cut)
	}
	if want := slices.Sorted(slices.Values(f.Want)); f.Want != nil && !slices.Equal(s.Endings(), want) {
		t.Errorf("the journals are %q, want %q", s.Endings(), want)
	}
}

// tells reports whether a result says what it is to say, and no more, and does not call itself complete then.
func tells(s *Seen, said, want string) bool {
	return (want != "" || said == "") && strings.Contains(said, want) && (want == "" || !s.Complete)
}

// Agree compares the reductions under a model. but says why they are known to differ, "" if they must not. It gives
// what they show.
func (f Feature) Agree(t *testing.T, system SystemOf, model trace.Model, but string) []*agree.Shown {
	t.Helper()
	var j Journal
	x := f.Trial
	x.Model, x.Faults = model, ""
	p := agree.Program{
		System:     system(func(t *explore.T) { f.Program(t, &j) }),
		Conditions: x.conditions(),
		State:      j.ByActor,
		Before:     j.Reset,
		Check:      func() explore.Checker { return &check.Checker{Levels: f.Checker.Levels} },
		Limit:      2000,
	}
	return p.Judge(t, but)
}

// RunBoth runs each feature as a subtest, in both modes.
func RunBoth(t *testing.T, system SystemOf, features []Feature) {
	for _, f := range features {
		t.Run(f.Name, func(t *testing.T) {
			for _, f.Mode = range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
				f.Run(t, system)
			}
		})
	}
}

// RunAll runs each feature as a subtest.
func RunAll(t *testing.T, system SystemOf, features []Feature) {
	for _, f := range features {
		t.Run(f.Name, func(t *testing.T) { f.Run(t, system) })
	}
}

// Scale is the variable REHEARSE_TOY, 0 if it is not set.
func Scale(t *testing.T) int {
	s := os.Getenv("REHEARSE_TOY")
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("REHEARSE_TOY: %v", err)
	}
	return n
}
