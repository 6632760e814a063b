package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// FibTasks is figure 5 of [ASTS]: the tree of Fib down to 1 and 0, whose topmost actor reports to nobody. In table 1 of
// that paper the leaves are those of Fib.
func FibTasks(n int) *actor.System { return FibTasksTo(n, 1) }

// FibTasksTo has its leaves at that number.
func FibTasksTo(n, leaf int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var top actor.Ref
		t.SetUp(func() { top = ctx.Spawn(&fibTask{leaf: leaf}) })
		ctx.Send(top, fib{n})
	})
}

type fibTask struct {
	parent actor.Ref // nobody at the top
	leaf   int
	n, r   int // results that came, and their sum
}

func (f *fibTask) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case fib:
		if msg.v <= f.leaf {
			f.report(ctx, msg.v)
			return
		}
		for _, v := range []int{msg.v - 1, msg.v - 2} {
			ctx.Send(ctx.Spawn(&fibTask{parent: ctx.Self(), leaf: f.leaf}), fib{v})
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

var fibCalls = trace.Calls{
	calls("fibTask", "fib", trace.MaySend{Actor: "fibTask", Message: "result", Depth: 1},
		trace.MaySend{Actor: "fibTask", Message: "fib", Depth: 1}),
	calls("fibTask", "result", trace.MaySend{Actor: "fibTask", Message: "result", Depth: 2}),
}

var fibEffects = trace.Effects{
	{Actor: "fibTask", Message: "result", Reads: []string{"parent"}, Writes: []string{"n", "r"}, Sends: true},
}
