package graph

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/flow"
)

// Size is a row of table 2 of [TAP18].
type Size struct {
	Nodes  int // actor types, the environment among them if it creates or sends
	Edges  int // pairs of actors of which one creates the other, and pairs of which one sends to the other
	Labels int // on these edges: what travels along each, without repetition
}

// SizeOf counts. Edges that only say where in the code something happens count once for all places; watching is not an
// edge there.
func SizeOf(g *flow.Graph) Size { return SizeIn(g, func(*flow.Actor) bool { return true }) }

// SizeIn counts some of the actors, the environment, and what is between them.
func SizeIn(g *flow.Graph, counts func(*flow.Actor) bool) Size {
	in := func(a *flow.Actor) bool { return a.Environment || counts(a) }
	type pair struct {
		from, to *flow.Actor
		create   bool
	}
	labels := map[pair]map[string]bool{}
	for _, e := range g.Edges {
		if e.Kind == flow.Watch || !in(e.From) || !in(e.To) {
			continue
		}
		p := pair{e.From, e.To, e.Kind == flow.Create}
		if labels[p] == nil {
			labels[p] = map[string]bool{}
		}
		for _, l := range labelsOf(e) {
			labels[p][l] = true
		}
	}
	var s Size
	for _, a := range g.Actors {
		if in(a) && (!a.Environment || slices.ContainsFunc(g.Edges, func(e *flow.Edge) bool {
			return (e.From == a || e.To == a) && in(e.From) && in(e.To)
		})) {
			s.Nodes++
		}
	}
	s.Edges = len(labels)
	for _, l := range labels {
		s.Labels += len(l)
	}
	return s
}

// labelsOf are what travels along one edge, as far as the paper tells it apart: classes, and who lives in the
// references that they hold. So places in the source, which are labels of ours too, do not count.
func labelsOf(e *flow.Edge) []string {
	var ls []string
	if e.Message != "" {
		ls = append(ls, e.Message)
	}
	for _, l := range e.Labels {
		if strings.Contains(l, "=") {
			ls = append(ls, e.Message+"\x00"+l)
		}
	}
	return ls
}
