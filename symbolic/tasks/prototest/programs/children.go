package programs

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Boss has actors of its own do the work: most of what Boss asks is answered within the run.
type Boss struct {
	Sum   int
	Peer  *actor.PID
	Other *actor.PID
}

// Messages.
type (
	Add     struct{ N int }
	Deep    struct{ N int }
	Self    struct{ N int }
	Tell    struct{ N int }
	Pass    struct{ N int }
	Pipes   struct{ N int }
	Twice   struct{ N int }
	Breaks  struct{ N int }
	Report  struct{ N int }
	Notes   struct{ N int }
	Plain   struct{ N int }
	Work    struct{ N int }
	Result  struct{ N int }
	Waits   struct{ N int }
	Unknown struct{ N int }
)

// Receive implements actor.Actor.
func (b *Boss) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Add:
		w := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{Base: b.Sum} }))
		ctx.ReenterAfter(ctx.RequestFuture(w, Work(msg), time.Second), func(res any, _ error) {
			if r, ok := res.(Result); ok {
				b.Sum = r.N
			}
			ctx.Respond(b.Sum)
		})
	case Deep:
		w := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{} }))
		res, err := ctx.RequestFuture(w, msg, time.Second).Result()
		if r, ok := res.(Result); ok && err == nil {
			b.Sum += r.N
		}
		ctx.Respond(b.Sum)
	case Self:
		_, err := ctx.RequestFuture(ctx.Self(), Report(msg), time.Second).Result() // nobody answers until this is over
		if err != nil {
			b.Sum = -1
		}
		ctx.Respond(b.Sum)
	default:
		b.others(ctx)
	}
}

func (b *Boss) others(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Tell:
		w := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{Base: 1} }))
		ctx.Request(w, Work(msg))
		ctx.Send(ctx.Self(), Report(msg))
	case Result:
		b.Sum = 2*b.Sum + msg.N
	case Report:
		b.Sum += msg.N
		ctx.Respond(b.Sum)
	case Pass:
		w := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{Base: b.Sum} }))
		ctx.RequestWithCustomSender(w, Work(msg), ctx.Sender())
	case Pipes:
		w := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{Base: 3} }))
		ctx.RequestFuture(w, Work(msg), time.Second).PipeTo(ctx.Self(), b.Peer)
	case Twice:
		w := ctx.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if m, ok := c.Message().(Work); ok {
				c.Respond(Result{m.N + b.Sum})
				c.Respond(Result{m.N})
			}
		}))
		ctx.ReenterAfter(ctx.RequestFuture(w, Work(msg), time.Second), func(res any, _ error) {
			if r, ok := res.(Result); ok {
				b.Sum = r.N
			}
		})
	case Breaks:
		ctx.ReenterAfter(ctx.RequestFuture(b.Peer, Check(msg), time.Second), func(res any, _ error) {
			if n, ok := res.(int); ok && n == b.Sum {
				panic("equal")
			}
			ctx.Respond(10 / b.Sum)
		})
	case Waits:
		f := ctx.RequestFuture(b.Peer, Check(msg), time.Second)
		g := ctx.RequestFuture(b.Other, Check(msg), time.Second)
		ctx.ReenterAfter(g, func(res any, _ error) {
			b.Sum *= 2
		})
		if res, _ := f.Result(); res == nil {
			b.Sum++
		}
		ctx.Respond(b.Sum)
	case Unknown:
		ctx.Send(b.Peer, Late(msg))
		ctx.Request(b.Other, Late(msg))
		ctx.Respond(b.Sum)
	}
}

// Worker answers with a sum. It has its base doubled when it starts.
type Worker struct{ Base int }

// Receive implements actor.Actor.
func (w *Worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		w.Base *= 2
	case Work:
		if msg.N > 5 {
			return // no answer
		}
		ctx.Respond(Result{w.Base + msg.N})
	case Deep:
		if msg.N <= 0 {
			ctx.Respond(Result{0})
			return
		}
		next := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{w.Base} }))
		ctx.ReenterAfter(ctx.RequestFuture(next, Deep{msg.N - 1}, 2*time.Second), func(res any, err error) {
			r, _ := res.(Result)
			ctx.Respond(Result{r.N + msg.N})
		})
	}
}
