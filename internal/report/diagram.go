// Package report turns an execution into text that fits a terminal, and into pictures.
//
//	diagram.go  the sequence diagram: which rows, which columns, what is marked
//	layout.go   which actor has which column
//	fault.go    the rows of injected faults
//	draw.go     those of what Go chose by itself
//	canvas.go   one row of it: lifelines, arrows, labels
//	text.go     states of actors, two texts side by side, wrapping
//	picture.go  what a space-time diagram shows, as plain values; picturelayout.go where that is; svg.go draws it
//
// Every line of text is at most Width runes, whatever the program calls its actors and messages.
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

// Width is the width of reports in runes.
const Width = 100

// DefaultRows is the number of steps that a diagram shows.
const DefaultRows = 40

// DiagramOptions say what to show. The zero value shows the last DefaultRows steps of the explored part.
type DiagramOptions struct {
	Pairs []explain.Pair // marked (A) and (B), then (C) and (D)
	// events in which Go's default decides: they get rows, as those in which Go chose anything else
	Draws     []int32
	From, To  int              // events; To 0: to the end
	Rows      int              // at most so many steps, and those of Pairs; 0: DefaultRows, negative: all
	States    map[int32]string // printed below, by actor
	Violation *trace.Violation // printed where it happened
	Sends     bool             // draw the steps that put captured sends into mailboxes
}

// Diagram draws a step a row, when it is taken: an arrow from the sender of the message to its receiver.
func Diagram(tr *trace.Trace, o DiagramOptions) string {
	d := newDiagram(tr, o)
	d.header()
	for i, e := range d.rows {
		before := o.From
		if i > 0 {
			before = int(d.rows[i-1]) + 1
		}
		d.gap(before, int(e), i == 0)
		d.row(e)
	}
	d.end()
	return d.b.String()
}

// diagram is one drawing.
type diagram struct {
	tr      *trace.Trace
	o       DiagramOptions
	rows    []int32
	columns []column
	column  []int // of each actor: its column, -1 if it has none
	width   int   // of a column
	numbers int   // width of the step numbers
	marks   map[int32]string
	b       strings.Builder
}

// column is a lifeline: of one actor, or of all those that found no room.
type column struct {
	name   string
	born   int32 // event
	shared bool
}

// letters mark pairs.
const letters = "ABCDEFGH"

// marginRight is for marks: at most " (B)(C)✗".
const marginRight = 9

func newDiagram(tr *trace.Trace, o DiagramOptions) *diagram {
	d := &diagram{tr: tr, o: o, marks: map[int32]string{}}
	for i, p := range o.Pairs {
		if 2*i+1 < len(letters) {
			d.mark(p.First, letters[2*i])
			d.mark(p.Second, letters[2*i+1])
		}
	}
	if d.o.To <= 0 || d.o.To > len(tr.Events) {
		d.o.To = len(tr.Events)
	}
	d.o.From = max(d.o.From, tr.Explored, 0)
	d.choose()
	d.numbers = len(fmt.Sprint(len(tr.Events)-tr.Explored)) + 1
	d.layout()
	return d
}

func (d *diagram) mark(e int32, letter byte) {
	if e >= 0 && int(e) < len(d.tr.Events) {
		d.marks[e] += "(" + string(letter) + ")"
	}
}

// choose picks the rows: the last ones that draw something, and those that are marked.
func (d *diagram) choose() {
	most := d.o.Rows
	if most == 0 {
		most = DefaultRows
	}
	left := most
	for e := d.o.To - 1; e >= d.o.From; e-- {
		if !d.draws(int32(e)) {
			continue
		}
		if left--; most < 0 || left >= 0 || d.marks[int32(e)] != "" {
			d.rows = append(d.rows, int32(e))
		}
	}
	slices.Reverse(d.rows)
}

// draws reports whether the event gets a row. Releases of captured sends, the start, and Go's defaults do only if they
// matter.
func (d *diagram) draws(e int32) bool {
	ev := &d.tr.Events[e]
	switch {
	case d.isDefault(e) && d.before(e) >= 0:
		return false // what happens in it is told of the row before
	case d.marks[e] != "" || len(ev.Incidents) > 0 || d.violates(e):
		return true
	case ev.Step.Kind == trace.Send:
		return d.o.Sends
	}
	return ev.Step.Kind != trace.Start
}

func (d *diagram) violates(e int32) bool {
	return d.o.Violation != nil && d.o.Violation.Event == int(e)
}

// header names the columns. It is repeated nowhere: diagrams are short.
func (d *diagram) header() {
	line := d.newLine(0)
	for c := range d.columns {
		line.centre(d.middle(c), render.Shorten(d.columns[c].name, d.width-1))
	}
	d.println(line.String())
}

// gap says how many steps are not shown between two rows.
func (d *diagram) gap(from, to int, first bool) {
	n := 0
	for e := from; e < to; e++ {
		if d.draws(int32(e)) {
			n++
		}
	}
	switch {
	case n == 0:
	case first:
		d.println(fmt.Sprintf("%*s %s before", d.numbers, "⋮", steps(n)))
	default:
		d.println(fmt.Sprintf("%*s %s not shown", d.numbers, "⋮", steps(n)))
	}
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// row draws one event and what went wrong in it.
func (d *diagram) row(e int32) {
	line := d.newLine(e)
	line.at(0, fmt.Sprintf("%*d", d.numbers, int(e)-d.tr.Explored+1))
	below := d.step(line, e)
	mark := d.marks[e]
	part := d.incidentEvents(e)
	if slices.ContainsFunc(part, func(e int32) bool { return len(d.tr.Events[e].Incidents) > 0 || d.violates(e) }) {
		mark += "✗"
	}
	if mark != "" {
		line.at(Width-marginRight+1, " "+render.Shorten(mark, marginRight-2))
	}
	d.println(line.String())
	d.paragraph("·", below)
	for _, e := range part {
		d.failures(e)
	}
}

// step draws the step itself. below is what has no room in its row.
func (d *diagram) step(line *line, e int32) (below string) {
	s := &d.tr.Events[e].Step
	here := d.column[s.Actor]
	if s.Kind == trace.Advance {
		line.fill(d.numbers+1, Width-marginRight, '~')
		line.centre((d.numbers+1+Width-marginRight)/2, " the clock advances to "+trace.Moment(d.tr.Events[e].Time)+" ")
		return ""
	}
	if s.Kind == trace.Fault {
		d.fault(line, s)
		return ""
	}
	if s.Kind == trace.Draw {
		return d.draw(line, s)
	}
	if s.Message < 0 {
		line.note(d.middle(here), d.ownLabel(s))
		return ""
	}
	msg := &d.tr.Messages[s.Message]
	from, to := d.column[msg.Sender], d.column[msg.Receiver]
	label := d.label(msg, d.room(msg, ""))
	switch {
	case s.Kind == trace.Timer:
		line.note(d.middle(here), "timer fires "+label)
	case s.Kind == trace.Resume:
		line.note(d.middle(here), "resumes "+label)
	case msg.Kind == trace.End:
		line.note(d.middle(here), "is gone")
	case msg.Kind == trace.Hook:
		line.note(d.middle(here), trace.ShortType(msg.Type.Name))
	case from == to:
		line.note(d.middle(here), d.withNames(msg, label, here))
	case s.Kind == trace.Send:
		line.arrow(d.middle(from), d.middle(to), "send "+label, '┄')
	case s.Kind == trace.Reply:
		line.arrow(d.middle(from), d.middle(to), label, '╌')
	default:
		line.arrow(d.middle(from), d.middle(to), d.withNames(msg, label, -1), '─')
	}
	return ""
}

// room is what a row has for the label of a message behind some other text, in runes.
func (d *diagram) room(msg *trace.Message, behind string) int {
	from, to := d.column[msg.Sender], d.column[msg.Receiver]
	room := Width / 3 // of a note
	if from != to {
		room = max(from, to)*d.width - min(from, to)*d.width - 5
	}
	return room - utf8.RuneCountInString(behind)
}

func (d *diagram) ownLabel(s *trace.Step) string {
	switch s.Kind {
	case trace.Choose:
		return fmt.Sprintf("chooses %d", s.Value)
	case trace.Start:
		return "starts"
	}
	return s.Kind.String()
}

// label is the type of the message and its content, or the type alone where that has no room.
func (d *diagram) label(msg *trace.Message, room int) string {
	name := trace.ShortType(msg.Type.Name)
	if msg.Index > 0 {
		name += fmt.Sprintf(" [%d]", msg.Index)
	}
	if msg.Value == nil {
		return name
	}
	full := name + content(trace.ShortType(msg.Type.Name), render.ValueNamed(msg.Value, Width, d.tr.ActorName))
	if utf8.RuneCountInString(full) > room {
		return name
	}
	return full
}

// content puts the value of a message behind its type, which it need not repeat; a single field needs no name.
func content(name, v string) string {
	v = strings.TrimPrefix(strings.TrimPrefix(v, "&"), name)
	switch {
	case v == "{}" || v == "" || v == "nil":
		return ""
	case strings.HasPrefix(v, "{") && strings.HasSuffix(v, "}") && strings.Count(v, ":") == 1:
		return "(" + v[strings.IndexByte(v, ':')+1:len(v)-1] + ")"
	case strings.HasPrefix(v, "{") || strings.HasPrefix(v, "["):
		return v
	}
	return "(" + v + ")"
}

// withNames adds the names that the column of the others hides.
func (d *diagram) withNames(msg *trace.Message, label string, same int) string {
	from, to := d.columns[d.column[msg.Sender]].shared, d.columns[d.column[msg.Receiver]].shared
	switch {
	case same >= 0 && from && msg.Sender != msg.Receiver:
		return fmt.Sprintf("%s: %s to %s", label, d.tr.ActorName(msg.Sender), d.tr.ActorName(msg.Receiver))
	case from:
		return label + " of " + d.tr.ActorName(msg.Sender)
	case to:
		return label + " to " + d.tr.ActorName(msg.Receiver)
	}
	return label
}

// failures prints what went wrong in the event.
func (d *diagram) failures(e int32) {
	for _, text := range d.wrong(e) {
		d.failure(text)
	}
}

// violating is the incident that the violation is: of those of its kind the one with its text and place, else the
// first; -1 if there is none.
func (d *diagram) violating(e int32, ins []trace.Incident) int {
	v := d.o.Violation
	if i := slices.IndexFunc(ins, func(in trace.Incident) bool {
		return in.Kind == v.Kind && in.Where == v.Where && d.tr.IncidentText(int(e), &in) == v.Text
	}); i >= 0 {
		return i
	}
	return slices.IndexFunc(ins, func(in trace.Incident) bool { return in.Kind == v.Kind })
}

func (d *diagram) failure(text string) { d.paragraph("✗", text) }

// paragraph writes lines below a row, behind a sign; none if there is no text.
func (d *diagram) paragraph(sign, text string) {
	if text == "" {
		return
	}
	for i, line := range wrap(text, Width-d.numbers-3) {
		if i > 0 {
			sign = " "
		}
		d.println(fmt.Sprintf("%*s %s", d.numbers+1, sign, line))
	}
}

// end prints what is known at the end.
func (d *diagram) end() {
	if v := d.o.Violation; v != nil && v.Event >= len(d.tr.Events) && d.o.To == len(d.tr.Events) {
		d.failure("at the end: " + v.String())
	}
	for i, p := range d.o.Pairs {
		if p.Second < 0 && p.SecondName != "" && 2*i+1 < len(letters) {
			for _, line := range wrap(fmt.Sprintf("(%c) %s was not handled in this run", letters[2*i+1], p.SecondName),
				Width-d.numbers-1) {
				d.println(fmt.Sprintf("%*s %s", d.numbers, "", line))
			}
		}
	}
	if len(d.o.States) > 0 {
		var list []ActorState
		for a := range d.tr.Actors {
			if s, ok := d.o.States[int32(a)]; ok {
				list = append(list, ActorState{d.tr.ActorName(int32(a)), s})
			}
		}
		d.b.WriteString(States(list))
	}
}

func (d *diagram) println(s string) {
	d.b.WriteString(strings.TrimRight(render.Shorten(s, Width), " "))
	d.b.WriteByte('\n')
}
