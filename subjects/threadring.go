package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// ThreadRing is the ring of [TAP18] (figure 12) with n nodes: each passes a token to its successor. A node is created
// with its successor, the last one first; the last cannot be, since the first does not exist yet, and is told. The bug:
// the token goes round before that, and finds a node without a successor. One message has to be later than n.
func ThreadRing(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var first, last actor.Ref
		t.SetUp(func() {
			last = ctx.Spawn(&ringNode{})
			first = last
			for range n - 1 {
				first = ctx.Spawn(&ringNode{next: first})
			}
		})
		ctx.Send(last, successor{first})
		ctx.Send(first, token{n})
	})
}

type (
	successor struct{ node actor.Ref }
	token     struct{ left int } // nodes to go
)

type ringNode struct{ next actor.Ref }

func (r *ringNode) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case successor:
		r.next = msg.node
	case token:
		if r.next == (actor.Ref{}) {
			ctx.T().Errorf("the token came before the successor was known")
		} else if msg.left > 0 {
			ctx.Send(r.next, token{msg.left - 1})
		}
	}
}
