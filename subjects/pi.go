package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Pi is pi of [Basset11]: a master has n workers integrate, adds their sums, and stops them and itself.
func Pi(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var m actor.Ref
		t.SetUp(func() {
			workers := make([]actor.Ref, n)
			for i := range workers {
				workers[i] = ctx.Spawn(&worker{id: i, of: n})
			}
			m = ctx.Spawn(&master{workers: workers})
		})
		ctx.Send(m, boot{})
	})
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
		for _, w := range p.workers {
			ctx.Send(w, intervals{ctx.Self(), 1000})
		}
	case sum:
		p.sum += msg.value
		if p.count++; p.count == len(p.workers) {
			for _, w := range p.workers {
				ctx.Send(w, halt{})
			}
			ctx.Stop()
		}
	}
}

// atMost is how many of the intervals are really computed: no count depends on it, the time of a search does.
const atMost = 4

type worker struct{ id, of int }

func (w *worker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case intervals:
		n := min(msg.n, atMost)
		h, s := 1/float64(n), 0.0
		for i := w.id; i < n; i += w.of {
			x := h * (float64(i) + 0.5)
			s += 4 / (1 + x*x)
		}
		ctx.Send(msg.replyTo, sum{h * s})
	case halt:
		ctx.Stop()
	}
}
