package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Pi is pi of [Basset11]: a master has n workers integrate, adds their sums, and stops them and itself.
func Pi(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var m actor.Ref
		t.SetUp(func() { m = ctx.Spawn(&master{workers: workers(ctx, n)}) })
		ctx.Send(m, boot{})
	})
}

// PiDirect is the Scala version: the master begins by itself, so that its first messages are pending when the
// exploration starts.
func PiDirect(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var ws []actor.Ref
		t.SetUp(func() { ws = workers(ctx, n) })
		ctx.Spawn(&eagerMaster{master{workers: ws}})
	})
}

func workers(ctx *actor.Context, n int) []actor.Ref {
	ws := make([]actor.Ref, n)
	for i := range ws {
		ws[i] = ctx.Spawn(&worker{id: i, of: n})
	}
	return ws
}

type (
	intervals struct {
		replyTo actor.Ref
		n       int
	}
	sum  struct{ value float64 }
	halt struct{} // "stop" in the paper
)

type master struct {
	workers []actor.Ref
	sum     float64
	count   int
}

func (p *master) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case boot:
		p.begin(ctx)
	case sum:
		p.sum += msg.value
		if p.count++; p.count == len(p.workers) {
			for _, w := range p.workers {
				ctx.Send(w, halt{})
			}
			*p = master{} // nothing holds on to what it knew
			ctx.Stop()
		}
	}
}

func (p *master) begin(ctx *actor.Context) {
	for _, w := range p.workers {
		ctx.Send(w, intervals{ctx.Self(), 1000})
	}
}

type eagerMaster struct{ master }

func (p *eagerMaster) Start(ctx *actor.Context) { p.begin(ctx) }

type worker struct{ id, of int }

func (w *worker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case intervals:
		ctx.Send(msg.replyTo, sum{w.integrate(msg.n)})
	case halt:
		ctx.Stop()
	}
}

// integrate is the worker's share of n intervals.
func (w *worker) integrate(n int) float64 {
	h, s := 1/float64(n), 0.0
	for i := w.id; i < n; i += w.of {
		x := h * (float64(i) + 0.5)
		s += 4 / (1 + x*x)
	}
	return h * s
}
