package protoactor_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/uncontrolled"
)

// writesFile writes one in a goroutine that ends with its handler.
func writesFile(file string) {
	var all sync.WaitGroup
	all.Go(func() { _ = os.WriteFile(file, []byte("x"), 0o600) })
	all.Wait()
}

// A handler that takes its goroutines out of our hands leaves the result incomplete, which says who and how; one that
// sets the collector is told of.
func TestOutOfOurHands(t *testing.T) {
	uncontrolled.CheckLoose(t, "a", "a starts a goroutine in its handler, at loose_test.go:", writesFile, func(t *testing.T, does func()) (explore.Outcome, error) {
		s := trial{}.Try(t, protoactor.System, func(t *explore.T, _ *journal) {
			var a *actor.PID
			system := world(t, func(s *actor.ActorSystem) {
				a = start(s, "a", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						does()
					}
				})
			})
			system.Root.Send(a, tick{})
			system.Root.Send(a, tick{})
		}, nil)
		if len(s.Violations) > 0 {
			t.Errorf("%d violations", len(s.Violations))
		}
		return s.Outcome, s.Err
	})
}

// TestWorkersSayAsMuch: a divided exploration says all that one process says of what it does not control.
func TestWorkersSayAsMuch(t *testing.T) {
	uncontrolled.CheckWorkers(t, func(always bool, does func()) rehearse.System {
		return protoactor.System(func(t *rehearse.T) {
			n := 0
			var to *actor.PID
			var from [2]*actor.PID
			s := world(t, func(s *actor.ActorSystem) {
				to = start(s, "to", func(ctx actor.Context) {
					if m, ok := ctx.Message().(ping); ok {
						if n++; n == 1 && (always || m.n == 1) {
							does()
						}
					}
				})
				for i := range from {
					from[i] = start(s, fmt.Sprint("from", i), func(ctx actor.Context) {
						if m, ok := ctx.Message().(ping); ok {
							ctx.Send(to, m)
						}
					})
				}
			})
			for i := range from {
				s.Root.Send(from[i], ping{i})
			}
		})
	})
}
