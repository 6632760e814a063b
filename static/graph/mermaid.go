package graph

import (
	"fmt"
	"strings"
)

// writeMermaid gives the picture as a flowchart of Mermaid, which code hosts draw in Markdown.
func writeMermaid(d Document) ([]byte, error) {
	p := draw(d)
	var b strings.Builder
	if len(d.Graph.Partial) > 0 {
		fmt.Fprintf(&b, "%%%% %s\n", oneLine(partialTitle(d.Graph)))
	}
	b.WriteString("flowchart LR\n")
	for _, n := range p.outside {
		mermaidNode(&b, "  ", n)
	}
	for i, c := range p.clusters {
		fmt.Fprintf(&b, "  subgraph c%d[%s]\n", i, quoteMermaid(c.name))
		for _, n := range c.nodes {
			mermaidNode(&b, "    ", n)
		}
		b.WriteString("  end\n")
	}
	var red []string
	for i, a := range p.arrows {
		mermaidArrow(&b, a)
		if a.red {
			red = append(red, fmt.Sprint(i))
		}
	}
	if len(red) > 0 {
		fmt.Fprintf(&b, "  linkStyle %s stroke:red,color:red\n", strings.Join(red, ","))
	}
	return []byte(b.String()), nil
}

func mermaidNode(b *strings.Builder, indent string, n *node) {
	open, closing := "[", "]"
	switch {
	case n.actor.Environment:
		open, closing = "([", "])"
	case n.actor.Receptionist:
		open, closing = "[[", "]]"
	}
	fmt.Fprintf(b, "%s%s%s%s%s\n", indent, n.id, open, quoteMermaid(title(n.actor)), closing)
	if n.red {
		fmt.Fprintf(b, "%sstyle %s stroke:red\n", indent, n.id)
	}
}

func mermaidArrow(b *strings.Builder, a *arrow) {
	shaft := "-->"
	switch a.line {
	case creation:
		shaft = "-.->"
		a.lines = append([]string{"creates"}, a.lines...) // Mermaid has no dashes beside its dots
	case answer, watching:
		shaft = "-.->"
	}
	label := ""
	if len(a.lines) > 0 {
		var quoted []string
		for _, l := range a.lines {
			quoted = append(quoted, escapeMermaid(l))
		}
		label = `|"` + strings.Join(quoted, "<br/>") + `"|`
	}
	fmt.Fprintf(b, "  %s %s%s %s\n", a.from.id, shaft, label, a.to.id)
}

func quoteMermaid(s string) string { return `"` + escapeMermaid(s) + `"` }

// escapeMermaid writes what HTML, Markdown or Mermaid would read as its own as entities, which Mermaid begins with #.
func escapeMermaid(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		switch {
		case r < ' ':
			b.WriteByte(' ')
		case strings.ContainsRune("\"#&<>`|\\_*~;{}$", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
