package protoactor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// What waits when an execution is over is let go, so that its goroutine ends. The failures that it reports then are no
// failures of the program.
func TestFailuresOfWhatIsLetGo(t *testing.T) {
	asks := func(t *rehearse.T, s *actor.ActorSystem, pid *actor.PID, d time.Duration) {
		if _, err := s.Root.RequestFuture(pid, "question", d).Result(); err != nil {
			t.Fatal("no answer: ", err)
		}
	}
	for name, tt := range map[string]struct {
		program func(t *rehearse.T, s *actor.ActorSystem, failing, silent *actor.PID)
		found   int
		late    bool
	}{
		"the test function waits at a finding": {func(t *rehearse.T, s *actor.ActorSystem, failing, _ *actor.PID) {
			asks(t, s, failing, time.Second)
		}, 1, false},
		"it waits in set-up": {func(t *rehearse.T, s *actor.ActorSystem, failing, _ *actor.PID) {
			t.SetUp(func() { asks(t, s, failing, time.Second) })
		}, 1, false},
		"it waits for set-up to end": {func(t *rehearse.T, s *actor.ActorSystem, failing, silent *actor.PID) {
			t.SetUp(func() { s.Root.Send(failing, "order") })
			asks(t, s, silent, time.Second)
		}, 1, false},
		"it waits for longer than the horizon": {func(t *rehearse.T, s *actor.ActorSystem, _, silent *actor.PID) {
			asks(t, s, silent, 2*time.Minute)
		}, 1, false},
		"it sleeps at a finding": {func(t *rehearse.T, s *actor.ActorSystem, failing, _ *actor.PID) {
			t.Error("found")
			time.Sleep(time.Second)
			t.Error("slept")
		}, 1, false},
		"an actor sleeps at a finding": {func(t *rehearse.T, s *actor.ActorSystem, failing, _ *actor.PID) {
			s.Root.Send(s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(string); ok {
					s.Root.Send(failing, "order")
					time.Sleep(time.Second)
					t.Error("slept")
				}
			})), "order")
		}, 1, false},
		"it sleeps for longer than the horizon": {func(t *rehearse.T, s *actor.ActorSystem, _, silent *actor.PID) {
			s.Root.Send(silent, "order")
			time.Sleep(2 * time.Minute)
			t.Error("slept")
		}, 1, false},
		"a goroutine outlives the execution": {func(t *rehearse.T, s *actor.ActorSystem, _, silent *actor.PID) {
			s.Root.Send(silent, "order")
			go func() {
				time.Sleep(2 * time.Minute)
				t.Error("outlived")
			}()
		}, 0, true},
	} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "default"}, protoactor.System(func(t *rehearse.T) {
			s := protoactor.NewActorSystem()
			failing := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(string); ok {
					t.Error("found")
				}
			}))
			silent := s.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
			tt.program(t, s, failing, silent)
		}))
		late := err != nil && strings.Contains(err.Error(), "after its execution had ended: outlived")
		if late != tt.late || err != nil && !late || len(r.Findings) != tt.found {
			t.Errorf("%s: %d findings, error %v; want %d, too late: %t", name, len(r.Findings), err, tt.found, tt.late)
		}
	}
}
