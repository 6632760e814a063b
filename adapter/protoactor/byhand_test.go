package protoactor_test

import (
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// steppedStore has a handler that waits for an answer, a timer, and an actor that stops while others send to it.
func steppedStore() explore.System {
	return protoactor.System(func(t *explore.T) {
		var store, client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			store = start(s, "store", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case ask:
					ctx.Respond(told{m.n})
				case quit:
					ctx.Stop(ctx.Self())
				}
			})
			client = start(s, "client", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case tick:
					_, _ = ctx.RequestFuture(store, ask{1}, time.Second).Result()
				case boom:
					ctx.SetReceiveTimeout(time.Minute)
				}
			})
		})
		s.Root.Send(client, tick{})
		s.Root.Send(client, boom{})
		s.Root.Send(store, quit{})
	})
}

// TestByHand: whoever takes every step that is shown comes to as many ends as there are executions, and a position
// leads to where it was, also in the middle of a handler.
func TestByHand(t *testing.T) {
	for _, model := range []trace.Model{trace.FIFO, trace.Mailbox, trace.MailboxSerial} {
		o := explore.Options{Conditions: explore.Conditions{Model: model, Horizon: time.Hour, MaxSteps: 1000,
			Blocked: 10 * time.Second}}
		sys := steppedStore()
		out, err := explore.Run(sys, search.NewNaive(), o)
		if err != nil || !out.Complete || out.Executions < 3 {
			t.Fatalf("%s: %+v, %v", model, out, err)
		}
		ends := 0
		var walk func(p byhand.Position)
		walk = func(p byhand.Position) {
			c := &byhand.Chooser{To: p, Names: true}
			if _, err := explore.Run(sys, c, o); err != nil {
				t.Fatal(err)
			}
			v := c.View()
			if v.Lost != "" || !slices.Equal(v.Choices, p) {
				t.Fatalf("%s: position %s was not reached, but %s: %s", model, p, v.Position, v.Lost)
			}
			if v.Question == "" {
				ends++
			}
			for _, next := range v.Enabled {
				walk(append(slices.Clone(p), next.Choice))
			}
		}
		walk(byhand.Position{})
		t.Log(model, ends)
		if ends != out.Executions {
			t.Errorf("%s: %d ends were reached by hand, want %d", model, ends, out.Executions)
		}
	}
}
