package features

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// Trial is how a program is explored. The zero value: mailbox model, quiescent timers, naive to completion.
type Trial struct {
	Model   trace.Model
	Timers  trace.TimerMode
	Horizon time.Duration
	Cut     bool // by the horizon, which leaves timers out
	Bound   int  // on steps, SetUp's too; 0: none
	Faults  string
	Random  int // number of random schedules instead of everything
	// the name of the strategy that executes everything; "": naive
	Strategy string
	Mode     adapter.Mode
	Once     bool // no repetition of every execution
	Checker  check.Checker
}

// Off switches checks off that the program means to trigger.
func Off(kinds ...trace.ViolationKind) check.Checker {
	c := check.Checker{Levels: check.Levels{}}
	for _, k := range kinds {
		c.Levels[k] = check.Off
	}
	return c
}

// Seen is what an exploration showed.
type Seen struct {
	explore.Outcome
	Journals   map[string]int // how many executions ended with each
	Violations []trace.Violation
	Warnings   []trace.Violation
	Err        error
}

// Endings gives the different journals, sorted.
func (s *Seen) Endings() []string { return slices.Sorted(maps.Keys(s.Journals)) }

// Kinds counts violations by kind.
func (s *Seen) Kinds() map[trace.ViolationKind]int {
	n := map[trace.ViolationKind]int{}
	for _, v := range s.Violations {
		n[v.Kind]++
	}
	return n
}

// Quietly wants an exploration without error, violation and uncontrolled order.
func (s *Seen) Quietly(t *testing.T) {
	t.Helper()
	s.only(t, nil)
}

// only wants these kinds of violations, each of them.
func (s *Seen) only(t *testing.T, kinds []trace.ViolationKind) {
	t.Helper()
	if s.Err != nil {
		t.Fatal(s.Err)
	}
	for _, v := range s.Violations {
		if !slices.Contains(kinds, v.Kind) {
			t.Fatalf("violation: %s: %s\n%s", v.Kind, v.Text, v.Stack)
		}
	}
	if found := s.Kinds(); len(found) != len(kinds) {
		t.Errorf("found %v, want %v", found, kinds)
	}
	if s.Uncontrolled != "" {
		t.Errorf("uncontrolled order: %s", s.Uncontrolled)
	}
}

// SystemOf makes a program of a framework, as the System function of its adapter does.
type SystemOf func(test func(*explore.T)) *adapter.System

// Try explores a program of a framework, and repeats every execution, which must give the same trace and the same
// journal. visit gets the trace of every execution; it may be nil.
func (x Trial) Try(t *testing.T, system SystemOf, program func(*explore.T, *Journal), visit func(*trace.Trace)) *Seen {
	t.Helper()
	var j Journal
	sys := system(func(t *explore.T) { program(t, &j) })
	sys.Mode = x.Mode
	return x.Explore(t, sys, &j, visit)
}

// Explore is Try of any System, whose program writes into the journal.
func (x Trial) Explore(t *testing.T, sys explore.System, j *Journal, visit func(*trace.Trace)) *Seen {
	t.Helper()
	s := &Seen{Journals: map[string]int{}}
	o, strategy := x.Options(s)
	o.Before = j.Reset
	first, rechecked := "", 0
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		if c.Rechecked > rechecked {
			rechecked = c.Rechecked
			if j.String() != first {
				t.Errorf("the journal of a repeated execution is %q, was %q", j, first)
			}
			return
		}
		first = j.String()
		s.Journals[first]++
		if visit != nil {
			visit(tr)
		}
	}
	s.Outcome, s.Err = explore.Run(sys, strategy, o)
	for _, v := range s.Violations {
		if v.Kind == trace.Divergence {
			t.Errorf("divergence: %s", v.Text)
		}
	}
	return s
}

// Options are those of the exploration, which adds what it finds to s, and its strategy.
func (x Trial) Options(s *Seen) (explore.Options, explore.Strategy) {
	checker := x.Checker
	checker.Warned = func(v trace.Violation) { s.Warnings = append(s.Warnings, v) }
	o := explore.Options{
		Conditions: x.conditions(),
		MaxSteps:   x.Bound,
		Check:      &checker,
		Found: func(f explore.Found) bool {
			s.Violations = append(s.Violations, f.Violations...)
			return true
		},
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
	}
	if !x.Once {
		o.Again = func(int) bool { return true }
	}
	if x.Random > 0 {
		o.Budget.Executions = x.Random
		return o, sample.NewRandom(1)
	}
	o.Budget.Executions = 100_000
	strategy, err := strategies.New(cmp.Or(x.Strategy, "naive"), 1, 0)
	if err != nil {
		panic(err)
	}
	return o, strategy
}

// conditions are those of the exploration.
func (x Trial) conditions() explore.Conditions {
	faults, err := trace.ParseFaults(x.Faults)
	if err != nil {
		panic(err)
	}
	c := explore.Conditions{Model: x.Model, Timers: x.Timers, Horizon: x.Horizon, MaxSteps: x.Bound, Faults: faults,
		Blocked: 5 * time.Second}
	if c.Model == trace.DefaultModel {
		c.Model = trace.Mailbox
	}
	return c
}

// Refused wants an exploration to end with an error that has all of these texts in it.
func Refused(t *testing.T, system *adapter.System, want []string) {
	t.Helper()
	_, err := explore.Run(system, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox, Blocked: 5 * time.Second},
		Budget:     explore.Budget{Executions: 20}})
	if err == nil {
		t.Fatal("not refused")
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not name %q: %v", w, err)
		}
	}
}
