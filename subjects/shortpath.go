package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// edge leads from a node to a neighbour; all weights are 10.
type edge struct{ from, to int }

// ShortpathA is shortpath of [Basset11] on its first graph, from node 0.
func ShortpathA() *actor.System {
	return shortpath(0, []edge{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {3, 1}, {2, 3}, {3, 2}})
}

// ShortpathB is shortpath of [Basset11] on its second graph, from node 4.
func ShortpathB() *actor.System {
	return shortpath(4, []edge{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 3}, {3, 1}, {4, 0}, {4, 1}, {1, 4}, {0, 4}})
}

// ShortpathTriangle is shortpath on the triangle with edges both ways, from node 0.
func ShortpathTriangle() *actor.System {
	return shortpath(0, []edge{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}})
}

// shortpath always has five nodes. They are wired by calls from set-up, one an edge, which orders by sending graphs see.
func shortpath(from int, edges []edge) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		nodes := make([]actor.Ref, 5)
		t.SetUp(func() {
			for i := range nodes {
				nodes[i] = ctx.Spawn(&node{distance: -1})
			}
			for _, e := range edges {
				if _, err := ctx.Call(nodes[e.from], neighbour{nodes[e.to], 10}); err != nil {
					t.Fatal(err)
				}
			}
		})
		ctx.Send(nodes[from], path{0, 0})
	})
}

type (
	neighbour struct {
		node   actor.Ref
		weight int
	}
	path struct{ distance, weight int } // "receive" in the paper
)

type node struct {
	distance   int
	neighbours []neighbour
}

func (n *node) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case neighbour:
		n.neighbours = append(n.neighbours, msg)
		ctx.Reply(nil)
	case path:
		d := msg.distance + msg.weight
		if n.distance >= 0 && n.distance <= d {
			return
		}
		n.distance = d
		for _, nb := range n.neighbours {
			ctx.Send(nb.node, path{d, nb.weight})
		}
	}
}
