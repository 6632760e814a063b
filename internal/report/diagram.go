// Package report turns an execution into text that fits a terminal, and into pictures.
//
//	rows.go     which events have a row, what is marked, what went wrong
//	picture.go  what a space-time diagram shows, as plain values; picturearrows.go its messages; states.go its states
//	diagram.go  a picture as text; layout.go its columns; canvas.go one row of it: lifelines, arrows, labels
//	svg.go      a picture as SVG; picturelayout.go where everything is
//	mermaid.go  a picture as a diagram for Mermaid
//	text.go     states of actors, two texts side by side, wrapping
//
// Every line of text is at most as wide as was asked for, whatever the program calls its actors and messages.
package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// Width is the width of reports in runes where nobody says another one; they have LeastWidth to MostWidth.
const (
	Width      = 100
	LeastWidth = 60
	MostWidth  = 240
)

// DefaultRows is the number of steps that a diagram shows.
const DefaultRows = 40

// DiagramOptions say what to show. The zero value shows the last DefaultRows steps of the explored part.
type DiagramOptions struct {
	Test      string           // as in PictureOptions, like what follows
	Pairs     []explain.Pair   // marked (A) and (B), then (C) and (D)
	Draws     []int32          // events in which Go's default decides
	Violation *trace.Violation // printed where it happened
	Rows      int              // as in TextOptions
	Width     int
}

// TextOptions say how to write a picture as text.
type TextOptions struct {
	// at most so many steps, the last ones, and those that are marked; 0: DefaultRows, negative: all that the picture has,
	// with the whole content of all messages
	Rows  int
	Width int // of a line, in runes; 0: Width
}

// Diagram draws a step a row: an arrow from the sender of the message to its receiver, when the message is handled.
func Diagram(tr *trace.Trace, o DiagramOptions) string {
	p := NewPicture(tr, PictureOptions{Test: o.Test, Pairs: o.Pairs, Draws: o.Draws, Violation: o.Violation})
	return p.Text(TextOptions{Rows: o.Rows, Width: o.Width})
}

// Text draws a picture for a terminal.
func (p *Picture) Text(o TextOptions) string {
	t := &text{p: p, o: o, screen: screenOf(o.Width)}
	t.choose()
	t.layout()
	t.header()
	for n, i := range t.rows {
		t.gap(n)
		t.row(i)
	}
	t.end()
	return t.b.String()
}

// text is one drawing.
type text struct {
	p       *Picture
	o       TextOptions
	rows    []int    // that are shown: indexes of those of the picture
	by      []*Arrow // of each row of the picture: the message that it handles, or that is lost in it; nil: none
	columns []column
	column  []int // of each lifeline: its column, -1 if it has none
	between int   // width of a column
	numbers int   // width of the step numbers
	screen  int   // width of all
	b       strings.Builder
}

// marginRight is for marks: at most " (B)(C)✗".
const marginRight = 9

// maxLabel is the number of lines of a label in its row. What is longer is written below the row.
const maxLabel = 4

// choose picks the rows: the last ones, and those that are marked.
func (t *text) choose() {
	left := t.o.Rows
	if left == 0 {
		left = DefaultRows
	}
	for i := len(t.p.Rows) - 1; i > 0; i-- {
		if t.o.Rows < 0 || left > 0 || t.p.Rows[i].Marks != "" {
			t.rows = append(t.rows, i)
		}
		left--
	}
	slices.Reverse(t.rows)
	t.by = make([]*Arrow, len(t.p.Rows))
	for i := range t.p.Arrows {
		if a := &t.p.Arrows[i]; a.Arrived > 0 && a.Kind != "creation" {
			t.by[a.Arrived] = a
		}
	}
	last := 0
	for i := range t.p.Rows {
		last = max(last, t.p.Rows[i].Step)
	}
	t.numbers = len(fmt.Sprint(last)) + 1
}

// skipped is the number of steps that are not shown before the n-th row that is.
func (t *text) skipped(n int) int {
	before := 0
	if n > 0 {
		before = t.step(t.rows[n-1])
	}
	skipped := t.step(t.rows[n]) - before
	if t.p.Rows[t.rows[n]].Step > 0 {
		skipped--
	}
	return skipped
}

// gap says how many steps are not shown before the n-th row that is.
func (t *text) gap(n int) {
	switch skipped := t.skipped(n); {
	case skipped <= 0:
	case n == 0:
		t.println(fmt.Sprintf("%*s %s before", t.numbers, "⋮", steps(skipped)))
	default:
		t.println(fmt.Sprintf("%*s %s not shown", t.numbers, "⋮", steps(skipped)))
	}
}

// step is the number of the step that a row belongs to.
func (t *text) step(row int) int {
	for ; row > 0; row-- {
		if n := t.p.Rows[row].Step; n > 0 {
			return n
		}
	}
	return 0
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// row draws one step and what went wrong in it.
func (t *text) row(i int) {
	r := &t.p.Rows[i]
	lines, below := t.drawn(i)
	if r.Step > 0 {
		lines[0].at(0, fmt.Sprintf("%*d", t.numbers, r.Step))
	}
	mark := ""
	for _, letter := range r.Marks {
		mark += "(" + string(letter) + ")"
	}
	if len(r.Wrong) > 0 {
		mark += "✗"
	}
	if mark != "" {
		lines[0].at(t.screen-marginRight+1, " "+render.Shorten(mark, marginRight-2))
	}
	for _, l := range lines {
		t.println(l.String())
	}
	t.paragraph("·", below)
	for _, text := range r.Wrong {
		t.paragraph("✗", text)
	}
}

// drawn is a row, and what has no room in it: that is for below.
func (t *text) drawn(i int) (lines []*line, below string) {
	r, by := &t.p.Rows[i], t.by[i]
	if r.Lifeline < 0 {
		l := t.newLine(i)
		l.fill(t.numbers+1, t.screen-marginRight, '~')
		l.centre((t.numbers+1+t.screen-marginRight)/2, " "+r.Label+" ")
		return []*line{l}, ""
	}
	sign := ""
	if r.Kind == trace.Fault.String() {
		sign = "! "
	}
	label := sign + strings.TrimPrefix(r.Label, "fault: ")
	if t.isNote(r, by) || t.column[by.From] == t.column[by.To] {
		return t.note(i, t.named(r, by, label))
	}
	return t.arrow(i, by, sign+t.withNames(by))
}

// isNote reports whether a row is about one actor: it handles no message of another one.
func (t *text) isNote(r *Row, by *Arrow) bool {
	return by == nil || by.From == by.To || by.Kind != lost && by.Label != r.Label ||
		by.Kind == lost && by.To == r.Lifeline
}

// lost is the kind of an arrow that does not arrive.
const lost = "lost"

// note writes about one actor.
func (t *text) note(i int, label string) (lines []*line, below string) {
	at := t.middle(t.column[t.p.Rows[i].Lifeline])
	first := t.newLine(i)
	parts, below := t.fit(i, label, first.widest(at))
	left := first.lefter(at, parts)
	if left {
		parts = alike(parts)
	}
	first.note(at, parts[0], left)
	lines = []*line{first}
	for _, part := range parts[1:] {
		l := t.newLine(i)
		l.beside(at, part, left)
		lines = append(lines, l)
	}
	return lines, below
}

// alike gives lines of the same length, so that they begin below each other.
func alike(parts []string) []string {
	longest := 0
	for _, p := range parts {
		longest = max(longest, utf8.RuneCountInString(p))
	}
	for i, p := range parts {
		parts[i] = p + strings.Repeat(" ", longest-utf8.RuneCountInString(p))
	}
	return parts
}

// arrow draws a message from one lifeline to another, with its label on it.
func (t *text) arrow(i int, a *Arrow, label string) (lines []*line, below string) {
	from, to := t.middle(t.column[a.From]), t.middle(t.column[a.To])
	shaft := '─'
	switch a.Kind {
	case "reply":
		shaft = '╌'
	case lost:
		shaft = '┄'
	}
	room := max(from, to) - min(from, to) - 5
	if a.Kind == lost {
		room -= 3
	}
	parts, below := t.fit(i, label, room)
	if from > to {
		parts = alike(parts)
	}
	first := t.newLine(i)
	first.arrow(from, to, strings.TrimRight(parts[0], " "), shaft)
	if a.Kind == lost {
		first.breaks(from, to)
	}
	lines = []*line{first}
	for _, part := range parts[1:] {
		l := t.newLine(i)
		l.label(from, to, part) // below the first
		lines = append(lines, l)
	}
	return lines, below
}

// fit breaks a label into lines. If they are too many, they have only what stands before the content, and the whole is
// for below, where the row matters.
func (t *text) fit(i int, label string, room int) (parts []string, below string) {
	parts = wrap(label, room)
	if len(parts) <= maxLabel {
		return parts, ""
	}
	head := label
	if open := strings.IndexAny(label, "([{"); open > 0 {
		head = label[:open] + string(label[open]) + "…" + closing[label[open]]
	}
	if t.o.Rows < 0 || t.p.Rows[i].Marks != "" || len(t.p.Rows[i].Wrong) > 0 || head == label {
		below = label
	}
	if parts = wrap(head, room); len(parts) > maxLabel {
		parts = parts[:maxLabel]
		parts[maxLabel-1] = render.Shorten(parts[maxLabel-1]+"……", min(room, utf8.RuneCountInString(parts[maxLabel-1])+1))
		below = label
	}
	return parts, below
}

// closing are the brackets that end a content, by those that begin it.
var closing = map[byte]string{'(': ")", '[': "]", '{': "}"}

// named is a label of a row with the name of its actor, where its column does not say it.
func (t *text) named(r *Row, by *Arrow, label string) string {
	shared := t.columns[t.column[r.Lifeline]].shared
	me := t.p.Lifelines[r.Lifeline].Name
	switch {
	case !shared:
		return label
	case by != nil && by.From != by.To && by.Kind != lost:
		return fmt.Sprintf("%s: %s to %s", label, t.p.Lifelines[by.From].Name, t.p.Lifelines[by.To].Name)
	}
	return me + ": " + label
}

// withNames is the label of a message with the names that its columns hide.
func (t *text) withNames(a *Arrow) string {
	label := a.Label
	if a.Kind == lost {
		label = "lost: " + label
	}
	if t.columns[t.column[a.From]].shared {
		label += " from " + t.p.Lifelines[a.From].Name
	}
	if t.columns[t.column[a.To]].shared {
		label += " to " + t.p.Lifelines[a.To].Name
	}
	return label
}

// paragraph writes lines below a row, behind a sign; none if there is no text.
func (t *text) paragraph(sign, text string) {
	if text == "" {
		return
	}
	for i, line := range wrap(text, t.screen-t.numbers-3) {
		if i > 0 {
			sign = " "
		}
		t.println(fmt.Sprintf("%*s %s", t.numbers+1, sign, line))
	}
}

// end prints what is known at the end.
func (t *text) end() {
	for _, text := range t.p.End {
		t.paragraph("✗", "at the end: "+text)
	}
	for _, text := range t.p.Missing {
		letter, rest, _ := strings.Cut(text, ": ")
		for _, line := range wrap("("+letter+") "+rest, t.screen-t.numbers-1) {
			t.println(fmt.Sprintf("%*s %s", t.numbers, "", line))
		}
	}
}

func (t *text) println(s string) {
	t.b.WriteString(strings.TrimRight(render.Shorten(s, t.screen), " "))
	t.b.WriteByte('\n')
}
