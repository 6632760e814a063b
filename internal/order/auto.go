package order

import "github.com/rehearse-go/rehearse/trace"

// auto follows the guidelines at the end of [Basset11] 4.3.2. They are ECA for a pipeline, LCA for a divide-and-conquer
// tree, and FIFO where there is no such pattern or it is not known. The pattern is what the first execution shows,
// which itself goes by FIFO.
//
// Differs: the source has people choose. Both patterns are about who sends to whom among the actors, the test function
// aside and messages to oneself too:
//
//	pipeline  a chain of three actors or more, each sending only to the next
//	tree      only between creator and created, in both directions, and somebody has created two who answer
//
// A broker with the clients that it created is a tree of depth one: LCA is best for chameneos too. Where workers were
// created first (pi), FIFO is.
type auto struct {
	Order
	settled bool
}

func newAuto() *auto { return &auto{Order: &fifo{}} }

// Name is "auto", whatever it has settled for.
func (*auto) Name() string { return "auto" }

// Observe implements Observer.
func (a *auto) Observe(tr *trace.Trace) bool {
	if a.settled {
		return false
	}
	a.settled = true
	switch g := graphOf(tr); {
	case g.pipeline():
		a.Order = eca{}
	case g.tree(tr):
		a.Order = lca{}
	default:
		return false
	}
	return true
}

// graph is who sent to whom in an execution, by actor.
type graph []map[int32]bool

// graphOf is who has sent to whom in an execution, without the driver and without messages to oneself.
func graphOf(tr *trace.Trace) graph {
	g := make(graph, len(tr.Actors))
	for e := tr.Explored; e < len(tr.Events); e++ {
		for _, m := range tr.Events[e].Sent {
			from, to := tr.Messages[m].Sender, tr.Messages[m].Receiver
			if from == 0 || to == 0 || from == to {
				continue
			}
			if g[from] == nil {
				g[from] = map[int32]bool{}
			}
			g[from][to] = true
		}
	}
	return g
}

// pipeline reports whether the graph is one chain of three or more.
func (g graph) pipeline() bool {
	into := make([]int, len(g))
	edges, heads := 0, 0
	for _, to := range g {
		if len(to) > 1 {
			return false
		}
		for t := range to {
			into[t]++
			edges++
		}
	}
	for a, to := range g {
		if into[a] > 1 {
			return false
		}
		if into[a] == 0 && len(to) == 1 {
			heads++
		}
	}
	// In-degree and out-degree are at most one, so the graph consists of chains and rings; the number of edges of the one
	// chain says whether there is a ring beside it.
	return heads == 1 && edges >= 2 && edges == g.chain(into)
}

// chain is the length of the chain that begins at the one head.
func (g graph) chain(into []int) int {
	for a := range g {
		if into[a] > 0 || len(g[a]) == 0 {
			continue
		}
		n, at := 0, int32(a)
		for len(g[at]) == 1 {
			for next := range g[at] {
				at = next
			}
			n++
		}
		return n
	}
	return 0
}

// tree reports whether all communication is between creator and created.
func (g graph) tree(tr *trace.Trace) bool {
	answering := make([]int, len(g))
	for from, to := range g {
		for t := range to {
			switch {
			case tr.Actors[t].Parent == int32(from):
			case tr.Actors[from].Parent == t:
				if g[t][int32(from)] {
					answering[t]++
				}
			default:
				return false
			}
		}
	}
	for _, n := range answering {
		if n >= 2 {
			return true
		}
	}
	return false
}
