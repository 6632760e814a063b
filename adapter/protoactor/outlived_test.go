package protoactor_test

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// TestOutlivedSystems: an actor system that is not created by the execution is refused, whether it was there before or
// is kept by the first execution for the next.
func TestOutlivedSystems(t *testing.T) {
	before := protoactor.NewActorSystem()
	var kept *actor.ActorSystem
	for name, system := range map[string]func() *actor.ActorSystem{
		"before": func() *actor.ActorSystem { return before },
		"kept": func() *actor.ActorSystem {
			if kept == nil {
				kept = protoactor.NewActorSystem()
			}
			return kept
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rehearse.Explore(rehearse.Config{Budget: "3x"}, protoactor.System(func(*rehearse.T) {
				root := system().Root
				root.Send(root.Spawn(actor.PropsFromFunc(func(actor.Context) {})), "hello")
			}))
			if err == nil || !strings.Contains(err.Error(), "created outside of this execution") {
				t.Errorf("error %v, want one that says where to create the actor system", err)
			}
		})
	}
}

// TestOutlivedPID: a PID that is kept leads to an actor of an earlier execution, even where it was made by name.
func TestOutlivedPID(t *testing.T) {
	for name, send := range map[string]func(actor.Context, *actor.PID){
		"user":   func(ctx actor.Context, to *actor.PID) { ctx.Send(to, "hello") },
		"system": func(ctx actor.Context, to *actor.PID) { ctx.Watch(to) },
	} {
		t.Run(name, func(t *testing.T) {
			kept := actor.NewPID("nonhost", "a")
			_, err := rehearse.Explore(rehearse.Config{Budget: "3x"}, protoactor.System(func(*rehearse.T) {
				s := protoactor.NewActorSystem()
				start(s, "a", func(actor.Context) {})
				start(s, "b", func(ctx actor.Context) {
					if _, ok := ctx.Message().(*actor.Started); ok {
						send(ctx, kept)
					}
				})
			}))
			if err == nil || !strings.Contains(err.Error(), "was sent to a of an earlier execution") {
				t.Errorf("error %v, want one that says that the PID was kept", err)
			}
		})
	}
}

// asking is what a handler does that never gives up.
type asking struct{}

// TestRequestsAfterTheEnd: a handler that goes on asking when the execution is over is answered, so that it ends.
func TestRequestsAfterTheEnd(t *testing.T) {
	asked := 0
	r, err := rehearse.Explore(rehearse.Config{Budget: "5x", Checks: rehearse.Levels{rehearse.Deadlock: rehearse.Off}}, protoactor.System(func(*rehearse.T) {
		s := protoactor.NewActorSystem()
		mute := s.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
		asker := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(asking); ok {
				for range 3 {
					ctx.RequestFuture(mute, "anybody?", -1).Result()
					asked++
				}
			}
		}))
		s.Root.Send(asker, asking{})
	}))
	if err != nil || len(r.Findings) > 0 {
		t.Fatalf("error %v, findings %v", err, r.Findings)
	}
	if asked == 0 || asked%3 != 0 {
		t.Errorf("%d requests came to an end, want all three of every execution", asked)
	}
}
