package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Leader is leader of [Basset11]: the election of Dolev, Klawe and Rodeh in a ring of n processes. The processes send their
// first messages from start hooks, in the one step that creates the ring.
func Leader(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Spawn(&process{after: n - 1})
	})
}

type (
	first  struct{ x int }
	second struct{ x int }
)

type process struct {
	id         int
	after      int       // processes that are still to be created
	head       actor.Ref // process 0
	right      actor.Ref
	inactive   bool
	maxi       int
	neighbourR int
}

// Start creates the right neighbour, which does the same, and sends it FIRST. The last process closes the ring.
func (p *process) Start(ctx *actor.Context) {
	p.maxi = p.id
	if p.id == 0 {
		p.head = ctx.Self()
	}
	p.right = p.head
	if p.after > 0 {
		p.right = ctx.Spawn(&process{id: p.id + 1, after: p.after - 1, head: p.head})
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
