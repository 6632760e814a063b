package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Leader is leader of [Basset11]: the election of Dolev, Klawe and Rodeh in a ring of n processes. The processes send their
// first messages from start hooks, in the one step that creates the ring.
func Leader(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Spawn(&process{id: n - 1, last: true})
	})
}

type (
	first  struct{ x int }
	second struct{ x int }
)

type process struct {
	id         int
	last       bool // the one that creates the others
	right      actor.Ref
	inactive   bool
	maxi       int
	neighbourR int
}

// Start sends FIRST to the right neighbour. The ring is closed by the last process: it creates the others from right to left, each
// with the one before as its right neighbour, and has process 0 to its own right.
func (p *process) Start(ctx *actor.Context) {
	p.maxi = p.id
	if p.last {
		right := ctx.Self()
		for id := p.id - 1; id >= 0; id-- {
			right = ctx.Spawn(&process{id: id, right: right})
		}
		p.right = right
	}
	ctx.Send(p.right, first{p.id})
}

func (p *process) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case first:
		switch {
		case p.inactive:
			ctx.Send(p.right, msg)
		case msg.x != p.maxi:
			ctx.Send(p.right, second{msg.x})
			p.neighbourR = msg.x
		}
	case second:
		switch {
		case p.inactive:
			ctx.Send(p.right, msg)
		case p.neighbourR > msg.x && p.neighbourR > p.maxi:
			p.maxi = p.neighbourR
			ctx.Send(p.right, first{p.neighbourR})
		default:
			p.inactive = true
		}
	}
}
