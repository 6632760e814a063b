package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// PiTasks is PI of [ASTS]: as Pi, but the workers exist before the master, and nobody dies.
func PiTasks(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var m actor.Ref
		t.SetUp(func() {
			ws := make([]actor.Ref, n)
			for i := range ws {
				ws[i] = ctx.Spawn(&piWorker{id: i, of: n})
			}
			m = ctx.Spawn(&piMaster{workers: ws})
		})
		ctx.Send(m, start{})
	})
}

type piMaster struct {
	workers []actor.Ref
	sum     float64
	count   int
}

func (p *piMaster) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case start:
		for _, w := range p.workers {
			ctx.Send(w, intervals{ctx.Self(), 1000})
		}
	case sum:
		p.sum += msg.value
		if p.count++; p.count == len(p.workers) {
			for _, w := range p.workers {
				ctx.Send(w, halt{})
			}
		}
	}
}

type piWorker struct{ id, of int }

func (w *piWorker) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(intervals); ok {
		ctx.Send(msg.replyTo, sum{(&worker{w.id, w.of}).integrate(msg.n)})
	}
}

var piCalls = trace.Calls{
	calls("piMaster", "start", trace.MaySend{Actor: "piWorker", Message: "intervals", Depth: 1}),
	calls("piMaster", "sum", trace.MaySend{Actor: "piWorker", Message: "halt", Depth: 2}),
	calls("piWorker", "intervals", trace.MaySend{Actor: "piMaster", Message: "sum"}),
	calls("piWorker", "halt"),
}

var piEffects = trace.Effects{
	{Actor: "piMaster", Message: "start", Reads: []string{"workers"}, Sends: true},
	{Actor: "piMaster", Message: "sum", Reads: []string{"workers"}, Writes: []string{"sum", "count"}, Sends: true},
	{Actor: "piWorker", Message: "intervals", Reads: []string{"id", "of"}, Sends: true},
	{Actor: "piWorker", Message: "halt"},
}
