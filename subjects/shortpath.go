package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// edge leads from a node to a neighbour.
type edge struct{ from, to, weight int }

// even gives edges of the same weight.
func even(weight int, ends ...[2]int) []edge {
	edges := make([]edge, len(ends))
	for i, e := range ends {
		edges[i] = edge{e[0], e[1], weight}
	}
	return edges
}

// ShortpathA is shortpath of [Basset11] on its first graph, from node 0.
func ShortpathA() *actor.System {
	return shortpath(5, 0, even(10, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {3, 1}, {2, 3}, {3, 2}}...))
}

// ShortpathB is shortpath of [Basset11] on its second graph, from node 4.
func ShortpathB() *actor.System {
	return shortpath(5, 4, even(10,
		[][2]int{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 3}, {3, 1}, {4, 0}, {4, 1}, {1, 4}, {0, 4}}...))
}

// ShortpathTriangle is shortpath on the triangle with edges both ways, from node 0.
func ShortpathTriangle() *actor.System {
	return shortpath(5, 0, even(10, [][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}...))
}

// ShortpathDetour is the same with a longer edge between nodes 0 and 2, so that the way round is the short one. The
// graph of table 3.2 is not printed; this is the smallest that we found whose executions and deliveries are as many as
// the published ones.
func ShortpathDetour() *actor.System {
	return shortpath(3, 0, []edge{{0, 1, 10}, {0, 2, 30}, {1, 0, 10}, {1, 2, 10}, {2, 0, 30}, {2, 1, 10}})
}

// shortpath wires its nodes by calls from set-up, one an edge, which orders by sending graphs see.
func shortpath(size, from int, edges []edge) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		nodes := make([]actor.Ref, size)
		t.SetUp(func() {
			for i := range nodes {
				nodes[i] = ctx.Spawn(&node{distance: -1})
			}
			for _, e := range edges {
				if _, err := ctx.Call(nodes[e.from], neighbour{nodes[e.to], e.weight}); err != nil {
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
