package goakt_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// office has all that is hard to repeat: calls that time out, restarts, children that are stopped with their parent,
// ticks, and results that are piped.
func office(t *explore.T, j *journal) {
	s := start()
	var boss, clerk *actor.PID
	t.SetUp(func() {
		clerk = spawn(s, "clerk", func(c *actor.ReceiveContext) {
			switch m := c.Message().(type) {
			case ask:
				if m.n%2 == 1 {
					c.Response(told{m.n})
				}
			case boom:
				panic("boom")
			case told:
				j.note("clerk %d", m.n)
			}
		}, actor.WithSupervisor(supervisor.NewSupervisor(supervisor.WithAnyErrorDirective(supervisor.RestartDirective))))
		boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
			switch m := c.Message().(type) {
			case *actor.PostStart:
				for _, name := range []string{"x", "y", "z"} {
					spawnsIn(c, name, j, func(c *actor.ReceiveContext) {
						if _, ok := c.Message().(tick); ok {
							c.Tell(clerk, told{len(name)})
						}
					})
				}
			case told:
				j.note("boss %v", c.Ask(clerk, ask{m.n}, time.Second))
			case tick:
				for _, child := range c.Children() {
					_ = child
				}
				c.PipeTo(clerk, func() (any, error) { return told{9}, nil })
			}
		})
	})
	_ = s.Schedule(background, tick{}, boss, 300*time.Millisecond, actor.WithReference("ticks"))
	tell(boss, told{1})
	tell(clerk, boom{})
	tell(boss, told{2})
	tell(boss, new(actor.PoisonPill))
}

// Each of 10 random schedules gives the same trace and the same journal 10 times, with REHEARSE_TOY each of 20 50
// times, in both modes and with both kinds of timers.
func TestRepetitions(t *testing.T) {
	schedules, times := 10, 10
	if testing.Short() {
		schedules, times = 4, 4
	}
	if os.Getenv("REHEARSE_TOY") != "" {
		schedules, times = 20, 50
	}
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		t.Run(timers.String(), func(t *testing.T) {
			different := map[string]bool{}
			for seed := range schedules {
				different[repeat(t, timers, uint64(seed), times)] = true
			}
			if len(different) < 2 && !testing.Short() {
				t.Errorf("%d schedules come to %d journals only", schedules, len(different))
			}
		})
	}
}

func repeat(t *testing.T, timers trace.TimerMode, seed uint64, times int) string {
	var j journal
	sys := goakt.System(func(t *explore.T) { office(t, &j) })
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox, Timers: timers, Horizon: 3 * time.Second},
		Before: func() { j = journal{} }}
	var first *trace.Trace
	once := o
	once.Budget.Executions = 1
	once.After = func(_ *explore.Counters, tr *trace.Trace) { first = tr.Clone() }
	if _, err := explore.Run(sys, sample.NewRandom(seed), once); err != nil {
		t.Fatal(err)
	}
	want := j.String()
	for i := range times {
		sys.Mode = adapter.Mode(i % 2)
		r := replay.NewRepeat(first)
		if _, err := explore.Run(sys, r, o); err != nil {
			t.Fatal(err)
		}
		if d := r.Divergence(); d != nil {
			t.Fatalf("schedule %d, repetition %d: %s", seed, i, d.Text)
		}
		if j.String() != want {
			t.Fatalf("schedule %d, repetition %d: the journal is %q, was %q", seed, i, &j, want)
		}
	}
	return want
}

// No goroutine and no memory is left after many executions, of which some end with blocked handlers or ticks.
func TestNothingIsLeft(t *testing.T) {
	var j journal
	sys := goakt.System(func(t *explore.T) { office(t, &j) })
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var at100 uint64
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox, Horizon: 3 * time.Second},
		Before: func() { j = journal{} }, Budget: explore.Budget{Executions: 400},
		After: func(c *explore.Counters, _ *trace.Trace) {
			if c.Executions == 100 {
				at100 = heap()
			}
		}}
	before := runtime.NumGoroutine()
	if _, err := explore.Run(sys, sample.NewRandom(1), o); err != nil {
		t.Fatal(err)
	}
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines, were %d", n, before)
	}
	if now := heap(); now > at100+at100/2+1<<20 {
		t.Errorf("the live heap grew from %d to %d bytes", at100, now)
	}
}

func stockControlled() actor.ActorSystem { return goakt.Control(stock(true)) }
