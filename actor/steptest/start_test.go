package steptest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/actor/steptest"
	"github.com/rehearse-go/rehearse/internal/tests/failing"
)

// hooked is an actor whose start hook is a function.
type hooked struct {
	n    int
	to   actor.Ref
	hook func(h *hooked, ctx *actor.Context)
}

func (h *hooked) Start(ctx *actor.Context)          { h.hook(h, ctx) }
func (h *hooked) Receive(*actor.Context, any)       { h.n = -1 }
func (h *hooked) Accepts(any) bool                  { return false }
func hooks(f func(*hooked, *actor.Context)) *hooked { return &hooked{hook: f} }

// TestStarts: of a start hook all is expected that is expected of handlers, in the step in which the actor is created.
func TestStarts(t *testing.T) {
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"sends", "", func(x *steptest.Test) {
			p, q := x.Peer("p"), x.Peer("q")
			h := hooks(func(h *hooked, ctx *actor.Context) {
				ctx.Send(h.to, ctx.Name(p))
				ctx.Send(q, ctx.Self())
				ctx.Send(ctx.Self(), 1)
				h.n++
			})
			h.to = p
			x.Start(h)
			x.Sends(p, "p")
			x.Sends(q, x.Self())
			x.Sends(x.Self(), 1)
			x.Equal("n", h.n, 1)
		}},
		{"sends to another", "the next message is the message int(1) to the peer q, want a message of int(1) to the peer p",
			func(x *steptest.Test) {
				p, q := x.Peer("p"), x.Peer("q")
				x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Send(q, 1) }))
				x.Sends(p, 1)
			}},
		{"sends too much", "the handler also sends the message int(1) to itself", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Send(ctx.Self(), 1) }))
		}},
		{"spawns", "", func(x *steptest.Test) {
			x.Peer("p")
			h := hooks(func(h *hooked, ctx *actor.Context) {
				ctx.Spawn(&account{7})
				h.to = ctx.SpawnNamed("b", &account{8})
				ctx.Send(h.to, h.to)
			})
			x.Start(h)
			x.Spawns(&account{7})
			x.Spawns(&account{8})
			x.SpawnedAs("b")
			x.Sends(x.Spawned(2), x.Spawned(2))
			x.Equal("to", h.to, x.Spawned(2))
		}},
		{"spawns otherwise", "the actor that is created.balance is 7, want 8", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Spawn(&account{7}) }))
			x.Spawns(&account{8})
		}},
		{"nobody", "", func(x *steptest.Test) {
			h := hooks(func(h *hooked, ctx *actor.Context) {
				if ctx.Sender() == (actor.Ref{}) {
					h.n = 5
				}
				ctx.Send(ctx.Sender(), "lost")
			})
			x.Start(h)
			x.Loses("string")
			x.Equal("n", h.n, 5)
		}},
		{"a timer, a choice, a watch and a stop", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Chooses(2)
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) {
				ctx.Send(p, 1)
				ctx.After(time.Duration(ctx.Choose(3))*time.Second, 5)
				ctx.Watch(p)
				ctx.StopActor(p)
			}))
			x.Sends(p, 1)
			x.TimerAfter(2*time.Second, 5)
			x.Watches(p)
			x.Stops(p)
		}},
		{"panics", "", func(x *steptest.Test) {
			x.Start(hooks(func(*hooked, *actor.Context) { panic("early") }))
			x.Panics("early")
		}},
		{"panics unexpected", "the handler panics: ",
			func(x *steptest.Test) { x.Start(hooks(func(*hooked, *actor.Context) { panic("early") })) }},
		{"replies", "", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Reply(1) }))
			x.Panics("Reply while no message is being handled")
		}},
		{"waits", "", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.AwaitUntil(func() bool { return true }) }))
			x.Panics("AwaitUntil in a start hook")
		}},
		{"fails", "", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.T().Fatal("no") }))
			x.Fails()
		}},
		{"ends", "", func(x *steptest.Test) { x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Stop() })); x.Ends() }},
		{"ends not", "the actor does not stop",
			func(x *steptest.Test) { x.Start(hooks(func(*hooked, *actor.Context) {})); x.Ends() }},
		{"becomes", "", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Become(&do{}) }))
			x.Becomes()
		}},
		{"becomes unexpected", "also changes the behaviour", func(x *steptest.Test) {
			x.Start(hooks(func(_ *hooked, ctx *actor.Context) { ctx.Become(&do{}) }))
		}},
		{"a sender", "Sender of a start hook, which has none", func(x *steptest.Test) { x.Sender() }},
		{"from a peer", "nothing comes before a start hook",
			func(x *steptest.Test) { x.From(x.Peer("p")); x.Start(hooks(nil)) }},
		{"messages before", "nothing comes before a start hook", func(x *steptest.Test) { x.Before(1); x.Start(hooks(nil)) }},
		{"a message", "Handle of a test of a start hook", func(x *steptest.Test) { x.Handle(hooks(nil), 1) }},
		{"too many peers", "more than 30 peers", func(x *steptest.Test) {
			for range 31 {
				x.Peer("p")
			}
		}},
	} {
		got := failing.Said(func(t testing.TB) { tt.test(steptest.NewStart(t)) })
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := said(func(x *steptest.Test) { x.Start(hooks(nil)) }); !strings.Contains(got, "make it by NewStart") {
		t.Errorf("Start of a test of a message says %q", got)
	}
}

// TestStartReferences: with all peers that there may be, references lead to them, to the actor, and to what it creates.
func TestStartReferences(t *testing.T) {
	x := steptest.NewStart(t)
	seen := map[actor.Ref]bool{x.Self(): true}
	var peers []actor.Ref
	for i := range 30 {
		p := x.Peer(fmt.Sprint("p", i))
		peers, seen[p] = append(peers, p), true
	}
	for i := range 3 {
		seen[x.Spawned(i+1)] = true
	}
	if len(seen) != 34 {
		t.Fatalf("%d references, want 34", len(seen))
	}
	x.Start(hooks(func(_ *hooked, ctx *actor.Context) {
		for _, p := range peers {
			ctx.Send(p, ctx.Name(p))
		}
		for i := range 3 {
			ctx.Send(ctx.Spawn(&account{i}), ctx.Self())
		}
	}))
	for i, p := range peers {
		x.Sends(p, fmt.Sprint("p", i))
	}
	for i := range 3 {
		x.Spawns(&account{i})
		x.Sends(x.Spawned(i+1), x.Self())
	}
}
