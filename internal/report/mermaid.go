package report

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
)

// This file writes a picture as a sequence diagram for Mermaid, which GitHub and GitLab draw in Markdown.

// mermaidLabel is how much of a label is drawn, in runes: Mermaid does not wrap.
const mermaidLabel = 60

// Mermaid writes a picture as a sequence diagram: at most so many steps, the last ones, and those that are marked; 0 is
// DefaultRows, negative all. A message is drawn when it is handled. All that comes from the program under test is text.
func (p *Picture) Mermaid(rows int) string {
	t := &text{p: p, o: TextOptions{Rows: rows}, screen: Width}
	t.choose()
	m := &mermaid{text: t}
	m.participants()
	for n, i := range t.rows {
		if skipped := t.skipped(n); skipped > 0 {
			m.over(m.all(), "… "+steps(skipped)+" not shown")
		}
		m.row(i)
	}
	for _, text := range p.End {
		m.over(m.all(), "✗ at the end: "+text)
	}
	for _, text := range p.Missing {
		m.over(m.all(), text)
	}
	return m.b.String()
}

type mermaid struct {
	*text
	shown []int // lifelines
	b     strings.Builder
}

// participants names the actors that take part, by numbers: names could be words of Mermaid's.
func (m *mermaid) participants() {
	m.b.WriteString("sequenceDiagram\n")
	for a, w := range m.weights() {
		if w > 0 {
			m.shown = append(m.shown, a)
			m.line("participant a%d as %s", a, asText(render.Shorten(m.p.Lifelines[a].Name, mermaidLabel)))
		}
	}
	if len(m.shown) == 0 {
		m.shown = []int{0}
		m.line("participant a0 as %s", asText(m.p.Lifelines[0].Name))
	}
}

func (m *mermaid) line(format string, args ...any) { fmt.Fprintf(&m.b, "    "+format+"\n", args...) }

// all is the place of a note over all actors.
func (m *mermaid) all() string {
	first, last := m.shown[0], m.shown[len(m.shown)-1]
	if first == last {
		return fmt.Sprintf("a%d", first)
	}
	return fmt.Sprintf("a%d,a%d", first, last)
}

func (m *mermaid) over(place, text string) {
	m.line("Note over %s: %s", place, asText(render.Shorten(text, 2*mermaidLabel)))
}

func (m *mermaid) row(i int) {
	r, by := &m.p.Rows[i], m.by[i]
	label := strings.TrimPrefix(r.Label, "fault: ")
	if r.Kind == "fault" {
		label = "! " + label
	}
	if r.Step > 0 {
		label = fmt.Sprintf("%d. %s", r.Step, label)
	}
	label = render.Shorten(label, mermaidLabel)
	for _, letter := range r.Marks {
		label += " (" + string(letter) + ")"
	}
	switch {
	case r.Lifeline < 0:
		m.over(m.all(), label)
	case m.isNote(r, by):
		m.over(fmt.Sprintf("a%d", r.Lifeline), label)
	default:
		arrow := map[string]string{"reply": "-->>", lost: "-x"}[by.Kind]
		if arrow == "" {
			arrow = "->>"
		}
		m.line("a%d%sa%d: %s", by.From, arrow, by.To, asText(label))
	}
	for _, text := range r.Wrong {
		m.over(m.all(), "✗ "+text)
	}
}

// asText is a text that means nothing to Mermaid, to Markdown, or to HTML. What is no letter, no digit and not one of a
// few signs becomes its number. So does a letter of the word that would end a block.
func asText(s string) string {
	var b strings.Builder
	for i, r := range s {
		word := strings.ToLower(s[i:min(i+3, len(s))])
		switch {
		case word == "end":
			fmt.Fprintf(&b, "#%d;", r)
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" .,()/_-", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
