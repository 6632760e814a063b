package actor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/watchdog"
	"github.com/rehearse-go/rehearse/trace"
)

// thinker is a strategy that thinks for longer than a handler may take, once.
type thinker struct {
	*dpor.Optimal
	ticks   chan<- time.Time // of the watchdog
	thought bool
}

func (s *thinker) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	for n := 0; !s.thought && n < 2*watchdog.Slices; n++ {
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
	ticks, restore := watchdog.Simulate()
	defer restore()
	for _, again := range []bool{false, true} {
		s := &thinker{Optimal: dpor.NewOptimal(nil), ticks: ticks}
		out, err := explore.Run(twoToOne(), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: again})
		if err != nil || !out.Complete || out.Executions != 2 || !s.thought {
			t.Errorf("rerun %v: error %v, complete %v, %d executions; want both orders", again, err, out.Complete, out.Executions)
		}
	}
}

// What the program has the loop do is the program's: an invariant and a final assertion may not take for ever.
func TestAStuckCheckIsReported(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hangs, restore := watchdog.Hang()
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
