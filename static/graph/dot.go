package graph

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// writeDOT gives the picture in the language of Graphviz.
func writeDOT(d Document) ([]byte, error) {
	p := draw(d)
	var b strings.Builder
	b.WriteString("digraph messages {\n")
	b.WriteString("  rankdir=LR; ranksep=0.8; nodesep=0.35;\n")
	b.WriteString("  graph [fontname=\"Helvetica\", fontsize=11, style=rounded, color=gray60];\n")
	b.WriteString("  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n")
	if len(d.Graph.Partial) > 0 {
		fmt.Fprintf(&b, "  label=%s; labelloc=t;\n", quoteDOT(partialTitle(d.Graph)))
	}
	for _, n := range p.outside {
		dotNode(&b, "  ", n)
	}
	for i, c := range p.clusters {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s;\n", i, quoteDOT(c.name))
		for _, n := range c.nodes {
			dotNode(&b, "    ", n)
		}
		b.WriteString("  }\n")
	}
	for _, a := range p.arrows {
		dotArrow(&b, a)
	}
	b.WriteString("}\n")
	return []byte(b.String()), nil
}

func dotNode(b *strings.Builder, indent string, n *node) {
	attributes := []string{"label=" + quoteDOT(title(n.actor))}
	if n.actor.Environment {
		attributes = append(attributes, "shape=ellipse", "style=dashed")
	}
	if n.actor.Receptionist {
		attributes = append(attributes, "peripheries=2")
	}
	if n.red {
		attributes = append(attributes, "color=red")
	}
	if n.actor.Pos != "" {
		attributes = append(attributes, "tooltip="+quoteDOT(n.actor.Pos))
	}
	fmt.Fprintf(b, "%s%s [%s];\n", indent, n.id, strings.Join(attributes, ", "))
}

func dotArrow(b *strings.Builder, a *arrow) {
	var attributes []string
	if len(a.lines) > 0 {
		attributes = append(attributes, "label="+quoteDOT(strings.Join(a.lines, "\n")))
	}
	switch a.line {
	case creation:
		attributes = append(attributes, "style=dashed", "arrowhead=empty")
	case answer:
		attributes = append(attributes, "style=dotted")
	case watching:
		attributes = append(attributes, "style=dotted", "arrowhead=odot")
	}
	switch {
	case a.red:
		attributes = append(attributes, "color=red", "fontcolor=red")
	case a.line == watching:
		attributes = append(attributes, "color=gray50", "fontcolor=gray50")
	}
	fmt.Fprintf(b, "  %s -> %s", a.from.id, a.to.id)
	if len(attributes) > 0 {
		fmt.Fprintf(b, " [%s]", strings.Join(attributes, ", "))
	}
	b.WriteString(";\n")
}

// visible escapes what cannot be seen, but for the line ends and tabs of a name, which the formats write in their own
// way.
func visible(s string) string {
	return trace.Visible(strings.NewReplacer("\x00", "", "\r", " ").Replace(s))
}

// quoteDOT makes a string of the language that is shown as it is. A backslash would begin an escape such as \N, and in
// attributes that are shown an ampersand would begin an entity.
func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", " ", "\t", " ", "\x00", "", "&",
		"&amp;").Replace(visible(s)) + `"`
}
