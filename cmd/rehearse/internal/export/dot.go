package export

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/report"
)

// writeDOT writes one digraph an execution: a node for each step, in a cluster for each actor, and an edge for each
// message.
func writeDOT(es []Execution) ([]byte, error) {
	var b strings.Builder
	for _, e := range es {
		d := &dot{p: e.Picture}
		d.f("digraph %s {\n", e.Name)
		d.f("  label=%s;\n  rankdir=TB;\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n",
			e.Picture.Title)
		d.nodes()
		d.edges()
		d.end()
		d.f("}\n")
		b.WriteString(d.b.String())
	}
	return []byte(b.String()), nil
}

type dot struct {
	p *report.Picture
	b strings.Builder
	// of each lifeline, its rows; those of nobody are at -1
	rows map[int][]int
}

// f writes with texts in the place of %s, each a quoted string of DOT.
func (d *dot) f(format string, texts ...string) {
	args := make([]any, len(texts))
	for i, s := range texts {
		args[i] = quote(s)
	}
	fmt.Fprintf(&d.b, format, args...)
}

// quote makes a string of DOT, in which a backslash begins an escape.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line(s)) + `"`
}

func (d *dot) nodes() {
	d.rows = map[int][]int{}
	for i := range d.p.Rows {
		h := d.p.Rows[i].Lifeline
		if i == 0 {
			h = 0
		}
		d.rows[h] = append(d.rows[h], i)
	}
	for h := range d.p.Lifelines {
		if len(d.rows[h]) == 0 && !d.touched(h) {
			continue
		}
		d.f("  subgraph %s {\n    label=%s;\n", "cluster_"+number(h), d.p.Lifelines[h].Name)
		for _, i := range d.rows[h] {
			d.node(i)
		}
		if len(d.rows[h]) == 0 {
			d.f("    %s [label=%s, style=dotted];\n", waiting(h), "handles nothing")
		}
		d.f("  }\n")
	}
	for _, i := range d.rows[-1] {
		d.node(i)
	}
}

// waiting is the node of an actor that takes no step: messages that it does not handle end there.
func waiting(h int) string { return "w" + number(h) }

// touched reports whether a message goes to or from an actor.
func (d *dot) touched(h int) bool {
	for i := range d.p.Arrows {
		if d.p.Arrows[i].From == h || d.p.Arrows[i].To == h {
			return true
		}
	}
	return false
}

func (d *dot) node(i int) {
	r := &d.p.Rows[i]
	colour := "black"
	switch {
	case len(r.Wrong) > 0:
		colour = "red"
	case r.Marks != "":
		colour = "orange"
	}
	d.f("    %s [label=%s, color=%s];\n", "s"+number(i), told(r), colour)
}

// edges are the order of each actor's steps, and the messages.
func (d *dot) edges() {
	for h := -1; h < len(d.p.Lifelines); h++ {
		for k := 1; k < len(d.rows[h]); k++ {
			d.f("  %s -> %s [style=dotted, arrowhead=none, weight=8];\n", "s"+number(d.rows[h][k-1]), "s"+number(d.rows[h][k]))
		}
	}
	for i := range d.p.Arrows {
		a := &d.p.Arrows[i]
		style := map[string]string{"reply": "dashed", "creation": "dotted", "lost": "dashed", "timeout": "dashed"}[a.Kind]
		if style == "" {
			style = "solid"
		}
		if a.Arrived < 0 {
			style = "dashed"
		}
		colour := "black"
		if a.Marks != "" {
			colour = "orange"
		}
		d.f("  %s -> %s [label=%s, style=%s, color=%s];\n", d.at(a.From, a.Sent), d.to(a), a.Label, style, colour)
	}
}

// end is a node for each line that is about the whole execution, below the last step.
func (d *dot) end() {
	last := ""
	if n := len(d.p.Rows); n > 0 {
		last = "s" + number(n-1)
	}
	for i, text := range closing(d.p) {
		node, colour := "e"+number(i), "black"
		if strings.HasPrefix(text, "✗") {
			colour = "red"
		}
		d.f("  %s [label=%s, shape=note, color=%s];\n", node, text, colour)
		if last != "" {
			d.f("  %s -> %s [style=invis];\n", last, node)
		}
		last = node
	}
}

// at is the node of the last step that an actor took up to a row.
func (d *dot) at(h, row int) string {
	node := waiting(h)
	for _, i := range d.rows[h] {
		if i <= row {
			node = "s" + number(i)
		}
	}
	if node == waiting(h) && len(d.rows[h]) > 0 {
		node = "s" + number(d.rows[h][0])
	}
	return node
}

// to is the node at which an arrow ends: of a message that was not handled, the receiver's last step.
func (d *dot) to(a *report.Arrow) string {
	if a.Arrived < 0 || a.Kind == "creation" {
		return d.at(a.To, len(d.p.Rows))
	}
	return "s" + number(a.Arrived)
}
