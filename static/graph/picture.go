package graph

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/static/flow"
)

// picture is what DOT and Mermaid draw: actors in a cluster for each package, and between two actors one arrow for
// each line style, so that forty actors stay readable.
type picture struct {
	outside  []*node // environment
	clusters []cluster
	arrows   []*arrow
}

type cluster struct {
	name  string // import path
	nodes []*node
}

type node struct {
	id    string // n0, n1: by place in the graph
	actor *flow.Actor
	red   bool
}

// line is the style of an arrow.
type line int

const (
	creation line = iota // dashed
	message              // solid
	answer               // dotted
	watching             // dotted too, in grey
)

type arrow struct {
	from, to *node
	line     line
	lines    []string // of the label
	red      bool
}

// maxLines bounds the label of an arrow. The text and JSON have all of it.
const maxLines = 12

func draw(d Document) picture {
	var p picture
	red := suspects(d)
	nodes := map[*flow.Actor]*node{}
	for i, a := range d.Graph.Actors {
		n := &node{id: fmt.Sprintf("n%d", i), actor: a}
		nodes[a] = n
		p.place(n)
	}
	at := map[[3]any]*arrow{}
	for i, e := range d.Graph.Edges {
		key := [3]any{e.From, e.To, lineOf(e)}
		a, ok := at[key]
		if !ok {
			a = &arrow{from: nodes[e.From], to: nodes[e.To], line: lineOf(e)}
			at[key] = a
			p.arrows = append(p.arrows, a)
		}
		a.red = a.red || red.edges[i]
		if s := caption(e); s != "" && !slices.Contains(a.lines, s) {
			a.lines = append(a.lines, s)
		}
	}
	for _, a := range p.arrows {
		slices.Sort(a.lines)
		if n := len(a.lines); n > maxLines {
			a.lines = append(a.lines[:maxLines-1], fmt.Sprintf("and %d more", n-maxLines+1))
		}
	}
	for a, n := range nodes {
		n.red = red.actors[a]
	}
	return p
}

// place puts a node into the cluster of its package.
func (p *picture) place(n *node) {
	if n.actor.Environment {
		p.outside = append(p.outside, n)
		return
	}
	i := slices.IndexFunc(p.clusters, func(c cluster) bool { return c.name == n.actor.Pkg })
	if i < 0 {
		i = len(p.clusters)
		p.clusters = append(p.clusters, cluster{name: n.actor.Pkg})
	}
	p.clusters[i].nodes = append(p.clusters[i].nodes, n)
}

func lineOf(e *flow.Edge) line {
	switch e.Kind {
	case flow.Create:
		return creation
	case flow.Respond:
		return answer
	case flow.Watch:
		return watching
	}
	return message
}

// caption is the line that an edge adds to its arrow's label.
func caption(e *flow.Edge) string {
	switch e.Kind {
	case flow.Create:
		return ""
	case flow.Watch:
		return "watches"
	case flow.Send, flow.Respond:
		return e.Message
	case flow.Request:
		return e.Message + " " + request(e)
	case flow.Forward:
		return e.Message + " (forwarded)"
	case flow.Timer:
		return e.Message + " (timer)"
	}
	return e.Message + " (" + string(e.Kind) + ")"
}

// request says how an answer is waited for.
func request(e *flow.Edge) string {
	switch {
	case e.Blocking && e.Timeout:
		return "(request, waits until a timeout)"
	case e.Blocking:
		return "(request, waits)"
	}
	return "(request)"
}

// marks are what pictures draw in red.
type marks struct {
	edges  map[int]bool
	actors map[*flow.Actor]bool
}

func suspects(d Document) marks {
	m := marks{map[int]bool{}, map[*flow.Actor]bool{}}
	if d.Findings == nil {
		return m
	}
	for _, f := range d.Findings.Findings {
		for _, e := range f.Edges {
			m.edges[e] = true
		}
		for _, a := range f.Actors {
			m.actors[a] = true
		}
	}
	return m
}

// title is what a node says.
func title(a *flow.Actor) string {
	if a.Environment {
		return "environment"
	}
	return a.Name
}
