package goakt_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// TestMain has memory collected seldom.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

var background = context.Background()

// start makes a system under control.
func start(options ...actor.Option) actor.ActorSystem {
	s, err := goakt.NewActorSystem("test", options...)
	if err != nil {
		panic(err)
	}
	return s
}

// acts is an actor made of a function.
type acts struct {
	receive func(*actor.ReceiveContext)
	stop    func()
}

func (a *acts) PreStart(*actor.Context) error { return nil }

func (a *acts) Receive(c *actor.ReceiveContext) { a.receive(c) }

func (a *acts) PostStop(*actor.Context) error {
	if a.stop != nil {
		a.stop()
	}
	return nil
}

// spawn spawns an actor made of a function.
func spawn(s actor.ActorSystem, name string, receive func(*actor.ReceiveContext),
	options ...actor.SpawnOption) *actor.PID {
	pid, err := s.Spawn(background, name, &acts{receive: receive}, options...)
	if err != nil {
		panic(err)
	}
	return pid
}

// tell sends messages from outside of actors.
func tell(to *actor.PID, messages ...any) {
	for _, m := range messages {
		_ = actor.Tell(background, to, m)
	}
}

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

// byActor is a journal without the order of lines of different actors, which begin with different words.
func (j *journal) byActor() string {
	lines := slices.Clone(j.lines)
	slices.SortStableFunc(lines, func(a, b string) int {
		a, _, _ = strings.Cut(a, " ")
		b, _, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	})
	return strings.Join(lines, ", ")
}

// Messages of the tests.
type (
	told struct{ n int }
	ask  struct{ n int }
	boom struct{}
	tick struct{}
)

// feature is a small program with all that may come of it.
type feature struct {
	name    string
	program func(*explore.T, *journal)
	want    []string // the journals over all schedules; nil: not compared
	model   trace.Model
	timers  trace.TimerMode
	horizon time.Duration
	faults  string
	off     []trace.ViolationKind
	finds   map[trace.ViolationKind]int // kinds of violations that are found, with no count
	omitted string                      // part of what the result says is not explored, "" if it says nothing
	cut     bool                        // timers are left out by the horizon
	large   bool                        // one order of each class is executed
	alone   bool                        // strategies are not compared
	guesses bool                        // actors end, and steps may have seen that: there are more classes
}

// seen is what an exploration showed.
type seen struct {
	explore.Outcome
	journals   map[string]int
	violations []trace.Violation
	err        error
}

func (s *seen) endings() []string { return slices.Sorted(maps.Keys(s.journals)) }

func (f feature) levels() check.Levels {
	l := check.Levels{}
	for _, k := range f.off {
		l[k] = check.Off
	}
	return l
}

// try explores the program to its end and repeats every execution, which must give the same trace and the same journal.
func (f feature) try(t *testing.T, mode adapter.Mode, strategy explore.Strategy, executions int) *seen {
	t.Helper()
	s := &seen{journals: map[string]int{}}
	var j journal
	sys := goakt.System(func(t *explore.T) { f.program(t, &j) })
	sys.Mode = mode
	o := explore.Options{
		Conditions: explore.Conditions{Model: f.model, Timers: f.timers, Horizon: f.horizon, Blocked: 5 * time.Second},
		Check:      &check.Checker{Levels: f.levels()},
		Found: func(f explore.Found) bool {
			s.violations = append(s.violations, f.Violations...)
			return true
		},
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
		Again:  func(int) bool { return true },
		Before: func() { j = journal{} },
	}
	if f.model == trace.DefaultModel {
		o.Conditions.Model = trace.Mailbox
	}
	var err error
	if o.Conditions.Faults, err = trace.ParseFaults(f.faults); err != nil {
		t.Fatal(err)
	}
	o.Budget.Executions = executions
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
	}
	s.Outcome, s.err = explore.Run(sys, strategy, o)
	return s
}

// oneSeed reports whether a result is not complete for what Go draws alone: the framework's numbers in PIDs, which
// rehearse test sees.
func oneSeed(o explore.Outcome) bool { return chance.Numbered() && o.ForOneSeed }

// run explores the feature in both modes, and compares.
func (f feature) run(t *testing.T) {
	for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
		name := "naive"
		if f.large {
			name = "optimal"
		}
		strategy, err := strategies.New(name, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := f.try(t, mode, strategy, 20_000)
		if s.err != nil {
			t.Fatal(s.err)
		}
		if s.Uncontrolled != "" {
			t.Errorf("uncontrolled order: %s", s.Uncontrolled)
		}
		if f.omitted == "" && s.PassedOver != "" || !strings.Contains(s.PassedOver, f.omitted) {
			t.Errorf("not explored is %q, want %q", s.PassedOver, f.omitted)
		}
		if f.omitted == "" && !f.cut && !s.Complete && !oneSeed(s.Outcome) {
			t.Errorf("not complete: %+v", s.Outcome)
		}
		if f.cut != (s.Beyond != "") {
			t.Errorf("timers left out by the horizon: %q, want some: %v", s.Beyond, f.cut)
		}
		kinds := map[trace.ViolationKind]int{}
		for _, v := range s.violations {
			if kinds[v.Kind]++; f.finds[v.Kind] == 0 {
				t.Fatalf("violation: %s: %s\n%s", v.Kind, v.Text, v.Stack)
			}
		}
		if len(kinds) != len(f.finds) {
			t.Errorf("found %v, want %v", kinds, f.finds)
		}
		if want := slices.Sorted(slices.Values(f.want)); f.want != nil && !slices.Equal(s.endings(), want) {
			t.Errorf("the journals are %q, want %q", s.endings(), want)
		}
		t.Logf("%d executions", s.Executions)
	}
}

// agree compares the strategies under a model.
func (f feature) agree(t *testing.T, model trace.Model) {
	var j journal
	p := agree.Program{
		System:     goakt.System(func(t *explore.T) { f.program(t, &j) }),
		Conditions: explore.Conditions{Model: model, Timers: f.timers, Horizon: f.horizon, Blocked: 5 * time.Second},
		State:      func() string { return j.byActor() },
		Before:     func() { j = journal{} },
		Check:      func() explore.Checker { return &check.Checker{Levels: f.levels()} },
		Limit:      2000,
	}
	if f.guesses {
		if features.Scale(t) == 0 {
			p.Limit = 500
		}
		f.ends(t, &p)
		return
	}
	p.Judge(t, "")
	if s, err := p.Show("optimal"); err != nil || !s.Complete && !oneSeed(s.Outcome) {
		t.Errorf("optimal is not complete: %v, %s%s", err, s.PassedOver, s.Doubt)
	}
}

// ends compares the ends to which the strategies come.
func (f feature) ends(t *testing.T, p *agree.Program) {
	t.Helper()
	all, err := p.Show("naive")
	for _, name := range []string{"source", "optimal"} {
		s, errs := p.Show(name)
		if err = errors.Join(err, errs); err != nil {
			t.Fatal(err)
		}
		if all.Exhausted && !slices.Equal(s.Ends(), all.Ends()) || !s.Exhausted {
			t.Errorf("%s comes to %q, naive to %q", name, s.Ends(), all.Ends())
		}
	}
}

// sink notes the numbers it is told, with a name.
func sink(name string, j *journal) func(*actor.ReceiveContext) {
	return func(c *actor.ReceiveContext) {
		if m, ok := c.Message().(told); ok {
			j.note("%s %d", name, m.n)
		}
	}
}

// doubler answers ask with told.
func doubler(c *actor.ReceiveContext) {
	if m, ok := c.Message().(ask); ok {
		c.Response(told{2 * m.n})
	}
}

var _ = sample.NewRandom
