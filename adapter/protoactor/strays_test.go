package protoactor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// TestStrays: goroutines that the program starts are noticed wherever it does, or else a search would claim to be
// complete that left their orders out.
func TestStrays(t *testing.T) {
	for name, start := range map[string]func(t *rehearse.T, s *actor.ActorSystem, sink *actor.PID){
		"of the test function": func(_ *rehearse.T, s *actor.ActorSystem, sink *actor.PID) {
			go s.Root.Send(sink, told{1})
			s.Root.Send(sink, told{2})
		},
		"of a handler": func(_ *rehearse.T, s *actor.ActorSystem, sink *actor.PID) {
			s.Root.Send(spawnFunc(s.Root, "starter", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					go s.Root.Send(sink, told{1})
					ctx.Send(sink, told{2})
				}
			}), tick{})
		},
		"of a handler that was blocked": func(_ *rehearse.T, s *actor.ActorSystem, sink *actor.PID) {
			s.Root.Send(spawnFunc(s.Root, "starter", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.RequestFuture(sink, ask{1}, time.Second).Result()
					go s.Root.Send(sink, told{1})
					ctx.Send(sink, told{2})
				}
			}), tick{})
		},
		"that the handler waits for": func(_ *rehearse.T, s *actor.ActorSystem, sink *actor.PID) {
			s.Root.Send(spawnFunc(s.Root, "starter", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					done := make(chan bool)
					go func() {
						s.Root.Send(sink, told{1})
						close(done)
					}()
					<-done
				}
			}), tick{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, protoactor.System(func(t *rehearse.T) {
				s := protoactor.NewActorSystem()
				start(t, s, spawnFunc(s.Root, "sink", doubler))
			}))
			if err != nil {
				t.Fatal(err)
			}
			if name == "that the handler waits for" && chance.Numbered() { // its orders are draws
				if r.Uncontrolled != "" || !strings.Contains(r.Remarks, chance.OrdersExplored) {
					t.Errorf("want a word about its orders: %s", r)
				}
				return
			}
			if r.Complete || !strings.Contains(r.Uncontrolled, "goroutine") {
				t.Errorf("complete %v, uncontrolled %q, findings %v; want an order that is not ours", r.Complete, r.Uncontrolled, r.Findings)
			}
		})
	}
}

// TestFinalAssertionsAreJudged: what handlers do for a final assertion is judged as what they did before.
func TestFinalAssertionsAreJudged(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Budget: "1x"}, protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		sink := spawnFunc(s.Root, "sink", func(ctx actor.Context) {
			if _, ok := ctx.Message().(ask); ok {
				panic("the state is broken")
			}
		})
		s.Root.Send(sink, tick{})
		t.AtEnd(func() { s.Root.RequestFuture(sink, ask{1}, time.Second).Result() })
	}))
	if err != nil || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Violation.Text, "the state is broken") {
		t.Errorf("error %v, findings %v; want the panic", err, r.Findings)
	}
}
