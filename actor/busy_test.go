package actor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// thinker is a strategy that thinks for longer than a handler may take, once.
type thinker struct {
	*dpor.Optimal
	ticks   chan<- time.Time // of the watchdog
	thought bool
}

func (s *thinker) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	for n := 0; !s.thought && n < 2*goroutine.Slices; n++ {
		s.ticks <- time.Time{}
	}
	s.thought = true
	return s.Optimal.Choose(tr, enabled)
}

// twoToOne sends two messages to an actor.
func twoToOne() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(*actor.Context, any) {}))
		ctx.Send(a, ping{})
		ctx.Send(a, pong{})
	})
}

// A strategy that thinks for longer than a handler may take is not mistaken for a handler, whether the system takes
// steps back or not.
func TestABusyStrategyIsNoStuckHandler(t *testing.T) {
	ticks, restore := goroutine.Simulate()
	defer restore()
	for _, again := range []bool{false, true} {
		s := &thinker{Optimal: dpor.NewOptimal(nil), ticks: ticks}
		out, err := explore.Run(twoToOne(), s,
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: again})
		if err != nil || !out.Complete || out.Executions != 2 || !s.thought {
			t.Errorf("rerun %v: error %v, complete %v, %d executions; want both orders", again, err,
				out.Complete, out.Executions)
		}
	}
}

// releaser takes releases first.
type releaser struct{ sample.DefaultOrder }

func (s *releaser) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	for i, step := range enabled {
		if step.Kind == trace.Send {
			return explore.Choice{Index: i}
		}
	}
	return s.DefaultOrder.Choose(tr, enabled)
}

// slow is an actor that takes the last message first. To look at one for the first time takes it a part of the time
// that a handler has.
type slow struct {
	last, asked int
	open        bool
	tick        func()
}

func (s *slow) Receive(*actor.Context, any) { s.open = true }

func (s *slow) Accepts(msg any) bool {
	if msg.(int) == s.asked {
		s.asked++
		s.tick()
	}
	return s.open || msg.(int) == s.last
}

// A handler that has sent much is over while that is released: each release is progress.
func TestManyReleasesAreProgress(t *testing.T) {
	ticks, restore := goroutine.Simulate()
	defer restore()
	const n = 3 * goroutine.Slices
	over := make(chan struct{})
	defer close(over)
	a := &slow{last: n - 1, tick: func() {
		select {
		case ticks <- time.Time{}:
		case <-over:
		}
	}}
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		to := ctx.Spawn(a)
		for i := range n {
			ctx.Send(to, i)
		}
	})
	out, err := explore.Run(sys, &releaser{}, explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox},
		Budget: explore.Budget{Executions: 1}})
	if err != nil || out.Executions != 1 || a.asked != n {
		t.Errorf("error %v, %d executions, asked for %d messages; want 1 with %d", err, out.Executions, a.asked, n)
	}
}

// What the program has the loop do is the program's: an invariant and a final assertion may not take for ever.
func TestAStuckCheckIsReported(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hangs, restore := goroutine.Hang()
	defer restore()
	stuck := func() { hangs(); <-release }
	ends := actor.New(func(t *explore.T, ctx *actor.Context) { t.AtEnd(stuck) })
	holds := check.Invariant{Name: "stuck", Holds: func(check.State) error { stuck(); return nil }}
	for name, c := range map[string]struct {
		sys    *actor.System
		checks check.Checker
	}{
		"invariant": {twoToOne(), check.Checker{Invariants: []check.Invariant{holds}}},
		"AtEnd":     {ends, check.Checker{}},
	} {
		_, err := explore.Run(c.sys, dpor.NewOptimal(nil), explore.Options{Check: &c.checks,
			Conditions: explore.Conditions{Model: trace.Bag, Blocked: 20 * time.Millisecond}})
		if err == nil || !strings.Contains(err.Error(), "TestAStuckCheckIsReported") {
			t.Errorf("%s: error %v, want the stack of what is stuck", name, err)
		}
	}
}
