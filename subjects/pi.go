package subjects

import (
	"math"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Messages of Pi.
type (
	Boot      struct{}
	Intervals struct {
		ReplyTo actor.Ref
		N       int
	}
	Sum  struct{ Value float64 }
	Halt struct{}
)

// Pi is pi of [Basset11]: a master has n workers integrate, adds their sums, and stops them and itself.
func Pi(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var master actor.Ref
		t.SetUp(func() {
			workers := make([]actor.Ref, n)
			for i := range workers {
				workers[i] = ctx.Spawn(&piWorker{id: i, of: n})
			}
			master = ctx.Spawn(&piMaster{workers: workers})
		})
		ctx.Send(master, Boot{})
	})
}

type piMaster struct {
	workers []actor.Ref
	sum     float64
	count   int
}

func (p *piMaster) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Boot:
		for _, w := range p.workers {
			ctx.Send(w, Intervals{ctx.Self(), 1000})
		}
	case Sum:
		p.sum += msg.Value
		if p.count++; p.count == len(p.workers) {
			for _, w := range p.workers {
				ctx.Send(w, Halt{})
			}
			ctx.Stop()
		}
	}
}

// piIntervals is how many of the intervals a worker really computes: the counts do not depend on it, the time of a search does.
const piIntervals = 4

type piWorker struct{ id, of int }

func (w *piWorker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Intervals:
		n := min(msg.N, piIntervals)
		h, sum := 1/float64(n), 0.0
		for i := w.id; i < n; i += w.of {
			x := h * (float64(i) + 0.5)
			sum += 4 / (1 + x*x)
		}
		ctx.Send(msg.ReplyTo, Sum{h * math.Abs(sum)})
	case Halt:
		ctx.Stop()
	}
}
