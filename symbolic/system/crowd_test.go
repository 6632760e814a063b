package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// hello is what each of a crowd tells itself when it begins.
type hello struct{}

// crowd makes more actors than a plan may fill steps in: each of them has something to do before the last one can be
// sent anything.
func crowd() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		for range 50 {
			ctx.Spawn(&beginner{})
		}
		ctx.Send(ctx.Spawn(&server{}), serve{1})
	})
}

// beginner sends itself a message when it begins.
type beginner struct{ begun bool }

func (b *beginner) Start(ctx *actor.Context) { ctx.Send(ctx.Self(), hello{}) }

func (b *beginner) Receive(*actor.Context, any) { b.begun = true }

// TestFollowCrowd: what the actors of a large start have to do before a step does not count as detours of the plan.
func TestFollowCrowd(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	s := startOf(t, p, "crowd")
	if len(s.Actors) != 51 {
		t.Fatalf("%d actors, want 51", len(s.Actors))
	}
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox, trace.MailboxSerial} {
		plan := &planner{t: t, p: p, start: s, plan: Plan{Model: model}}
		plan.step("server", "serve", Source{})
		if _, err := p.Follow(t.Context(), s, plan.plan, Goal{}, Config{}); err != nil {
			t.Errorf("%v: %v", model, err)
		}
	}
}
