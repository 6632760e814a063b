package protoactor_test

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// differsBy gives what a result says of a program whose one actor sets timers on a tick, if executions of it go
// otherwise.
func differsBy(t *testing.T, set func(s *actor.ActorSystem, self *actor.PID)) string {
	t.Helper()
	r, err := rehearse.Explore(rehearse.Config{Budget: "100x"}, protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		var pid *actor.PID
		t.SetUp(func() {
			pid = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					set(s, ctx.Self())
				}
			})
		})
		s.Root.Send(pid, tick{})
	}))
	if err != nil || r.Complete {
		t.Fatalf("error %v, %s, findings %v", err, r, r.Findings)
	}
	text := r.Drawn
	if chance.Numbered() {
		text += r.OneSeed
	}
	for _, f := range r.Findings {
		text += f.Violation.Text
	}
	return text
}

// Timers that one step sets for the same instant fire in random order, which no schedule says. The result names them.
// So does a divergence, where the runtime has drawn for itself in between.
func TestTiedTimersAreNamed(t *testing.T) {
	text := differsBy(t, func(s *actor.ActorSystem, self *actor.PID) {
		for i := range 4 {
			time.AfterFunc(time.Second, func() { s.Root.Send(self, []any{told{}, ask{}, 1, "s"}[i]) })
		}
	})
	if chance.Numbered() { // which of their goroutines goes first is drawn, and more is drawn than the bound has explored
		if !strings.Contains(text, "string") || !strings.Contains(text, "goroutine at ") {
			t.Errorf("the result does not name the draws: %s", text)
		}
		return
	}
	if !strings.Contains(text, "due at the same instant") || !strings.Contains(text, "told to a") || !strings.Contains(text, "string to a") {
		t.Errorf("the result does not name the timers: %s", text)
	}
}

// One timer sends what a random number says. No other is due then, and the result says nothing of ties.
func TestOneTimerIsNoTie(t *testing.T) {
	text := differsBy(t, func(s *actor.ActorSystem, self *actor.PID) {
		time.AfterFunc(time.Second, func() {
			if rand.Intn(2) == 0 {
				s.Root.Send(self, told{})
				s.Root.Send(self, told{})
			} else {
				s.Root.Send(self, ask{})
			}
		})
	})
	if !strings.Contains(text, "told to a") || strings.Contains(text, "same instant") {
		t.Errorf("the result speaks of a tie, or does not name the messages: %s", text)
	}
}
