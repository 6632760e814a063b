package replay_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// A run repeats the execution that its schedule was taken from, and keeps its trace from the runs after it.
func TestRunnerRepeats(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		failures, err := toy.Failures(model, 100, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			first, err := f.Run(f.Trace.Schedule())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Run(nil); err != nil {
				t.Fatal(err)
			}
			if first.With(f.Violation.Key()) == nil || len(first.Stale) > 0 || len(first.Trace.Events) != len(f.Trace.Events) {
				t.Fatalf("violations %v, stale %v, %d events for %d\n%v", first.Violations, first.Stale, len(first.Trace.Events),
					len(f.Trace.Events), f)
			}
			for e := range f.Trace.Events {
				if d := trace.SameEffects(f.Trace, first.Trace, e); d != "" {
					t.Fatalf("event %d: %s\n%v", e, d, f)
				}
			}
			if atEnd := f.Violation.Event == len(f.Trace.Events); first.Cut == atEnd {
				t.Fatalf("cut is %v for a violation in event %d of %d\n%v", first.Cut, f.Violation.Event, len(f.Trace.Events), f)
			}
		}
	}
}

// The exploration's own settings do not reach a replay; the journal's do.
func TestRunnerLeavesTheExplorationAlone(t *testing.T) {
	before, steps := 0, 0
	o := toy.Options(trace.Bag)
	o.Budget.Executions = 100
	o.Stop = func() bool { return true }
	o.Again = func(int) bool { t.Error("looked for divergence"); return false }
	o.After = func(*explore.Counters, *trace.Trace) { t.Error("counted as progress") }
	o.Found = func(explore.Found) bool { t.Error("told as a finding"); return true }
	o.Before = func() { before++ }
	journal := o
	run := replay.NewRunner(toy.NewSystem(toy.Random(1, toy.All)), journal)
	r, err := run(nil)
	if err != nil || r.Trace == nil {
		t.Fatal(r, err)
	}
	for e := range r.Trace.Events {
		if !r.Trace.Events[e].Auto {
			steps++
		}
	}
	if before != 1 || steps == 0 {
		t.Errorf("Before was called %d times; %d steps", before, steps)
	}
}

// A step that cannot be taken is reported with its number and the reason, unless it is optional.
func TestRunnerStale(t *testing.T) {
	p := &toy.Program{Kinds: []toy.Behaviour{{{Mul: 1, Add: 1, Refuse: -1, Fail: -1}}}, Actors: []int{0},
		Driver: []toy.Op{{Kind: toy.Send, When: -1}}}
	run := replay.NewRunner(toy.NewSystem(p), toy.Options(trace.Bag))
	first, err := run(nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign := trace.Forced{ID: trace.ID{Lo: 9}, Kind: trace.Deliver, Actor: "K0", Message: "toy.Gone", From: "Driver"}
	r, err := run(append(first.Trace.Schedule(), foreign))
	if err != nil {
		t.Fatal(err)
	}
	const want = "step 2 (Gone from Driver to K0) is no longer enabled: Driver never sent Gone"
	if len(r.Stale) != 1 || r.Stale[0].String() != want {
		t.Errorf("stale %v, want %s", r.Stale, want)
	}
	foreign.Optional = true
	if r, err = run([]trace.Forced{foreign}); err != nil || len(r.Stale) != 0 {
		t.Errorf("an optional step is stale: %v, %v", r.Stale, err)
	}
}

// failingSystem cannot be executed.
type failingSystem struct{ toy.System }

var errSetUp = errors.New("set-up never quiesces")

func (*failingSystem) Execute(explore.Conditions, explore.Driver) error { return errSetUp }

// An operating problem is an error, not a finding.
func TestRunnerError(t *testing.T) {
	run := replay.NewRunner(&failingSystem{}, explore.Options{})
	if r, err := run(nil); !errors.Is(err, errSetUp) || r != nil {
		t.Errorf("got %v, %v", r, err)
	}
}

// A send that is forced alone, as minimising tries it, waits for those that its handler makes before it.
func TestRunnerKeepsTheOrderOfSends(t *testing.T) {
	var late trace.Forced
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		var got []int
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { got = append(got, msg.(int)) }))
		for n := range 3 {
			ctx.Send(a, n)
		}
		t.AtEnd(func() {
			if !slices.Equal(got, []int{0, 1, 2}) {
				t.Errorf("received %v", got)
			}
		})
	})
	run := replay.NewRunner(sys, toy.Options(trace.Mailbox))
	first, err := run(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range first.Trace.Schedule() {
		if f.Kind == trace.Send {
			late = f
		}
	}
	r, err := run([]trace.Forced{late})
	if err != nil || late.First.IsZero() || r.Trace.Uncontrolled != "" || len(r.Violations) > 0 {
		t.Errorf("%v forced: %v, uncontrolled %q, %v", late, r.Violations, r.Trace.Uncontrolled, err)
	}
}

// A schedule of a time when what handled a message released the first send of its handler as well. p and q each have c
// get a message. In the default order both are handled before anything is sent to c, so that what was meant shows only
// in Split, whichever came first.
func TestSplit(t *testing.T) {
	var got []string
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		got = nil
		c := ctx.SpawnNamed("c", actor.Func(func(_ *actor.Context, msg any) { got = append(got, msg.(string)) }))
		for _, name := range []string{"p", "q"} {
			ctx.Send(ctx.SpawnNamed(name, actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(c, name) })), 0)
		}
	})
	run := replay.NewRunner(sys, toy.Options(trace.Mailbox))
	free, err := run(nil)
	if err != nil {
		t.Fatal(err)
	}
	handled := map[string]trace.Forced{}
	for e := range free.Trace.Events {
		if s := free.Trace.Events[e].Step; s.Kind == trace.Deliver {
			handled[free.Trace.ActorName(s.Actor)] = free.Trace.ForcedStep(int32(e))
		}
	}
	for _, order := range [][]string{{"p", "q"}, {"q", "p"}} {
		old := []trace.Forced{handled[order[0]], handled[order[1]]}
		x, err := replay.Split(sys, toy.Options(trace.Mailbox), old)
		if err != nil || !slices.Equal(got, order) || len(x.Stale) > 0 {
			t.Errorf("split: c got %v, want %v; stale %v, %v", got, order, x.Stale, err)
		}
		again, err := run(x.Trace.Schedule())
		if err != nil || !slices.Equal(got, order) || len(again.Stale) > 0 {
			t.Errorf("what it was split into: c got %v, want %v; stale %v, %v", got, order, again.Stale, err)
		}
	}
}
