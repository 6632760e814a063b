package record

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/report"
)

// Long stretches in which both executions take the same steps are left out, but for some steps at their ends.
const (
	alikeFrom = 12
	alikeNear = 3
)

// beside writes two executions next to each other. Steps that both take at the same place share a row. A step that both
// take at different places stands in both columns, and says so.
func (w *writer) beside(failing, passing *report.Picture) {
	x, y := failing.Rows[1:], passing.Rows[1:]
	inX, inY := identities(x), identities(y)
	w.f(`<div class="wide" tabindex="0" role="region" aria-label="both orders, step by step"><table class="beside">` +
		"\n<thead><tr>" + `<th scope="col" colspan="3">this order fails</th><th scope="col" colspan="3">the other way ` +
		`round it passes</th></tr></thead>` + "\n<tbody>\n")
	parts := compare(len(x), len(y), func(a, b int) bool { return x[a].ID != "" && x[a].ID == y[b].ID })
	for i := 0; i < len(parts); {
		j := i
		for j < len(parts) && parts[j].in == both {
			j++
		}
		if j-i >= alikeFrom {
			from, to := i, j
			if i > 0 {
				from += alikeNear
			}
			if j < len(parts) {
				to -= alikeNear
			}
			for ; i < from; i++ {
				w.pair(failing, passing, parts[i], inX, inY)
			}
			w.f(`<tr class="mute"><td></td><td colspan="5">⋮ %s steps alike</td></tr>`+"\n", fmt.Sprint(to-from))
			for i = to; i < j; i++ {
				w.pair(failing, passing, parts[i], inX, inY)
			}
			continue
		}
		for j = max(j, i+1); i < j; i++ {
			w.pair(failing, passing, parts[i], inX, inY)
		}
	}
	w.f("</tbody></table></div>\n")
}

func identities(rows []report.Row) map[string]bool {
	ids := map[string]bool{}
	for i := range rows {
		if rows[i].ID != "" {
			ids[rows[i].ID] = true
		}
	}
	return ids
}

// pair writes one row of both executions.
func (w *writer) pair(failing, passing *report.Picture, p part, inX, inY map[string]bool) {
	w.f("<tr>")
	if p.in == onlyB {
		w.f(`<td colspan="3" class="left"></td>`)
	} else {
		w.half(failing, &failing.Rows[p.a+1], p.in, inY, "left ")
	}
	if p.in == onlyA {
		w.f(`<td colspan="3"></td>`)
	} else {
		w.half(passing, &passing.Rows[p.b+1], p.in, inX, "")
	}
	w.f("</tr>\n")
}

// half writes the step of one execution. there are the steps of the other one; last is a class of the last cell.
func (w *writer) half(p *report.Picture, r *report.Row, in side, there map[string]bool, last string) {
	class := rowClass(r)
	w.f(`<td class="%s">%s</td><td class="%s">`, class, number(r), class)
	if r.Lifeline >= 0 {
		w.f(`<b>%s</b>: `, p.Lifelines[r.Lifeline].Name)
	}
	w.f("%s", r.Label)
	if r.From != "" {
		w.f(` <span class="mute">from %s</span>`, r.From)
	}
	for _, wrong := range r.Wrong {
		w.f(`<br/><span class="bad">✗ %s</span>`, wrong)
	}
	w.f("</td><td class=\"%s\">", last+class)
	if r.Marks != "" {
		w.f(`<span class="mark">%s</span> `, strings.Join(strings.Split(r.Marks, ""), " "))
	}
	switch {
	case in == both:
	case there[r.ID]:
		w.f(`<span class="mute">at another place</span>`)
	default:
		w.f(`<span class="mute">here only</span>`)
	}
	w.f("</td>")
}
