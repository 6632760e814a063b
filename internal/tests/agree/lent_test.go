package agree

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// herald tells two others of itself in its start hook: the first answers at once, so that the answer may arrive before
// the second hears.
type herald struct{ to [2]actor.Ref }

func (h *herald) Start(ctx *actor.Context) {
	ctx.Send(h.to[0], ctx.Self())
	ctx.Send(h.to[1], add{1})
}

func (h *herald) Receive(ctx *actor.Context, _ any) { ctx.Send(h.to[1], add{4}) }

// What a start hook sends is released by the creator of the actor, which takes nothing before. So what it does with a
// message comes behind all these releases, also where the message could come of the first of them.
func TestStartedActorWaitsForItsCreator(t *testing.T) {
	for _, faults := range []trace.Faults{{}, {Max: 1, Kinds: trace.FaultKindsOf(trace.Duplicate, trace.Duplicate)}} {
		seen := 0
		p := Program{
			System: actor.New(func(_ *explore.T, ctx *actor.Context) {
				total := ctx.Spawn(&sum{last: &seen})
				echo := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
					if to, ok := msg.(actor.Ref); ok {
						ctx.Send(to, add{})
					}
				}))
				creator := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Spawn(&herald{[2]actor.Ref{echo, total}}) }))
				ctx.Send(creator, add{})
				ctx.Send(total, add{2})
			}),
			Conditions: explore.Conditions{Model: trace.Mailbox, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second,
				Faults: faults}, Limit: 600,
		}
		p.Judge(t, "")
	}
}
