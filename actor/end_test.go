package actor_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// leaves tells a rival and stops. What the rival then sends to it is left there or a dead letter.
func leaves(t *explore.T, ctx *actor.Context) {
	var leaver actor.Ref
	t.SetUp(func() {
		rival := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(leaver, pong{}) }))
		leaver = ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
			ctx.Send(rival, ping{})
			ctx.Stop()
		}))
	})
	ctx.Send(leaver, hello{})
}

// What an actor sends before it stops reaches others before they find that it has stopped.
func TestEndIsReleasedInTurn(t *testing.T) {
	for model, want := range map[trace.Model][]trace.ViolationKind{
		trace.Mailbox:       {trace.OrphanDead, trace.DeadLetter},
		trace.MailboxSerial: {trace.DeadLetter},
	} {
		found := map[trace.ViolationKind]bool{}
		levels := check.Levels{trace.OrphanDead: check.Error}
		out, err := explore.Run(actor.New(leaves), search.NewNaive(), explore.Options{
			Conditions: explore.Conditions{Model: model, Copy: true},
			Check:      &check.Checker{Levels: levels},
			Found: func(f explore.Found) bool {
				for _, v := range f.Violations {
					found[v.Kind] = true
				}
				return true
			}})
		if got := slices.Sorted(maps.Keys(found)); err != nil || !out.Exhausted || !slices.Equal(got, want) {
			t.Errorf("%v: found %v, want %v; %v, %+v", model, got, want, err, out)
		}
	}
}
