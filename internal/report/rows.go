package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file says which events of an execution have a row, what is marked, and what went wrong in them.

// diagram is what is drawn of an execution.
type diagram struct {
	tr    *trace.Trace
	o     PictureOptions
	rows  []int32
	marks map[int32]string
}

// letters mark pairs.
const letters = "ABCDEFGH"

func newDiagram(tr *trace.Trace, o PictureOptions) *diagram {
	d := &diagram{tr: tr, o: o, marks: map[int32]string{}}
	for i, p := range o.Pairs {
		if 2*i+1 < len(letters) {
			d.mark(p.First, letters[2*i])
			d.mark(p.Second, letters[2*i+1])
		}
	}
	d.choose()
	return d
}

func (d *diagram) mark(e int32, letter byte) {
	if e >= 0 && int(e) < len(d.tr.Events) {
		d.marks[e] += string(letter)
	}
}

// choose picks the rows: the last ones that draw something, and those that are marked.
func (d *diagram) choose() {
	left := PictureRows
	for e := len(d.tr.Events) - 1; e >= d.tr.Explored; e-- {
		if !d.draws(int32(e)) {
			continue
		}
		if left--; left >= 0 || d.marks[int32(e)] != "" {
			d.rows = append(d.rows, int32(e))
		}
	}
	slices.Reverse(d.rows)
}

// first is the event of the first row.
func (d *diagram) first() int {
	if len(d.rows) == 0 {
		return len(d.tr.Events)
	}
	return int(d.rows[0])
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
	}
	return ev.Step.Kind != trace.Start && ev.Step.Kind != trace.Send
}

func (d *diagram) violates(e int32) bool {
	return d.o.Violation != nil && d.o.Violation.Event == int(e)
}

// isDefault reports whether Go took its default in the event, and that is not what decides. Most of what Go chooses by
// itself is that.
func (d *diagram) isDefault(e int32) bool {
	s := &d.tr.Events[e].Step
	return s.Kind == trace.Draw && s.Value == 0 && d.marks[e] == "" && !slices.Contains(d.o.Draws, e)
}

// before gives the event of the same part, before e, that gets a row, -1 if there is none.
func (d *diagram) before(e int32) int32 {
	for d.tr.Events[e].Step.Kind == trace.Draw {
		if e--; !d.isDefault(e) && int(e) >= d.tr.Explored && d.draws(e) {
			return e
		}
	}
	return -1
}

// incidentEvents gives the events of which the row of e says what went wrong. That is its own and, where more was drawn
// in that step, all of the step, behind the last row of it.
func (d *diagram) incidentEvents(e int32) (part []int32) {
	draws := func(e int32) bool { return int(e) < len(d.tr.Events) && d.tr.Events[e].Step.Kind == trace.Draw }
	first, last := e, e
	for draws(first) {
		first--
	}
	for draws(last + 1) {
		if last++; d.draws(last) {
			return nil
		}
	}
	for e := first; e <= last; e++ {
		part = append(part, e)
	}
	return part
}

// ownLabel is what a step without a message is called.
func (d *diagram) ownLabel(s *trace.Step) string {
	switch s.Kind {
	case trace.Choose:
		return fmt.Sprintf("chooses %d", s.Value)
	case trace.Start:
		return "starts"
	}
	return s.Kind.String()
}

// label is the type of the message and its content.
func (d *diagram) label(msg *trace.Message) string {
	name := trace.ShortType(msg.Type.Name)
	counted := name
	if msg.Index > 0 {
		counted += fmt.Sprintf(" #%d", msg.Index+1)
	}
	if msg.Value == nil {
		return counted
	}
	return counted + content(name, render.ValueNamed(msg.Value, PictureText, d.tr.ActorName))
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

// wrong are the texts of what went wrong in an event.
func (d *diagram) wrong(e int32) (texts []string) {
	ins := d.tr.Events[e].Incidents
	of := -1
	if d.violates(e) {
		of = d.violating(e, ins)
	}
	for i := range ins {
		text := ins[i].Kind.String() + ": " + d.tr.IncidentText(int(e), &ins[i])
		if i == of {
			text = d.o.Violation.String()
		} else if ins[i].Where != "" {
			text += " (" + ins[i].Where + ")"
		}
		texts = append(texts, text)
	}
	if d.violates(e) && of < 0 {
		texts = append(texts, d.o.Violation.String())
	}
	return texts
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
