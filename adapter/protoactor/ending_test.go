package protoactor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/trace"
)

// takeover has two actors write to a shelf that a third reads; what the reader has may be old in the end. asks: the
// final assertion asks the shelf, which sends something because of it, and the clean-up stops all.
func takeover(asks bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var shelf, reader *actor.PID
		var actors []*actor.PID
		written, read := 0, 0
		s := world(t, func(s *actor.ActorSystem) {
			shelf = start(s, "shelf", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					written = m.n
				case ask:
					ctx.Send(reader, told{written})
				case tick:
					ctx.Send(actors[0], ask{})
					ctx.Respond(written)
				}
			})
			reader = start(s, "reader", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case tick:
					ctx.Send(shelf, ask{})
				case told:
					read = m.n
				}
			})
			for i := range 2 {
				actors = append(actors, start(s, fmt.Sprint("writer", i), func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						ctx.Send(shelf, told{i + 1})
					}
				}))
			}
		})
		actors = append(actors, reader)
		for _, pid := range actors {
			s.Root.Send(pid, tick{})
		}
		t.AtEnd(func() {
			last := any(written)
			if asks {
				last, _ = s.Root.RequestFuture(shelf, tick{}, time.Second).Result()
			}
			if last != read {
				t.Errorf("the reader has %d, the shelf %v", read, last)
			}
		})
		if asks {
			t.Cleanup(func() {
				for _, pid := range actors {
					s.Root.Stop(pid)
				}
			})
		}
	})
}

// What runs at the end of an execution is no part of its class, whether it sends, asks, stops or fails.
func TestEndingsMakeNoClasses(t *testing.T) {
	for _, model := range []rehearse.Model{rehearse.Mailbox, rehearse.MailboxSerial, rehearse.Bag, rehearse.FIFO, rehearse.Causal} {
		for _, strategy := range []string{"source", "optimal", "reverse"} {
			var counts [2]explore.Counters
			for i, asks := range []bool{false, true} {
				r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Model: model, Budget: "unlimited"}, takeover(asks))
				if err != nil {
					t.Fatal(err)
				}
				if !r.Complete || r.Blocked > 0 || len(r.Findings) != 1 {
					t.Errorf("%v, %s, asks %v: complete %v, %d blocked, findings %v; want the old value", model, strategy, asks, r.Complete, r.Blocked, r.Findings[0].Violation)
				}
				counts[i] = explore.Counters{Executions: r.Executions, Classes: r.Classes}
			}
			if counts[0] != counts[1] {
				t.Errorf("%v, %s: %+v become %+v where the final assertion asks an actor", model, strategy, counts[0], counts[1])
			}
		}
	}
}

// A test function that panics before anything is explored is a finding of every strategy.
func TestSetUpPanics(t *testing.T) {
	sys := protoactor.System(func(t *rehearse.T) {
		t.SetUp(func() { panic("no room") })
	})
	for _, strategy := range []string{"naive", "source", "optimal", "reverse", "reverse/2", "stateful", "random"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "3x"}, sys)
		if err != nil || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Violation.Text, "no room") {
			t.Errorf("%s: error %v, findings %v; want the panic", strategy, err, r.Findings)
		}
	}
}

// A handler that panics because a final assertion asks it is reported as it was found: there is nothing shorter that
// leads to it.
func TestEndingsAreFoundWhole(t *testing.T) {
	for _, strategy := range []explore.Strategy{dpor.NewSource(nil), dpor.NewOptimal(nil), reverse.New()} {
		sys := protoactor.System(func(t *explore.T) {
			s := protoactor.NewActorSystem()
			a := spawnFunc(s.Root, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					panic("asked")
				}
			})
			s.Root.Send(a, tick{})
			t.AtEnd(func() { s.Root.RequestFuture(a, ask{1}, time.Second).Result() })
		})
		found := 0
		out, err := explore.Run(sys, strategy, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Check: &check.Checker{},
			Found: func(f explore.Found) bool {
				found += len(f.Violations)
				return true
			}})
		if err != nil || found != 1 || out.Executions != 1 || out.Rechecked != 0 {
			t.Errorf("%s: error %v, %d found, %d executions and %d more; want one of each", strategy.Name(), err, found, out.Executions, out.Rechecked)
		}
	}
}
