package actor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/search"
)

// setter sets a timer at the first message, does the given at the second, and the other at all others.
func setter(other actor.Func, then func(*actor.Context, actor.TimerID)) func(*explore.T, *actor.Context) {
	return func(_ *explore.T, ctx *actor.Context) {
		var id actor.TimerID
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			switch msg {
			case ping{}:
				id = ctx.After(time.Second, tick{})
			case pong{}:
				then(ctx, id)
			default:
				other(ctx, msg)
			}
		}))
		ctx.Send(a, ping{})
		ctx.Send(a, pong{})
	}
}

// A timer may fire between what a handler sends and a later cancel. What comes of the send may reach the mailbox before
// the timeout then.
func TestLateCancel(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		echo := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(ctx.Sender(), msg) }))
		setter(logger, func(ctx *actor.Context, id actor.TimerID) {
			ctx.Send(echo, hello{1})
			ctx.T().Log(ctx.Cancel(id))
		})(t, ctx)
	}
	for _, c := range []explore.Conditions{mailbox, serial} {
		mayLog(t, p, want{c, []string{"true 1"}})
	}
	mayLog(t, p, want{async(serial), []string{"true 1", "false tick 1"}},
		want{async(mailbox), []string{"true 1", "false tick 1", "tick false 1", "false 1 tick"}})
}

// What a handler does after a late cancel comes after it, and a cancel that comes first is a part of the handler's
// step.
func TestCancelKeepsItsTurn(t *testing.T) {
	self := func(ctx *actor.Context, n int) { ctx.Send(ctx.Self(), hello{n}) }
	none := []string{"tick 1 2", "true 1 2"}
	for _, tt := range []struct {
		name string
		then func(*actor.Context, actor.TimerID)
		logs []string
	}{
		{"send, cancel, send", func(ctx *actor.Context, id actor.TimerID) {
			self(ctx, 1)
			ok := ctx.Cancel(id)
			self(ctx, 2)
			note(ctx, ok)
		}, append([]string{"1 tick 2"}, none...)},
		{"send, send, cancel", func(ctx *actor.Context, id actor.TimerID) {
			self(ctx, 1)
			self(ctx, 2)
			note(ctx, ctx.Cancel(id))
		}, append([]string{"1 tick 2", "1 2 tick"}, none...)},
		{"cancel, send, send, cancel", func(ctx *actor.Context, id actor.TimerID) {
			note(ctx, ctx.Cancel(id))
			self(ctx, 1)
			self(ctx, 2)
			ctx.Cancel(id)
		}, none},
	} {
		t.Run(tt.name, func(t *testing.T) { mayLog(t, setter(logger, tt.then), want{async(mailbox), tt.logs}) })
	}
}

// note logs a cancel that was in time.
func note(ctx *actor.Context, ok bool) {
	if ok {
		ctx.T().Log(ok)
	}
}

// The start hook of an actor must not wait. Where it cancels late the result says so, and where.
func TestLateCancelInStart(t *testing.T) {
	p := func(_ *explore.T, ctx *actor.Context) {
		ctx.Spawn(&starter{func(ctx *actor.Context) {
			ctx.Cancel(ctx.After(time.Second, tick{}))
		}})
	}
	for _, s := range []explore.Strategy{search.NewNaive(), dpor.NewOptimal(nil)} {
		out, err := explore.Run(actor.New(p), s, explore.Options{Conditions: async(mailbox)})
		if err != nil || out.Complete || !strings.Contains(out.PassedOver, "tick at cancel_test.go:") {
			t.Errorf("%s: %+v, %v: want it not complete, with the place", s.Name(), out, err)
		}
	}
}
