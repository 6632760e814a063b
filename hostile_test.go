package rehearse

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// Programs that do not end, under the settings that Check has unless told otherwise: each ends with a report. What is looked at is how much was
// executed, not how long that took; docs/performance.md has the seconds.

type again struct{}

// handler is a behaviour that is given itself.
type handler func(ctx *actor.Context, self handler)

func (h handler) Receive(ctx *actor.Context, _ any) { h(ctx, h) }

// begins is a program that sends an actor one message. executed counts its executions from the start.
func begins(h handler, executed *int) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		*executed++
		ctx.Send(ctx.SpawnNamed("first", h), again{})
	})
}

// The first execution is a livelock, and that is told after few further executions. Where more and more messages wait, it is long before the
// bound on steps: that takes the square of their number.
func TestEndlessPrograms(t *testing.T) {
	const long, crowded = "more than 100000 steps and still going: next is", "after 9215 steps 9216 messages wait, more than ever, and still going: next is"
	for name, c := range map[string]struct {
		h    handler
		want string
	}{
		"sends to itself":         {func(ctx *actor.Context, _ handler) { ctx.Send(ctx.Self(), again{}) }, long},
		"a new actor each step":   {func(ctx *actor.Context, h handler) { ctx.Send(ctx.Spawn(h), again{}) }, long},
		"actors that do nothing":  {func(ctx *actor.Context, h handler) { ctx.Spawn(h); ctx.Send(ctx.Self(), again{}) }, long},
		"more and more messages":  {func(ctx *actor.Context, _ handler) { ctx.Send(ctx.Self(), again{}); ctx.Send(ctx.Self(), again{}) }, crowded},
		"more and more receivers": {func(ctx *actor.Context, h handler) { ctx.Send(ctx.Spawn(h), again{}); ctx.Send(ctx.Spawn(h), again{}) }, crowded},
	} {
		t.Run(name, func(t *testing.T) {
			folder(t)
			executed := 0
			f, r := try(t, Config{}, begins(c.h, &executed), nil)
			if r.Executions != 1 || !r.Bounded || len(r.Findings) != 1 || executed > 6 {
				t.Errorf("%d executions in all: %v", executed, r)
			}
			contains(t, strings.Join(strings.Fields(f.text()), " "), "livelock: "+c.want, "raise MaxSteps if the program is right")
		})
	}
}

// As many messages that become fewer are no livelock.
func TestManyMessagesAreNoLivelock(t *testing.T) {
	folder(t)
	handled := 0
	f, r := try(t, Config{MaxSteps: 30_000, Budget: "1x"}, actor.New(func(_ *T, ctx *actor.Context) {
		a := ctx.Spawn(handler(func(*actor.Context, handler) { handled++ }))
		for range 6_000 {
			ctx.Send(a, again{})
		}
	}), nil)
	if f.failed || r.Executions != 1 || handled != 6_000*(r.Executions+r.Rechecked) {
		t.Errorf("%d messages were handled: %v\n%s", handled, r, f.text())
	}
}
