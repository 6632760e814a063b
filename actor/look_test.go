package actor_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// passesIn explores a program that leaves dead letters, and compares what it logs.
func passesIn(t *testing.T, p program, wants ...want) {
	t.Helper()
	for _, w := range wants {
		if h := explored(t, p, w.in); !slices.Equal(h.logs, w.logs) || !h.out.Complete {
			t.Errorf("%s: got %q, want %q; complete: %v", w.in.Model, h.logs, w.logs, h.out.Complete)
		}
	}
}

// Under mailbox a message passes the stop that its sender sent before it, if both arrive when the receiver has looked
// for a stop and found none: after a step of its. Only one does. The other models take the stop first.
func TestMessagePassesStop(t *testing.T) {
	passesIn(t, func(t *explore.T, ctx *actor.Context) {
		var a actor.Ref
		t.SetUp(func() { a = ctx.Spawn(actor.Func(logger)) })
		ctx.Send(a, hello{1})
		ctx.StopActor(a)
		ctx.Send(a, hello{2})
		ctx.Send(a, hello{3})
	}, want{mailbox, []string{"", "1", "1 2"}}, want{serial, []string{""}}, want{fifo, []string{""}},
		want{bag, []string{""}})
}

// An actor that is at rest when the exploration begins is woken by the stop, and finds it. One that was created since
// may be looking.
func TestMessagePassesNothingAtRest(t *testing.T) {
	passesIn(t, func(t *explore.T, ctx *actor.Context) {
		var a actor.Ref
		t.SetUp(func() { a = ctx.Spawn(actor.Func(logger)) })
		ctx.StopActor(a)
		ctx.Send(a, hello{1})
	}, want{mailbox, []string{""}})
	passesIn(t, func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(logger))
		ctx.StopActor(a)
		ctx.Send(a, hello{1})
	}, want{mailbox, []string{"", "1"}})
}

// A handler that waits for an answer looks when it is over: what came meanwhile is passed by nothing.
func TestHandlerLooksWhenItIsOver(t *testing.T) {
	passesIn(t, func(t *explore.T, ctx *actor.Context) {
		var a, b actor.Ref
		t.SetUp(func() {
			a = ctx.Spawn(actor.Func(func(c *actor.Context, msg any) {
				if _, is := msg.(ping); is {
					c.Call(b, ping{})
					return
				}
				logger(c, msg)
			}))
			b = ctx.Spawn(actor.Func(func(c *actor.Context, _ any) {
				c.StopActor(a)
				c.Send(a, hello{1})
				c.Reply(pong{})
			}))
		})
		ctx.Send(a, ping{})
	}, want{mailbox, []string{""}})
}
