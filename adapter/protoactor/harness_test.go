package protoactor_test

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// journal is what a program writes down in one execution; tests state which journals there are over all schedules.
type journal struct {
	mu    sync.Mutex // handlers that block may go on when another one runs
	lines []string
}

func (j *journal) note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

func (j *journal) String() string { return strings.Join(j.lines, ", ") }

// feature is a small program with all that may come of it.
type feature struct {
	name    string
	program func(*explore.T, *journal)
	want    []string // the journals over all schedules; nil: see check only
	check   func(*testing.T, *trace.Trace)
	trial

	bypassed string // part of what the result says is not run, "" if it says nothing
	omitted  string // part of what it says is not explored, "" if it says nothing
	long     bool   // it takes more than a second: short leaves it out
}

// trial is how a program is explored. The zero value: mailbox model, quiescent timers, naive to completion.
type trial struct {
	model   trace.Model
	timers  trace.TimerMode
	horizon time.Duration
	cut     bool // by the horizon, which leaves timers out
	bound   int  // on steps, SetUp's too
	faults  string
	random  int // number of random schedules instead of everything
	mode    adapter.Mode
	once    bool // no repetition of every execution
	checker check.Checker
}

// off switches checks off that the program means to trigger.
func off(kinds ...trace.ViolationKind) check.Checker {
	c := check.Checker{Levels: check.Levels{}}
	for _, k := range kinds {
		c.Levels[k] = check.Off
	}
	return c
}

// seen is what an exploration showed.
type seen struct {
	explore.Outcome
	journals   map[string]int // how many executions ended with each
	violations []trace.Violation
	warnings   []trace.Violation
	err        error
}

func (s *seen) endings() []string { return slices.Sorted(maps.Keys(s.journals)) }

// try explores a program and repeats every execution, which must give the same trace and the same journal. visit gets
// the trace of every execution; it may be nil.
func (x trial) try(t *testing.T, program func(*explore.T, *journal), visit func(*trace.Trace)) *seen {
	t.Helper()
	s := &seen{journals: map[string]int{}}
	var j journal
	sys := protoactor.System(func(t *explore.T) { program(t, &j) })
	sys.Mode = x.mode
	o, strategy := x.options(s)
	o.Before = func() { j = journal{} }
	first, rechecked := "", 0
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		if c.Rechecked > rechecked {
			rechecked = c.Rechecked
			if j.String() != first {
				t.Errorf("the journal of a repeated execution is %q, was %q", &j, first)
			}
			return
		}
		first = j.String()
		s.journals[first]++
		if visit != nil {
			visit(tr)
		}
	}
	s.Outcome, s.err = explore.Run(sys, strategy, o)
	for _, v := range s.violations {
		if v.Kind == trace.Divergence {
			t.Errorf("divergence: %s", v.Text)
		}
	}
	return s
}

func (x trial) options(s *seen) (explore.Options, explore.Strategy) {
	checker := x.checker
	checker.Warned = func(v trace.Violation) { s.warnings = append(s.warnings, v) }
	o := explore.Options{
		Conditions: explore.Conditions{Model: max(x.model, trace.Bag), Timers: x.timers, Horizon: x.horizon, MaxSteps: x.bound, Blocked: 5 * time.Second},
		MaxSteps:   x.bound,
		Check:      &checker,
		Found: func(f explore.Found) bool {
			s.violations = append(s.violations, f.Violations...)
			return true
		},
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
	}
	var err error
	if o.Conditions.Faults, err = trace.ParseFaults(x.faults); err != nil {
		panic(err)
	}
	if x.model == trace.DefaultModel {
		o.Conditions.Model = trace.Mailbox
	}
	if !x.once {
		o.Again = func(int) bool { return true }
	}
	if x.random > 0 {
		o.Budget.Executions = x.random
		return o, sample.NewRandom(1)
	}
	o.Budget.Executions = 100_000
	return o, search.NewNaive()
}

// run explores the feature and compares.
func (f feature) run(t *testing.T) {
	var visit func(*trace.Trace)
	if f.check != nil {
		visit = func(tr *trace.Trace) { f.check(t, tr) }
	}
	s := f.try(t, f.program, visit)
	s.quietly(t)
	oneSeed := chance.Numbered() && s.ForOneSeed // what goroutines of the program draw is not explored here
	if f.bypassed+f.omitted == "" && f.random == 0 && !s.Complete && !f.cut && !oneSeed {
		t.Errorf("not complete: %+v", s.Outcome)
	}
	if f.omitted == "" && s.PassedOver != "" || !strings.Contains(s.PassedOver, f.omitted) || f.omitted != "" && s.Complete {
		t.Errorf("not explored is %q, want %q; complete: %v", s.PassedOver, f.omitted, s.Complete)
	}
	if f.cut != (s.Beyond != "") {
		t.Errorf("timers left out by the horizon: %q, want some: %v", s.Beyond, f.cut)
	}
	if f.bypassed == "" && s.Bypassed != "" || !strings.Contains(s.Bypassed, f.bypassed) || f.bypassed != "" && s.Complete {
		t.Errorf("bypassed %q, want %q; complete: %v", s.Bypassed, f.bypassed, s.Complete)
	}
	if f.want != nil {
		want := slices.Sorted(slices.Values(f.want))
		if got := s.endings(); !slices.Equal(got, want) {
			t.Errorf("the journals are %q, want %q", got, want)
		}
	}
}

// quietly wants an exploration without error, violation and uncontrolled order.
func (s *seen) quietly(t *testing.T) {
	t.Helper()
	if s.err != nil {
		t.Fatal(s.err)
	}
	for _, v := range s.violations {
		t.Fatalf("violation: %s: %s\n%s", v.Kind, v.Text, v.Stack)
	}
	if s.Uncontrolled != "" {
		t.Errorf("uncontrolled order: %s", s.Uncontrolled)
	}
}

// kinds counts violations by kind.
func (s *seen) kinds() map[trace.ViolationKind]int {
	n := map[trace.ViolationKind]int{}
	for _, v := range s.violations {
		n[v.Kind]++
	}
	return n
}

// short are the features that are not long, with REHEARSE_TOY all.
func short(features []feature) []feature {
	if os.Getenv("REHEARSE_TOY") != "" {
		return features
	}
	return slices.DeleteFunc(slices.Clone(features), func(f feature) bool { return f.long })
}

func runAll(t *testing.T, features []feature) {
	for _, f := range features {
		t.Run(f.name, f.run)
	}
}

// stock is an actor system as applications create it, but for the log.
func stock() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))
}

// start starts a named actor made from a function.
func start(s *actor.ActorSystem, name string, receive actor.ReceiveFunc, options ...actor.PropsOption) *actor.PID {
	pid, err := s.Root.SpawnNamed(actor.PropsFromFunc(receive, options...), name)
	if err != nil {
		panic(err)
	}
	return pid
}

// world sets up actors in an actor system of the test.
func world(t *explore.T, build func(*actor.ActorSystem)) *actor.ActorSystem {
	s := protoactor.NewActorSystem()
	t.SetUp(func() { build(s) })
	return s
}

// received gives the types of the messages that an actor handled after set-up, by its name.
func received(tr *trace.Trace, name string) string {
	var types []string
	for _, e := range tr.Events[tr.Explored:] {
		if m := e.Step.Message; m >= 0 && e.Step.Kind == trace.Deliver && tr.ActorName(e.Step.Actor) == name {
			types = append(types, trace.ShortType(tr.Messages[m].Type.Name))
		}
	}
	return strings.Join(types, " ")
}

// The messages of the test programs.
type (
	ask  struct{ n int }
	told struct{ n int }
	boom struct{}
	tick struct{}
	quit struct{}
)
