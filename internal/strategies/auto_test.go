package strategies

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// turns counts whose turn it was.
func turns(t *testing.T, sys explore.System, budget int, o explore.Options) (*auto, explore.Outcome, map[string]int) {
	t.Helper()
	a, count := newAuto(1, budget), map[string]int{}
	o.Budget.Executions = budget
	o.After = func(*explore.Counters, *trace.Trace) { count[a.Active().Name()]++ }
	out, err := explore.Run(sys, a, o)
	if err != nil {
		t.Fatal(err)
	}
	return a, out, count
}

// TestTurns: what is small is searched to the end, what is large is sampled, and in between both are tried.
func TestTurns(t *testing.T) {
	bag := explore.Conditions{Model: trace.Bag, Copy: true}
	faults := bag
	faults.Faults = trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop)}
	global := &check.Checker{Invariants: []check.Invariant{{Name: "any", Holds: func(check.State) error { return nil }}}}
	for _, tt := range []struct {
		name     string
		sys      explore.System
		budget   int
		o        explore.Options
		search   string
		least    int // executions by the search
		most     int
		complete bool
	}{
		{"24 classes of 60,480 schedules", subjects.Pi(4), 1000, explore.Options{Conditions: bag}, "optimal", 24, 24, true},
		{"4,096 classes", subjects.Fib(7), 1000, explore.Options{Conditions: bag}, "optimal", 1, 500, false},
		{"4,096 classes, enough time", subjects.Fib(7), 10_000, explore.Options{Conditions: bag},
			"optimal", 4096, 4096, true},
		{"128 classes, no number", subjects.Fib(6), 0, explore.Options{Conditions: bag}, "optimal", 128, 128, true},
		{"invariants, few schedules", subjects.Server(false), 1000, explore.Options{Conditions: bag, Check: global},
			"naive", 6, 6, true},
		{"invariants, many schedules", subjects.Pi(4), 1000, explore.Options{Conditions: bag, Check: global},
			"optimal", 24, 24, false},
		{"faults", subjects.Server(false), 2000, explore.Options{Conditions: faults}, "optimal", 17, 17, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out, count := turns(t, tt.sys, tt.budget, tt.o)
			t.Logf("%v, %+v", count, out.Counters)
			if n := count[tt.search]; n < tt.least || n > tt.most || out.Complete != tt.complete {
				t.Errorf("%v, complete %v; want %d to %d by %s, complete %v", count, out.Complete, tt.least, tt.most,
					tt.search, tt.complete)
			}
			if count["cover"] < probes*3/4 || count["random"] < probes/8 || count["pct/3"] < probes/8 {
				t.Errorf("%v: the search began too early", count)
			}
			if tt.complete && count["random"] > probes+100 {
				t.Errorf("%v: random walks beside a search that was affordable", count)
			}
			e := a.Report().Estimate
			if n := float64(out.Executions + out.Blocked); !e.Known() || tt.complete && (e.Low != n || e.High != n) ||
				!tt.complete && e.Low < n {
				t.Errorf("after %v executions the estimate is %v", n, e)
			}
		})
	}
}

// TestLastExecution: whatever the budget, a search that has executed every class within it says so.
func TestLastExecution(t *testing.T) {
	complete := 0
	for budget := probes + 2; budget < 120; budget++ {
		_, out, count := turns(t, subjects.Pi(4), budget,
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Copy: true}})
		if out.Complete != (count["optimal"] == 24) {
			t.Errorf("budget %d: %v, complete %v", budget, count, out.Complete)
		}
		if out.Complete {
			complete++
		}
	}
	if complete < 10 || complete > 80 {
		t.Errorf("%d budgets were enough", complete)
	}
}

// TestUndo: taking turns does not depend on whether the system can undo steps, and what is complete has met every
// class.
func TestUndo(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox} {
		var outs [2]explore.Outcome
		var classes [2]int
		for i := range outs {
			seen := map[string]bool{}
			a := newAuto(1, 2000)
			var err error
			outs[i], err = explore.Run(subjects.ShortpathA(), a,
				explore.Options{Rerun: i == 1, Budget: explore.Budget{Executions: 2000},
					Conditions: explore.Conditions{Model: model, Copy: true},
					After:      func(_ *explore.Counters, tr *trace.Trace) { seen[toy.ClassKey(model, tr)] = true }})
			if err != nil {
				t.Fatal(err)
			}
			classes[i] = len(seen)
		}
		outs[0].Replayed, outs[0].Deliveries = outs[1].Replayed, outs[1].Deliveries
		if outs[0] != outs[1] || !outs[0].Complete || classes[0] != outs[0].Classes || classes[1] != classes[0] {
			t.Errorf("%v: %+v with undo, %+v without, %v classes", model, outs[0], outs[1], classes)
		}
	}
}
