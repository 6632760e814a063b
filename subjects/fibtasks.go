package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// FibTasks is figure 5 of [ASTS]: the tree of Fib down to 1 and 0, whose topmost actor reports to nobody. In table 1 of that paper
// the leaves are those of Fib.
func FibTasks(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var top actor.Ref
		t.SetUp(func() { top = ctx.Spawn(&fibTask{}) })
		ctx.Send(top, fib{n})
	})
}

type fibTask struct {
	parent actor.Ref // nobody at the top
	n, r   int       // results that came, and their sum
}

func (f *fibTask) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case fib:
		if msg.v <= 1 {
			f.report(ctx, msg.v)
			return
		}
		for _, v := range []int{msg.v - 1, msg.v - 2} {
			ctx.Send(ctx.Spawn(&fibTask{parent: ctx.Self()}), fib{v})
		}
	case result:
		f.r += msg.value
		if f.n++; f.n == 2 {
			f.report(ctx, f.r)
		}
	}
}

func (f *fibTask) report(ctx *actor.Context, v int) {
	if f.parent != (actor.Ref{}) {
		ctx.Send(f.parent, result{v})
	}
}
