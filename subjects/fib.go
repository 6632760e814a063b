package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Fib is fibonacci of [Basset11], in the version whose naive search has 168 executions for n = 4. It is a tree of
// actors, one for each number down to the leaves 2, 1 and 0.
func Fib(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&fibRoot{}) })
		ctx.Send(root, bootN{n})
	})
}

// FibDirect is the Scala version: the driver sends the topmost actor its task, and the others end when they have
// reported.
func FibDirect(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var top actor.Ref
		t.SetUp(func() { top = ctx.Spawn(&fibonacci{client: ctx.Spawn(&fibRoot{}), top: true, ends: true}) })
		ctx.Send(top, fib{n})
	})
}

type (
	fib      struct{ v int }
	result   struct{ value int }
	finished struct{ value int }
)

// fibRoot takes the end result.
type fibRoot struct{ value int }

func (r *fibRoot) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case bootN:
		ctx.Send(ctx.Spawn(&fibonacci{client: ctx.Self(), top: true}), fib{msg.n})
	case finished:
		r.value = msg.value
	}
}

type fibonacci struct {
	client actor.Ref
	top    bool
	ends   bool // when it has reported, unless it is the top
	first  int
	seen   bool
}

func (f *fibonacci) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case fib:
		switch {
		case msg.v == 0:
			f.report(ctx, 0)
		case msg.v < 3:
			f.report(ctx, 1)
		default:
			ctx.Send(ctx.Spawn(&fibonacci{client: ctx.Self(), ends: f.ends}), fib{msg.v - 1})
			ctx.Send(ctx.Spawn(&fibonacci{client: ctx.Self(), ends: f.ends}), fib{msg.v - 2})
		}
	case result:
		if !f.seen {
			f.first, f.seen = msg.value, true
			return
		}
		f.report(ctx, f.first+msg.value)
	}
}

func (f *fibonacci) report(ctx *actor.Context, v int) {
	if f.top {
		ctx.Send(f.client, finished{v})
		return
	}
	ctx.Send(f.client, result{v})
	if f.ends {
		*f = fibonacci{} // nothing holds on to what it knew
		ctx.Stop()
	}
}
