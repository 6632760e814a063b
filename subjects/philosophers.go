package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Philosophers is the dinner of n philosophers whose forks are actors: each asks for its left fork, then for its right
// one, eats, and releases both. All can hold one and wait for the other for ever. No source is published; the counts
// are our own.
func Philosophers(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		philosophers := make([]actor.Ref, n)
		t.SetUp(func() {
			forks := make([]actor.Ref, n)
			for i := range forks {
				forks[i] = ctx.Spawn(&fork{})
			}
			for i := range philosophers {
				philosophers[i] = ctx.Spawn(&philosopher{left: forks[i], right: forks[(i+1)%n]})
			}
		})
		for _, p := range philosophers {
			ctx.Send(p, start{})
		}
	})
}

type (
	take    struct{}
	putBack struct{}
)

// fork refuses to be taken while it is held.
type fork struct{ held bool }

func (f *fork) Accepts(msg any) bool {
	_, taking := msg.(take)
	return !taking || !f.held
}

func (f *fork) Receive(ctx *actor.Context, msg any) {
	_, f.held = msg.(take)
	if f.held {
		ctx.Reply(nil)
	}
}

type philosopher struct {
	left, right actor.Ref
	eaten       bool
}

func (p *philosopher) Receive(ctx *actor.Context, _ any) {
	for _, f := range []actor.Ref{p.left, p.right} {
		if _, err := ctx.Call(f, take{}); err != nil {
			ctx.T().Fatal(err)
		}
	}
	p.eaten = true
	ctx.Send(p.left, putBack{})
	ctx.Send(p.right, putBack{})
}
