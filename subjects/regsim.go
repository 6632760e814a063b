package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Regsim is regsim of [Basset11]: a master creates n workers, each of which registers with worker 0.
func Regsim(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var m actor.Ref
		t.SetUp(func() { m = ctx.Spawn(&simulation{n: n}) })
		ctx.Send(m, boot{})
	})
}

type (
	register struct{ with actor.Ref } // "boot" of a worker in the paper
	received struct{}                 // "result" in the paper
)

type simulation struct{ n int }

func (s *simulation) Receive(ctx *actor.Context, _ any) {
	workers := make([]actor.Ref, s.n)
	for i := range workers {
		workers[i] = ctx.Spawn(&registrant{})
	}
	ctx.Send(workers[0], received{})
	for _, w := range workers[1:] {
		ctx.Send(w, register{workers[0]})
	}
}

type registrant struct{}

func (*registrant) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(register); ok {
		ctx.Send(msg.with, received{})
	}
}
