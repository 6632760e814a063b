package record

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/report"
)

// stepTable is an execution step by step. The states of actors are told before and after each step.
type stepTable struct {
	p     *report.Picture
	state []string // of each lifeline, before the row that comes next
}

func newStepTable(p *report.Picture) *stepTable {
	return &stepTable{p: p, state: make([]string, len(p.Lifelines))}
}

// steps writes the table of an execution, one row a step.
func (w *writer) steps(p *report.Picture, id string) {
	t := newStepTable(p)
	w.f(`<div class="wide" tabindex="0" role="region" aria-label="step by step"><table class="steps">` + "\n<thead><tr>")
	titles := []string{"step", "actor", "what it handles", "from", ""}
	if p.Looked {
		titles = append(titles, "states, before and after")
	}
	for _, title := range titles {
		w.f(`<th scope="col">%s</th>`, title)
	}
	w.f("</tr></thead>\n<tbody>\n")
	for i := range p.Rows {
		r := &p.Rows[i]
		if i == 0 {
			if p.Looked && len(r.States) > 0 {
				w.f(`<tr><td></td><td colspan="4" class="mute">before the first step</td><td>`)
				t.states(w, r)
				w.f("</td></tr>\n")
			}
			continue
		}
		w.f(`<tr id="%s-row-%s" class="%s">`, id, fmt.Sprint(i), rowClass(r))
		w.f(`<td>%s</td><td>%s</td><td>%s`, number(r), t.actor(r), r.Label)
		for _, wrong := range r.Wrong {
			w.f(`<br/><span class="bad">✗ %s</span>`, wrong)
		}
		w.f(`</td><td>%s</td><td class="mark">%s</td>`, r.From, strings.Join(strings.Split(r.Marks, ""), " "))
		if p.Looked {
			w.f("<td>")
			t.states(w, r)
			w.f("</td>")
		}
		w.f("</tr>\n")
	}
	w.f("</tbody></table></div>\n")
	w.unseen(p)
}

// number is that of a step, "" if it is a part of the step before.
func number(r *report.Row) string {
	if r.Step == 0 {
		return ""
	}
	return fmt.Sprint(r.Step)
}

func rowClass(r *report.Row) string {
	switch {
	case len(r.Wrong) > 0:
		return "wrongrow"
	case r.Marks != "":
		return "markrow"
	}
	return ""
}

// actor names whose step it is.
func (t *stepTable) actor(r *report.Row) string {
	if r.Lifeline < 0 {
		return ""
	}
	return t.p.Lifelines[r.Lifeline].Name
}

// states tells the state of the actor that takes the step, and of all others that the step has changed.
func (t *stepTable) states(w *writer, r *report.Row) {
	own := false
	for _, s := range r.States {
		before := t.state[s.Lifeline]
		t.state[s.Lifeline] = s.Text
		own = own || s.Lifeline == r.Lifeline
		w.f(`<div class="state"><span class="mute">%s:</span> <code>`, t.p.Lifelines[s.Lifeline].Name)
		if before == "" {
			w.f("%s", s.Text)
		} else {
			w.change(before, s.Text)
		}
		w.f("</code></div>\n")
	}
	if own || r.Lifeline <= 0 {
		return
	}
	l := &t.p.Lifelines[r.Lifeline]
	switch {
	case l.Unseen != "":
		w.f(`<div class="mute">not seen</div>`)
	case t.state[r.Lifeline] != "":
		w.f(`<div class="state mute">unchanged: <code>%s</code></div>`, t.state[r.Lifeline])
	}
}

// unseen says whose states are not told, and why.
func (w *writer) unseen(p *report.Picture) {
	if !p.Looked {
		w.f(`<p class="mute">The states of actors were not looked at in this execution.</p>` + "\n")
		return
	}
	var why []string
	of := map[string][]string{}
	for i := range p.Lifelines {
		l := &p.Lifelines[i]
		if l.Unseen == "" {
			continue
		}
		if of[l.Unseen] == nil {
			why = append(why, l.Unseen)
		}
		of[l.Unseen] = append(of[l.Unseen], l.Name)
	}
	for _, reason := range why {
		w.f(`<p class="mute">Not seen: the state of %s (%s).</p>`+"\n", few(of[reason]), reason)
	}
	for _, note := range p.Notes {
		w.f(`<p class="mute">%s</p>`+"\n", note)
	}
}

// few joins names, the first ones of many.
func few(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
