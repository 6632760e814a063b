package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Leader is leader of [Basset11]: the election of Dolev, Klawe and Rodeh in a ring of n processes. What their
// initialisation sends is pending when the exploration starts.
//
// Differs: the driver sends it, since the initialisation itself is not explored. The algorithm is meant for channels
// that keep the order, and under models that keep it for each sender only LeaderInOrder is right.
func Leader(n int) *actor.System {
	created := make([]int, n)
	for i := range created {
		created[i] = i
	}
	return LeaderCreated(created...)
}

// LeaderCreated is the same with processes that are created in another order: a permutation of 0 to n-1. The Scala
// column of table 3.1 is that of 1 0 2.
func LeaderCreated(order ...int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		n := len(order)
		ring, refs := make([]*process, n), make([]actor.Ref, n)
		t.SetUp(func() {
			for _, id := range order {
				ring[id] = &process{id: id, maxi: id}
				refs[id] = ctx.Spawn(ring[id])
			}
			for id, p := range ring {
				p.right = refs[(id+1)%n]
			}
		})
		for id, p := range ring {
			ctx.Send(p.right, first{id})
		}
	})
}

// LeaderInOrder is the same with processes that send their first messages themselves, from start hooks, in the one step
// that creates the ring.
func LeaderInOrder(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Spawn(&eagerProcess{process: process{id: n - 1}, last: true})
	})
}

type (
	first  struct{ x int }
	second struct{ x int }
)

type process struct {
	id         int
	right      actor.Ref
	inactive   bool
	maxi       int
	neighbourR int
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

// eagerProcess begins by itself.
type eagerProcess struct {
	process
	last bool // the one that creates the others
}

// Start sends FIRST to the right neighbour. The ring is closed by the last process. It creates the others from right to
// left, each with the one before as its right neighbour, and has process 0 to its own right.
func (p *eagerProcess) Start(ctx *actor.Context) {
	p.maxi = p.id
	if p.last {
		right := ctx.Self()
		for id := p.id - 1; id >= 0; id-- {
			right = ctx.Spawn(&eagerProcess{process: process{id: id, right: right}})
		}
		p.right = right
	}
	ctx.Send(p.right, first{p.id})
}
