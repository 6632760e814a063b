package actor_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
)

func TestCallBlocks(t *testing.T) {
	// The caller takes nothing else while it is blocked.
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		server := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(msg.(hello).N + 1) }))
		client := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) {
			ctx.T().Log("(")
			v, err := ctx.Call(server, hello{msg.(hello).N * 10})
			ctx.T().Log(v, err, ")")
		}))
		ctx.Send(client, hello{1})
		ctx.Send(client, hello{2})
	}, want{bag, []string{"( 11 <nil> ) ( 21 <nil> )", "( 21 <nil> ) ( 11 <nil> )"}},
		want{mailbox, []string{"( 11 <nil> ) ( 21 <nil> )"}})
}

func TestDriverCalls(t *testing.T) {
	mayLog(t, func(t *explore.T, ctx *actor.Context) {
		s := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(msg) }))
		for n := range 3 {
			v, err := ctx.Call(s, hello{n})
			t.Log(v, err)
		}
	}, want{bag, []string{"{0} <nil> {1} <nil> {2} <nil>"}}, want{mailbox, []string{"{0} <nil> {1} <nil> {2} <nil>"}})
}

func TestAskAndAwaitRelease(t *testing.T) {
	p := func(_ *explore.T, ctx *actor.Context) {
		server := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(7) }))
		client := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) {
			if _, ok := msg.(ping); !ok {
				logger(ctx, msg)
				return
			}
			f := ctx.Ask(server, ping{})
			ctx.T().Log("asked")
			v, err := ctx.Await(f)
			ctx.T().Log(v, err, f.Ready())
		}))
		ctx.Send(client, ping{})
		ctx.Send(client, hello{1})
	}
	free := []string{"asked 1 7 <nil> true", "asked 7 <nil> true 1"}
	mayLog(t, p, want{bag, append([]string{"1 asked 7 <nil> true"}, free...)}, want{mailbox, free}, want{serial, free})
}

// The test function takes messages by Receive only: while it is released, what is sent to it waits.
func TestReleasedDriver(t *testing.T) {
	for _, ask := range []bool{false, true} {
		for _, receives := range []bool{false, true} {
			end := ""
			program := func(t *explore.T, ctx *actor.Context) {
				server := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
					ctx.Reply(msg)
					if _, first := msg.(ping); !first {
						return
					}
					if ask {
						ctx.Ask(ctx.Sender(), hello{2})
					} else {
						ctx.Send(ctx.Sender(), hello{2})
					}
				}))
				v, err := ctx.Await(ctx.Ask(server, ping{}))
				w, err2 := ctx.Call(server, hello{1})
				end = fmt.Sprint(v, err, w, err2)
				if receives {
					end += fmt.Sprint(ctx.Receive(func(any) bool { return true }))
				}
			}
			for _, c := range every {
				p := agree.Program{System: actor.New(program), Conditions: c, State: func() string { return end },
					Check: func() explore.Checker { return &check.Checker{} }, Limit: 50}
				p.Judge(t, "")
				if want := map[bool]string{true: "{} <nil> {1} <nil>{2}", false: "{} <nil> {1} <nil>"}[receives]; end != want {
					t.Errorf("%s, asked %v: the test function got %q, want %q", c.Model, ask, end, want)
				}
			}
		}
	}
}

func TestAwaitOfAReadyFutureGoesOn(t *testing.T) {
	mayLog(t, func(t *explore.T, ctx *actor.Context) {
		s := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(msg) }))
		f := ctx.Ask(s, hello{1})
		g := ctx.Ask(s, hello{2})
		ctx.Await(g)
		t.Log(f.Ready())
		v, _ := ctx.Await(f)
		t.Log(v)
	}, want{bag, []string{"true {1}", "false {1}"}}, want{mailbox, []string{"true {1}"}})
}

func TestPolling(t *testing.T) {
	// A polling task may be picked before it is ready, and goes back: there is no bound, so some executions are cut.
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		s := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(7) }))
		v, _ := ctx.Await(ctx.Ask(s, ping{}))
		ctx.T().Log(v)
	})
	sys.Polling = true
	h := exploredBy(t, sys, search.NewNaive(), explore.Options{MaxSteps: 4, Budget: explore.Budget{Executions: 10}})
	if fmt.Sprint(h.logs) != "[ 7]" || !h.out.Bounded {
		t.Errorf("got %q, bounded %v; want some executions that poll to the bound and some that end", h.logs, h.out.Bounded)
	}
}

func TestAwaitUntil(t *testing.T) {
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(&waiter{})
		ctx.Send(a, ping{})
		ctx.Send(a, hello{1})
		ctx.Send(a, hello{2})
	}, want{mailbox, []string{"wait 1 2 done:2"}},
		want{bag, []string{"wait 1 2 done:2", "wait 2 1 done:2", "1 wait 2 done:2", "2 wait 1 done:2", "1 2 wait done:2",
			"2 1 wait done:2"}})
}

type waiter struct{ seen int }

func (w *waiter) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); ok {
		ctx.T().Log("wait")
		ctx.AwaitUntil(func() bool { return w.seen == 2 })
		ctx.T().Logf("done:%d", w.seen)
		return
	}
	w.seen++
	logger(ctx, msg)
}

func TestReceiveInMidHandler(t *testing.T) {
	once := []string{"[ {2} helper ] 1"}
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		helper := ctx.SpawnNamed("helper", actor.Func(func(ctx *actor.Context, msg any) {
			ctx.Reply(hello{1})
			ctx.Reply(hello{2})
		}))
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if _, ok := msg.(ping); !ok {
				logger(ctx, msg)
				return
			}
			ctx.Send(helper, ping{})
			ctx.T().Log("[")
			ctx.T().Log(ctx.Receive(func(msg any) bool { return msg == hello{2} }))
			ctx.T().Log(ctx.Name(ctx.Sender()), "]")
		}))
		ctx.Send(a, ping{})
	}, want{bag, once}, want{mailbox, once}, want{serial, once})
}
