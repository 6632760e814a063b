package stateful_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/trace"
)

// adder sends on what it adds up.
type adder struct {
	N  int
	To actor.Ref
}

func (a *adder) Receive(ctx *actor.Context, msg any) {
	a.N = a.N*3 + msg.(int)
	if a.To != (actor.Ref{}) {
		ctx.Send(a.To, msg)
	}
}

func adders(t *explore.T, ctx *actor.Context) {
	var first, second actor.Ref
	t.SetUp(func() {
		second = ctx.Spawn(&adder{})
		first = ctx.Spawn(&adder{To: second})
	})
	ctx.Send(first, 1)
	ctx.Send(second, 2)
	ctx.Send(first, 1)
}

// endings is a Checker that only notes the final states.
type endings map[string]bool

func (endings) Step(explore.Execution, int32) []trace.Violation { return nil }

func (s endings) End(x explore.Execution, natural bool, _ []trace.Incident) []trace.Violation {
	if natural {
		end := ""
		for a := int32(1); int(a) < len(x.Trace().Actors); a++ {
			end += fmt.Sprint(x.State(a).(*adder).N, x.Status(a).Stopped, "; ")
		}
		s[end] = true
	}
	return nil
}

// What may still go wrong is part of a state: with faults the final states are those of all executions.
func TestFaults(t *testing.T) {
	for _, s := range []string{"drop", "drop:2", "duplicate", "crash-losing", "crash", "restart", "all:2"} {
		faults, err := trace.ParseFaults(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			o := explore.Options{Conditions: explore.Conditions{Model: model, Faults: faults}}
			want, got := endings{}, endings{}
			all, each := o, o
			all.Check, each.Check = want, got
			if _, err := explore.Run(actor.New(adders), search.NewNaive(), all); err != nil {
				t.Fatal(err)
			}
			out, err := explore.Run(actor.New(adders), stateful.New(stateful.Options{}), each)
			if err != nil || !out.Complete || !maps.Equal(want, got) {
				t.Errorf("%s, faults %s: %+v, %v; %d final states, %d in all executions", model, s, out, err, len(got), len(want))
			}
		}
	}
}

// sleeper answers from its second message on.
type sleeper struct{ Awake bool }

func (s *sleeper) Receive(ctx *actor.Context, msg any) {
	if s.Awake {
		ctx.Reply(msg)
	}
	s.Awake = true
}

// What comes of a message that a fault doubled is no finding, and a request that was answered is answered in vain. So
// states in which a message is one of two differ from those in which it is the only one.
func TestDoubledMessages(t *testing.T) {
	faults := trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Duplicate)}
	for name, sys := range map[string]*actor.System{
		"a message": actor.New(func(t *explore.T, ctx *actor.Context) {
			var s actor.Ref
			t.SetUp(func() { s = ctx.Spawn(&sleeper{}) })
			ctx.Send(s, 1)
			ctx.Call(s, "call")
		}),
		"two requests": actor.New(func(t *explore.T, ctx *actor.Context) {
			var s actor.Ref
			t.SetUp(func() { s = ctx.Spawn(&sleeper{true}) })
			ctx.Call(s, "call")
			ctx.Call(s, "call")
			ctx.Send(s, 1)
		}),
	} {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			for _, most := range []int{1, 2} {
				faults.Max = most
				c := explore.Conditions{Model: model, Faults: faults}
				_, finals, violations := found(t, sys, c, search.NewNaive())
				for _, o := range []stateful.Options{{}, {Comparison: stateful.Generic}} {
					out, gotFinals, gotViolations := found(t, sys, c, stateful.New(o))
					if !out.Complete || !slices.Equal(gotFinals, finals) || !slices.Equal(gotViolations, violations) {
						t.Errorf("%s under %s, at most %d: %+v %q %q, naive has %q %q", name, model, most, out, gotFinals,
							gotViolations, finals, violations)
					}
				}
			}
		}
	}
}

// picker adds up what it picks, and hands over to the next behaviour if it has one.
type picker struct {
	N    int
	Next *picker
}

func (p *picker) Receive(ctx *actor.Context, _ any) {
	p.N = p.N*3 + 1 + ctx.Choose(2)
	if p.Next != nil {
		ctx.Become(p.Next)
	}
}

// The test function still holds the instance that an injected restart replaced. So states differ by what that one
// holds.
func TestReplacedInstances(t *testing.T) {
	faults := trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Restart)}
	for name, next := range map[string]bool{"one behaviour": false, "two behaviours": true} {
		ends := map[string]bool{}
		sys := actor.New(func(t *explore.T, ctx *actor.Context) {
			first, second := &picker{}, &picker{}
			if next {
				first.Next = second
			}
			ref := ctx.Spawn(first)
			t.AtEnd(func() { ends[fmt.Sprint(first.N, second.N)] = true })
			ctx.Send(ref, 1)
			ctx.Send(ref, 1)
		})
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			c := explore.Options{Conditions: explore.Conditions{Model: model, Faults: faults}}
			look := func(s explore.Strategy) []string {
				clear(ends)
				if out, err := explore.Run(sys, s, c); err != nil || !out.Complete {
					t.Errorf("%s under %s: %s: %+v, %v", name, model, s.Name(), out, err)
				}
				return slices.Sorted(maps.Keys(ends))
			}
			want := look(search.NewNaive())
			for _, o := range []stateful.Options{{}, {Comparison: stateful.Generic}, {Comparison: stateful.Literal},
				{Breadth: true}, {Big: true}} {
				if got := look(stateful.New(o)); !slices.Equal(got, want) {
					t.Errorf("%s under %s: stateful %q ends in %q, naive in %q", name, model, o.String(), got, want)
				}
			}
		}
	}
}
