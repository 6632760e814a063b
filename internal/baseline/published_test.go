package baseline_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/baseline"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Four programs with which the rules of [ASTS] lose final states as they are printed.

// counter is a program that tells of its final states.
type counter struct {
	build  func(t *explore.T, ctx *actor.Context) (final func() string)
	c      explore.Conditions
	finals []string // all there are
}

// finals are those that a strategy reaches.
func finals(t *testing.T, k counter, s explore.Strategy, limit int) (reached []string, out explore.Outcome) {
	t.Helper()
	found := map[string]bool{}
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		final := k.build(t, ctx)
		t.AtEnd(func() { found[final()] = true })
	})
	k.c.Copy = true
	out, err := explore.Run(sys, s, explore.Options{Conditions: k.c, Budget: explore.Budget{Executions: limit}})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found)), out
}

type (
	t1    struct{}
	t2    struct{}
	n     struct{}
	p     struct{}
	m     struct{}
	gone  struct{}
	x     struct{}
	x1    struct{}
	x2    struct{}
	store struct{ who actor.Ref }
	two   struct {
		f0, f1 int
		seen   string
		to     actor.Ref
	}
	bounce struct{ to actor.Ref }
	keeper struct{ who actor.Ref }
	list   struct{ seen string }
)

func (a *two) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case t1:
		a.f0 = 1
		ctx.Send(a.to, x{})
	case t2:
		a.f1 = 1
	case n:
		a.seen = fmt.Sprint(a.f0, a.f1)
	case x1:
		a.f0++
		ctx.Send(a.to, x1{})
	case x2:
		a.f1++
		ctx.Send(a.to, x2{})
	}
}

func (b *bounce) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case x:
		ctx.Send(b.to, n{})
	case gone:
		ctx.Send(b.to, m{})
	case x1, x2:
		ctx.Send(b.to, msg)
	}
}

func (k *keeper) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(store); ok {
		k.who = msg.who
	} else if k.who != (actor.Ref{}) {
		ctx.Send(k.who, m{})
	}
}

func (l *list) Receive(_ *actor.Context, msg any) { l.seen += fmt.Sprintf("%T ", msg) }

// markedAway: an actor that is not stable is chosen although its only task is marked, which ends the execution.
var markedAway = counter{
	build: func(t *explore.T, ctx *actor.Context) func() string {
		a := &two{}
		var ref actor.Ref
		t.SetUp(func() {
			ref = ctx.Spawn(a)
			a.to = ctx.Spawn(&bounce{ref})
		})
		ctx.Send(ref, t1{})
		ctx.Send(ref, t2{})
		return func() string { return a.seen }
	},
	c: explore.Conditions{Model: trace.Bag, Effects: trace.Effects{
		{Actor: "two", Message: "t1", Reads: []string{"to"}, Writes: []string{"f0"}, Sends: true},
		{Actor: "two", Message: "t2", Writes: []string{"f1"}},
	}},
	finals: []string{"1 0", "1 1"},
}

// inPending: the reference to the actor is in a message that is pending for one between.
var inPending = counter{
	build: func(t *explore.T, ctx *actor.Context) func() string {
		a := &list{}
		var ref, b, w actor.Ref
		t.SetUp(func() {
			ref = ctx.Spawn(a)
			b = ctx.Spawn(&keeper{})
			w = ctx.Spawn(&bounce{b})
		})
		ctx.Send(ref, p{})
		ctx.Send(b, store{ref})
		ctx.Send(w, gone{})
		return func() string { return a.seen }
	},
	c: explore.Conditions{Model: trace.Bag, Calls: trace.Calls{
		{Actor: "list", Message: "p"}, {Actor: "list", Message: "m"},
		{Actor: "keeper", Message: "store"},
		{Actor: "keeper", Message: "m", May: []trace.MaySend{{Actor: "list", Message: "m", Depth: 1}}},
		{Actor: "bounce", Message: "gone", May: []trace.MaySend{{Actor: "keeper", Message: "m"}}},
	}},
	finals: []string{"baseline_test.m baseline_test.p ", "baseline_test.p ", "baseline_test.p baseline_test.m "},
}

// oneReceiver: two tasks with different fields send to one actor, whose messages stay in order.
var oneReceiver = counter{
	build: func(t *explore.T, ctx *actor.Context) func() string {
		c := &list{}
		var ws [2]actor.Ref
		t.SetUp(func() {
			a := ctx.Spawn(&two{to: ctx.Spawn(c)})
			ws = [2]actor.Ref{ctx.Spawn(&bounce{a}), ctx.Spawn(&bounce{a})}
		})
		ctx.Send(ws[0], x1{})
		ctx.Send(ws[1], x2{})
		return func() string { return c.seen }
	},
	c: explore.Conditions{Model: trace.FIFO, Effects: trace.Effects{
		{Actor: "two", Message: "x1", Reads: []string{"to"}, Writes: []string{"f0"}, Sends: true},
		{Actor: "two", Message: "x2", Reads: []string{"to"}, Writes: []string{"f1"}, Sends: true},
	}},
	finals: []string{"baseline_test.x1 baseline_test.x2 ", "baseline_test.x2 baseline_test.x1 "},
}

// TestPublishedRulesLose: what is printed loses final states; what is sound loses none, and only that says that it is
// complete.
func TestPublishedRulesLose(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program counter
		sound   []string
		unsound string
		left    int
	}{
		{"markedAway", markedAway, []string{"", "figure6", "theorem1", "nomarks"}, "unsound", 1},
		{"inPending", inPending, []string{"", "lemma1", "theorem1", "literal"}, "theorem1/lemma1", 2},
		{"oneReceiver", oneReceiver, []string{"", "figure6", "nomarks"}, "unsound", 1},
	} {
		if all, _ := finals(t, tt.program, search.NewNaive(), 0); !slices.Equal(all, tt.program.finals) {
			t.Errorf("%s: naive reaches %q, want %q", tt.name, all, tt.program.finals)
		}
		for _, s := range append(stableOnes(), selectsOf(t, tt.sound)...) {
			if got, out := finals(t, tt.program, s, 0); !slices.Equal(got, tt.program.finals) || !out.Complete {
				t.Errorf("%s: %s reaches %q, want %q; complete: %v", tt.name, s.Name(), got, tt.program.finals, out.Complete)
			}
		}
		s := selectOf(t, tt.unsound)()
		if got, out := finals(t, tt.program, s, 0); len(got) != tt.left || out.Complete || out.PassedOver == "" {
			t.Errorf("%s: %s reaches %q, want %d; complete: %v, passed over: %q", tt.name, s.Name(), got, tt.left,
				out.Complete, out.PassedOver)
		}
	}
}

// stableOnes are the other reductions that go by the order STABLE.
func stableOnes() []explore.Strategy {
	stable := func() dpor.Ranking { return dpor.ByActor(stableOrder()) }
	return []explore.Strategy{baseline.NewPersistent(stableOrder()), baseline.NewPersistentSleep(stableOrder()),
		baseline.NewDCUTE(stableOrder()),
		baseline.NewTrans(stableOrder()), dpor.NewSource(stable()), dpor.NewOptimal(stable())}
}

func selectsOf(t *testing.T, options []string) (all []explore.Strategy) {
	for _, o := range options {
		all = append(all, selectOf(t, o)())
	}
	return all
}

// TestLiteralChains: read literally, chains leave out ways that come back to where they begin; Fib(5) then has actors
// that are taken to be stable and are not.
func TestLiteralChains(t *testing.T) {
	fib := subjects.SelectedTest("Fib(5)")
	for _, tt := range []struct {
		options               string
		executions, heuristic int
		sound                 bool
	}{{"", 16, 23, true}, {"lemma1", 16, 23, true}, {"theorem1/literal", 40, 0, true},
		{"theorem1/literal/lemma1", 4, 0, false}} {
		s := selectOf(t, tt.options)()
		out, err := explore.Run(fib.System(), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag,
			Calls: fib.Calls, Effects: fib.Effects, Copy: true}})
		h := s.(*baseline.Select).Counts().Heuristic
		if err != nil || out.Executions != tt.executions || h != tt.heuristic || out.Complete != tt.sound {
			t.Errorf("%s: %d executions, %d states without a stable actor, complete %v, %v; want %+v", s.Name(), out.Executions,
				h, out.Complete, err, tt)
		}
	}
}
