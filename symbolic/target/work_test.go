package target_test

import (
	"context"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// recorder counts by name what executions forward may cost, where that is bounded, and where it is not.
type recorder struct {
	*system.Program
	bounded, free map[string]int
}

func (r *recorder) note(name string, c system.Config) {
	if c.Work > 0 {
		r.bounded[name] = max(r.bounded[name], c.Work)
	} else {
		r.free[name]++
	}
}

func (r *recorder) Follow(ctx context.Context, s *system.Start, plan system.Plan, goal system.Goal,
	c system.Config) (*system.Way, error) {
	r.note("follow", c)
	return r.Program.Follow(ctx, s, plan, goal, c)
}

func (r *recorder) Probe(ctx context.Context, s *system.Start, goals []system.Goal, model trace.Model,
	b system.Bounds) *system.Found {
	r.note("probe", b.Config)
	return r.Program.Probe(ctx, s, goals, model, b)
}

func (r *recorder) Search(ctx context.Context, s *system.Start, goals []system.Goal, model trace.Model,
	b system.Bounds) *system.Found {
	r.note("search", b.Config)
	return r.Program.Search(ctx, s, goals, model, b)
}

func (r *recorder) Wander(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model,
	b system.Bounds) *system.Found {
	r.note("wander", b.Config)
	return r.Program.Wander(ctx, s, order, goals, model, b)
}

func (r *recorder) Walk(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model,
	b system.Bounds) *system.Found {
	r.note("walk", b.Config)
	return r.Program.Walk(ctx, s, order, goals, model, b)
}

// factors has a line behind a condition that no solver decides soon.
const factors = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzPair struct{ A, B uint64 }

type zzFactors struct{ found int }

func (f *zzFactors) Receive(ctx *actor.Context, msg any) {
	p, _ := msg.(zzPair)
	if p.A < 2 || p.B < 2 || p.A > 1<<31 || p.B > 1<<31 {
		return
	}
	if p.A*p.B == 1234567890123456817 { // a prime
		ctx.T().Errorf("found")
	}
}

func ZZ() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&zzFactors{}), zzPair{1, 1}) })
}
`

// TestBoundedWork: whatever a search for a target executes forward has a bound on its work, since numbers of executions
// bound no time where each asks a question that takes the solver seconds.
func TestBoundedWork(t *testing.T) {
	b, _ := withFile(t, "../../subjects/tap", factors)
	solver, err := solve.New(b.store, solve.Config{Engine: solve.Embedded, Steps: 2}) // so that this test is quick
	if err != nil {
		t.Fatal(err)
	}
	p := system.New(b.loaded, b.store, solver)
	r := &recorder{p, map[string]int{}, map[string]int{}}
	engine := target.New(b.loaded, p.Summaries(), b.store, r)
	c := target.Config{Model: trace.Mailbox, Steps: 2, Runs: 1, Probes: 1, Wanders: 2, Walks: 1}
	a, err := engine.Reach(t.Context(), b.startBy(p, "ZZ"), b.calls("zzFactors", "", "Errorf"), c)
	if err != nil || a.Verdict != target.GaveUp {
		t.Fatalf("%v (error %v), want gave up", a, err)
	}
	for _, name := range []string{"probe", "follow", "search", "wander", "walk"} {
		if most := r.bounded[name]; most == 0 || most > 2_000_000 || r.free[name] > 0 {
			t.Errorf("%s: work of at most %d, without a bound %d times", name, most, r.free[name])
		}
	}
}
