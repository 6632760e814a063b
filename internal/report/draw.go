package report

import (
	"slices"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/trace"
)

// This file draws what Go chose by itself. Most of it is Go's default, and decides nothing: that has no row.

// isDefault reports whether Go took its default in the event, and that is not what decides.
func (d *diagram) isDefault(e int32) bool {
	s := &d.tr.Events[e].Step
	return s.Kind == trace.Draw && s.Value == 0 && d.marks[e] == "" && !slices.Contains(d.o.Draws, e)
}

// before gives the event of the same part, before e, that gets a row, -1 if there is none.
func (d *diagram) before(e int32) int32 {
	for d.tr.Events[e].Step.Kind == trace.Draw {
		if e--; !d.isDefault(e) && int(e) >= d.o.From && d.draws(e) {
			return e
		}
	}
	return -1
}

// incidentEvents gives the events of which the row of e says what went wrong. That is its own and, where more was drawn
// in that step, all of the step, behind the last row of it.
func (d *diagram) incidentEvents(e int32) (part []int32) {
	draws := func(e int32) bool { return int(e) < d.o.To && d.tr.Events[e].Step.Kind == trace.Draw }
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

// draw says what Go chose by itself, below the row if there is no room.
func (d *diagram) draw(line *line, s *trace.Step) (below string) {
	at, what := d.middle(d.column[s.Actor]), d.tr.DrawName(*s)
	if d.columns[d.column[s.Actor]].shared {
		what = d.tr.ActorName(s.Actor) + ": " + what
	}
	if utf8.RuneCountInString(what) <= line.widest(at) {
		line.note(at, what)
		return ""
	}
	line.note(at, "Go chooses")
	return what
}
