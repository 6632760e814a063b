package actor_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// The tests of this file are about the order in which a handler lets others go on under mailbox: by its sends, by
// answers, and by futures that it resolves. It is that of the program.

// asked makes a program of a log, a server that does what is given when it is asked, and a client that then logs 9
// itself.
func asked(server func(ctx *actor.Context, log actor.Ref), client func(ctx *actor.Context, server actor.Ref)) program {
	return func(t *explore.T, ctx *actor.Context) {
		var c actor.Ref
		t.SetUp(func() {
			log := ctx.Spawn(actor.Func(logger))
			s := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, _ any) { server(ctx, log) }))
			c = ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) {
				if msg == (ping{}) {
					client(ctx, s)
					ctx.Send(log, hello{9})
				}
			}))
		})
		ctx.Send(c, ping{})
	}
}

func callIt(ctx *actor.Context, server actor.Ref) {
	if _, err := ctx.Call(server, ping{}); err != nil {
		ctx.T().Errorf("the call failed: %v", err)
	}
}

func awaitIt(ctx *actor.Context, server actor.Ref) {
	if v, err := ctx.Await(ctx.Ask(server, ping{})); v != (pong{}) || err != nil {
		ctx.T().Errorf("the future has %v, %v", v, err)
	}
}

func TestAnswersAreReleasedInTurn(t *testing.T) {
	for _, client := range []func(*actor.Context, actor.Ref){callIt, awaitIt} {
		first := asked(func(ctx *actor.Context, log actor.Ref) {
			ctx.Reply(pong{})
			ctx.Send(log, hello{1})
		}, client)
		mayLog(t, first, want{mailbox, []string{"1 9", "9 1"}}, want{serial, []string{"1 9"}})
		last := asked(func(ctx *actor.Context, log actor.Ref) {
			ctx.Send(log, hello{1})
			ctx.Send(log, hello{2})
			ctx.Reply(pong{})
		}, client)
		mayLog(t, last, want{mailbox, []string{"1 2 9"}}, want{serial, []string{"1 2 9"}})
	}
}

// Who resolves a future sees it ready at once, others when that is released: in its turn.
func TestOwnFuture(t *testing.T) {
	type handed struct{ f *actor.Future }
	own := func(t *explore.T, ctx *actor.Context) {
		var c actor.Ref
		t.SetUp(func() {
			log := ctx.Spawn(actor.Func(logger))
			var f *actor.Future
			s := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, msg any) {
				if h, ok := msg.(handed); ok {
					f = h.f
					ctx.UnstashAll()
				} else if f == nil {
					ctx.Stash()
				} else {
					before := f.Ready()
					ctx.Send(log, hello{1})
					ctx.Send(log, hello{2})
					ctx.Reply(pong{})
					if v, err := ctx.Await(f); before || !f.Ready() || v != (pong{}) || err != nil {
						ctx.T().Errorf("the future was ready: %v; then it has %v, %v", before, v, err)
					}
					ctx.Send(log, hello{3})
				}
			}))
			c = ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) {
				f := ctx.Ask(s, ping{})
				ctx.Send(s, handed{f})
				_, _ = ctx.Await(f)
				ctx.Send(log, hello{9})
			}))
		})
		ctx.Send(c, ping{})
	}
	mayLog(t, own, want{mailbox, []string{"1 2 3 9", "1 2 9 3"}}, want{serial, []string{"1 2 3 9"}})
}

// A second answer is in vain, whenever the first is released. So is one to a caller that has given up by then, and that
// is seen on both sides of the release.
func TestAnswersInVain(t *testing.T) {
	twice := asked(func(ctx *actor.Context, log actor.Ref) {
		ctx.Reply(pong{})
		ctx.Reply(pong{})
	}, callIt)
	h := explored(t, twice, mailbox)
	if !slices.Equal(h.violations, []string{"dead-letter: server: actor_test.pong: "}) {
		t.Errorf("of a second answer: %q, %q", h.violations, h.texts)
	}
	late := asked(func(ctx *actor.Context, log actor.Ref) {
		ctx.Send(log, hello{1})
		ctx.Reply(pong{})
		ctx.Send(log, hello{2})
	}, func(ctx *actor.Context, server actor.Ref) {
		_, err := ctx.CallTimeout(server, ping{}, time.Second)
		ctx.T().Log(err != nil)
	})
	h = explored(t, late, async(mailbox))
	if len(h.violations) != 1 {
		t.Errorf("of an answer that is released too late: %q, %q", h.violations, h.texts)
	}
}

// What another actor sends, a stop among it, may come between the delivery of a message and the first send of its
// handler. Where the stop comes first the message is left behind.
func TestStopBeforeTheFirstSend(t *testing.T) {
	for _, tt := range []struct {
		then bool // the test function sends once more after the stop
		in   explore.Conditions
		want []string
	}{
		{true, mailbox, []string{"1 2", "2", "2 1"}},
		{true, serial, []string{"2"}},
		{false, mailbox, []string{"", "1"}},
		{false, serial, []string{""}},
	} {
		h := explored(t, func(t *explore.T, ctx *actor.Context) {
			var a, log actor.Ref
			t.SetUp(func() {
				log = ctx.Spawn(actor.Func(logger))
				a = ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(log, hello{1}) }))
			})
			ctx.Send(a, ping{})
			ctx.StopActor(a)
			if tt.then {
				ctx.Send(log, hello{2})
			}
		}, tt.in)
		if !slices.Equal(h.logs, tt.want) || !h.out.Complete {
			t.Errorf("%s, sends after the stop %v: got %q, want %q; complete %v", tt.in.Model, tt.then, h.logs,
				tt.want, h.out.Complete)
		}
	}
}
