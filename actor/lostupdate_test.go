package actor_test

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/choosers"
	"github.com/rehearse-go/rehearse/trace"
)

// adder is a program with an actor whose handler has two goroutines add to one number, and fails if one addition is
// lost.
func adder(name string) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("adder", &adding{name}), ping{})
	})
}

type adding struct{ program string }

func (a *adding) Receive(ctx *actor.Context, _ any) {
	if sum := choosers.Programs[a.program](); sum != "2" {
		ctx.T().Errorf("the sum is %s", sum)
	}
}

// A lost update of goroutines that a handler waits for is found where draws have numbers, be it by all orders with one
// preemption or by samples. Its minimal schedule forces few draws, and repeats. All orders are as many as those of the
// program alone. Elsewhere there is one order, which loses nothing, and says so.
func TestLostUpdatesInDraws(t *testing.T) {
	for name, executions := range map[string]int{"atomic lost update": 21, "mutex lost update": 25} {
		if chance.TheWatcher() == nil {
			out, err := explore.Run(adder(name), search.NewNaive(),
				explore.Options{Check: &check.Checker{}, Conditions: explore.Conditions{Model: trace.Bag}})
			if err != nil || goroutine.Countable() &&
				(out.Complete || chance.Available() && !out.OneOrder || !strings.Contains(out.Uncontrolled, "goroutines")) {
				t.Errorf("%s: %+v, %v", name, out, err)
			}
			continue
		}
		o := explore.Options{Check: &check.Checker{},
			Conditions: explore.Conditions{Model: trace.Bag, Draws: 100, Preemptions: 1}}
		var found []explore.Found
		o.Found = func(f explore.Found) bool {
			found = append(found, explore.Found{Trace: f.Trace.Clone(), Violations: f.Violations, Under: f.Under})
			return true
		}
		out, err := explore.Run(adder(name), search.NewNaive(), o)
		if err != nil || !out.ForOneSeed || out.OneSeed != "goroutines that are preempted more than 1 times" ||
			out.Executions != executions || len(found) == 0 || len(found) == executions {
			t.Errorf("%s: %d of %d executions lose an update, want some of %d: %+v, %v", name, len(found), out.Executions,
				executions, out, err)
		}
		found = nil
		o.Conditions.Sampled, o.Budget.Executions = true, 200
		out, err = explore.Run(adder(name), sample.NewRandom(1), o)
		if err != nil || out.Executions != 200 || len(found) == 0 {
			t.Fatalf("%s: %+v, %v", name, out, err)
		}
		t.Logf("%s: %d of 200 samples lose an update", name, len(found))
		minimal(t, name, o, found[0])
	}
}

// minimal minimises the schedule of a finding, and replays it.
func minimal(t *testing.T, name string, o explore.Options, f explore.Found) {
	o.Conditions = f.Under
	key := f.Violations[0].Key()
	run := replay.NewRunner(adder(name), o)
	m, err := explain.Minimise(run, f.Trace.Schedule(), key)
	if err != nil {
		t.Fatal(name, err)
	}
	preempted := 0
	for _, s := range m.Forced {
		if s.Kind == trace.Draw && strings.HasPrefix(s.Draw, "another goroutine goes on at choosers.go:") {
			preempted++
		}
	}
	if preempted < 1 || len(m.Forced) > 4 {
		t.Errorf("%s: %d preemptions, want some: %+v", name, preempted, m.Forced)
	}
	times := 100
	if os.Getenv("REHEARSE_TOY") != "" {
		times = 1000
	}
	for i := range times {
		x, err := run(m.Forced)
		if err != nil || x.With(key) == nil || len(x.Stale) > 0 {
			t.Fatalf("%s: replay %d of %d: %+v, %v", name, i+1, times, x, err)
		}
	}
}

// Where all orders of goroutines that end with their handler were executed, the result is complete, and says what an
// order is. Where a goroutine outlives its handler nothing is.
func TestGoroutinesOfDraws(t *testing.T) {
	o := explore.Options{Check: &check.Checker{},
		Conditions: explore.Conditions{Model: trace.Bag, Draws: 100, Preemptions: -1}}
	for name, tt := range map[string]struct {
		handle func()
		ends   bool
	}{
		"joined by a WaitGroup": {func() {
			var wg sync.WaitGroup
			wg.Add(1)
			go wg.Done()
			wg.Wait()
		}, true},
		"joined by a channel": {func() {
			c := make(chan int)
			go func() { c <- 1 }()
			<-c
		}, true},
		"outlives": {func() { go func() {}() }, false},
		"goes on":  {func() { go later.Add(1) }, false},
	} {
		out, err := explore.Run(waiting(tt.handle), search.NewNaive(), o)
		numbered := chance.TheWatcher() != nil
		if !numbered && !goroutine.Countable() {
			continue // the result says that nobody looked for goroutines
		}
		if err != nil || !out.Exhausted || out.Complete != (numbered && tt.ends) {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
		if said := strings.Contains(out.Remarks,
			"their orders were explored where they synchronise"); goroutine.Countable() && said != (numbered && tt.ends) {
			t.Errorf("%s: remarks %q", name, out.Remarks)
		}
		if out.Diverged {
			t.Errorf("%s: diverged: %+v", name, out)
		}
	}
}

// later is what goroutines add to that outlive their handlers.
var later atomic.Int64
