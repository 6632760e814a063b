package system

import (
	"fmt"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has a long chain of messages, whose number is a value from outside: each message adds a condition on it.

type (
	serve struct{ Turns int }
	ball  struct{}
)

// server plays so many turns, and then fails.
type server struct {
	other actor.Ref
	left  int
}

func (s *server) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case serve:
		s.left = m.Turns
		ctx.Send(s.other, ball{})
	case ball:
		if s.left--; s.left > 0 {
			ctx.Send(s.other, ball{})
			return
		}
		panic("over")
	}
}

// returner sends everything back.
type returner struct{}

func (returner) Receive(ctx *actor.Context, msg any) { ctx.Send(ctx.Sender(), msg) }

func match() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&server{other: ctx.Spawn(returner{})}), serve{3})
	})
}

func TestFollowLongChain(t *testing.T) {
	turns := 60
	if os.Getenv("REHEARSE_TOY") != "" {
		turns = 300
	}
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	s := startOf(t, p, "match")
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		plan := &planner{t: t, p: p, start: s, plan: Plan{Model: model}}
		plan.step("server", "serve", Source{})
		for i := range turns {
			plan.step("returner", "ball", event(2*i, 0)).step("server", "ball", event(2*i+1, 0))
		}
		w, err := p.Follow(t.Context(), s, plan.plan, Goal{Panic: true}, Config{Fill: 3 * turns})
		if err != nil {
			t.Fatal(model, err)
		}
		if got := w.values(); got != fmt.Sprintf("server msg.Turns=%d", turns) || len(w.Order) != 2*turns+1 {
			t.Errorf("%v: %s, %d entries", model, got, len(w.Order))
		}
	}
}
