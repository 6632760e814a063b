package stateful_test

import (
	"fmt"
	"maps"
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
