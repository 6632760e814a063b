package protoactor_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// What final checks choose is explored with draws of the runtime, too; what invariants and clean-ups choose is named.
// Checks and clean-ups as most programs have them choose nothing.
func TestOverlaidChecks(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	entries := map[string]int{"a": 1, "b": 2, "c": 3}
	first := func() string {
		for k := range entries {
			return k
		}
		return ""
	}
	type judge = func(t *explore.T, s *actor.ActorSystem, a *actor.PID)
	end := func(f func(*explore.T)) judge {
		return func(t *explore.T, _ *actor.ActorSystem, _ *actor.PID) { t.AtEnd(func() { f(t) }) }
	}
	for name, tt := range map[string]struct {
		judge      judge
		invariant  func(rehearse.State) error
		executions int
		oneSeed    string
		found      string
	}{
		"no influence": {judge: end(func(*explore.T) { first() }), executions: 3},
		"wrong": {judge: end(func(t *explore.T) {
			if first() == "b" {
				t.Error("b came first")
			}
		}), executions: 3, found: "the map's order at checks_overlaid_test.go:"},
		"asks a handler that loops": {judge: func(t *explore.T, s *actor.ActorSystem, a *actor.PID) {
			t.AtEnd(func() {
				if got, _ := s.Root.RequestFuture(a, ask{}, time.Minute).Result(); got == "c" {
					t.Error("c came first")
				}
			})
		}, executions: 3, found: "the map's order at checks_overlaid_test.go:"},
		"clean-up": {judge: func(t *explore.T, _ *actor.ActorSystem, _ *actor.PID) { t.Cleanup(func() { first() }) },
			executions: 1, oneSeed: " in a clean-up"},
		"invariant": {judge: end(func(*explore.T) {}), invariant: func(rehearse.State) error { first(); return nil },
			executions: 1, oneSeed: " in an invariant"},
		"invariant that looks": {judge: end(func(*explore.T) {}), invariant: func(s rehearse.State) error {
			if len(s.Received("a")) > 9 || s.Text("a") == "" {
				return errors.New("never")
			}
			return nil
		}, executions: 1},
		"ordinary": {judge: func(t *explore.T, s *actor.ActorSystem, a *actor.PID) {
			t.AtEnd(func() { s.Root.RequestFuture(a, tick{}, time.Second).Wait() })
			t.AtEnd(func() { s.Root.StopFuture(a).Wait() })
			t.Cleanup(s.Shutdown)
		}, executions: 1},
	} {
		sys := protoactor.System(func(t *explore.T) {
			var a *actor.PID
			s := world(t, func(s *actor.ActorSystem) {
				a = start(s, "a", func(ctx actor.Context) {
					if _, ok := ctx.Message().(ask); ok {
						ctx.Respond(first())
					}
				})
			})
			s.Root.Send(a, tick{})
			tt.judge(t, s, a)
		})
		c := rehearse.Config{Strategy: "naive"}
		if tt.invariant != nil {
			c.Invariants = []rehearse.Invariant{{Name: "i", Holds: tt.invariant}}
		}
		r, err := rehearse.Explore(c, sys)
		if err != nil || r.Diverged || r.Executions != tt.executions || (len(r.Findings) == 1) != (tt.found != "") ||
			r.Complete != (tt.oneSeed == "") || !strings.HasSuffix(r.OneSeed, tt.oneSeed) {
			t.Errorf("%s: %v, %s, findings %v", name, err, r, r.Findings)
			continue
		}
		if tt.found != "" && !strings.Contains(r.Findings[0].Note, tt.found) {
			t.Errorf("%s: %s", name, r.Findings[0].Note)
		}
	}
}
