package conform

import (
	"fmt"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has a program in which so many actors have something to do that steps are not listed.

// fair is the program: many actors of which each asks another one, tells a third, and ends, fails or spawns.
func fair(t *explore.T, s Stage) {
	actors := make([]any, 2*explore.Wide)
	t.SetUp(func() {
		for i := range actors {
			n := 0
			actors[i] = spawn(s, fmt.Sprintf("guest%d", i), func(s Stage, message any) {
				if m, asked := message.(ask); asked {
					s.Respond(told{m.n})
					return
				}
				n++
				switch {
				case n == 2 && i%7 == 0:
					s.End(actors[i])
				case n == 2 && i%11 == 0:
					panic("enough")
				case n == 2 && i%5 == 0:
					s.Tell(spawn(s, fmt.Sprintf("late%d", i), on(func(s Stage) { s.Tell(actors[0], told{i}) })), tick{})
				case n == 2 && i%3 == 0:
					_, _ = s.Call(actors[(i*i+1)%len(actors)], ask{i}, time.Second)
				case n <= 2:
					s.Tell(actors[(i*7+n)%len(actors)], told{i})
				}
			})
		}
	})
	for range 2 {
		for _, a := range actors {
			s.Tell(a, told{})
		}
	}
}

// listed is a strategy that wants lists.
type listed struct{ explore.Strategy }

// The default order, and the repetition of an execution, are the same whether steps are listed or not.
func (f *Framework) testWide(t *testing.T) {
	for _, c := range []explore.Conditions{{Model: trace.Bag}, {Model: trace.Mailbox},
		{Model: trace.Mailbox, Timers: trace.Async}} {
		c.Horizon, c.Blocked = time.Minute, 10*time.Second
		f.compareWide(t, c)
	}
}

func (f *Framework) compareWide(t *testing.T, c explore.Conditions) {
	record := func(s explore.Strategy) (tr *trace.Trace) {
		o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 1},
			After: func(_ *explore.Counters, got *trace.Trace) { tr = got.Clone() }}
		if _, err := explore.Run(f.System(fair), s, o); err != nil {
			t.Fatal(err)
		}
		return tr
	}
	want := record(listed{&sample.DefaultOrder{}})
	again := replay.NewRepeat(want)
	record(again)
	if d := again.Divergence(); d != nil {
		t.Fatalf("%s, %s: %s", c.Model, c.Timers, d.Text)
	}
	got := record(&sample.DefaultOrder{})
	if len(got.Events) != len(want.Events) || len(got.Events) < 4*explore.Wide {
		t.Fatalf("%s, %s: %d events, by lists %d", c.Model, c.Timers, len(got.Events), len(want.Events))
	}
	for e := range want.Events {
		if d := trace.SameEffects(want, got, e); d != "" {
			t.Fatalf("%s, %s: event %d differs: %s", c.Model, c.Timers, e, d)
		}
	}
}
