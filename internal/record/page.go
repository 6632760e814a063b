package record

import (
	"fmt"

	"github.com/rehearse-go/rehearse/internal/render"
)

// This file and the ones named here tell what Checks found as one HTML page. The page runs nothing and loads nothing: it
// opens offline, and can be attached to a bug report. The same records give the same bytes.
//
//	page.go     the page: its Checks, and what to know of them
//	finding.go  one finding: what went wrong, pictures, how to replay it
//	steps.go    the steps of an execution, with the states of actors
//	beside.go   the failing execution beside the one that passes
//	diff.go     what two texts, or two executions, have in common
//	markup.go   how text becomes markup
//	style.go    how it looks
//
// What the program under test calls things is text in it and nothing else: markup.go escapes all of it.

// Document is what a page tells.
type Document struct {
	Records []Record
	// Flow gives the message flow graph for a finding as an SVG document, with what it leaves out in words. Both are ""
	// where there is none. Nil: none for all.
	Flow func(r *Record, f *Finding) (svg, note string)
}

// HTML gives the page.
func HTML(d *Document) []byte {
	w := &writer{}
	w.raw(head)
	w.f("<h1>What was found</h1>\n")
	w.checks(d)
	for i := range d.Records {
		r := &d.Records[i]
		for j := range r.Findings {
			w.finding(d, r, &r.Findings[j], fmt.Sprintf("finding-%d-%d", i+1, j+1))
		}
	}
	for i := range d.Records {
		w.details(&d.Records[i], fmt.Sprintf("check-%d", i+1))
	}
	w.raw("</main>\n</body>\n</html>\n")
	return w.b.Bytes()
}

// checks is the table at the top: what each Check amounts to, with links to what it found.
func (w *writer) checks(d *Document) {
	w.f(`<div class="wide" tabindex="0" role="region" aria-label="the tests"><table>` + "\n<thead><tr>")
	for _, title := range []string{"test", "result", "executions", "found"} {
		w.f(`<th scope="col">%s</th>`, title)
	}
	w.f("</tr></thead>\n<tbody>\n")
	for i := range d.Records {
		r := &d.Records[i]
		w.f(`<tr><td><a href="#check-%s">%s</a></td><td>%s</td><td>%s</td><td>`, fmt.Sprint(i+1), r.Name(), r.Amounts(),
			render.Thousands(r.Executions))
		for j := range r.Findings {
			if j > 0 {
				w.f("<br/>")
			}
			f := &r.Findings[j]
			w.f(`<a href="#finding-%s-%s">%s</a>%s`, fmt.Sprint(i+1), fmt.Sprint(j+1), f.Kind, expected(r, f))
		}
		switch {
		case r.Expected != "" && !hasExpected(r):
			w.f(` <span class="bad">%s was expected and not found</span>`, r.Expected)
		case r.Refused:
			w.f("nothing was executed")
		case len(r.Findings) == 0:
			w.f("nothing")
		}
		w.f("</td></tr>\n")
	}
	w.f("</tbody></table></div>\n")
}

func hasExpected(r *Record) bool {
	for i := range r.Findings {
		if r.Findings[i].Expected {
			return true
		}
	}
	return false
}

// expected says of a finding whether its test wants it.
func expected(r *Record, f *Finding) string {
	if f.Expected && !r.Explored() {
		return " (expected)"
	}
	return ""
}

// details are the strategy, the counts and the limits of a Check.
func (w *writer) details(r *Record, id string) {
	w.f(`<section aria-labelledby="%s">`+"\n"+`<h2 id="%s">%s: how it was explored</h2>`+"\n<dl>\n", id, id, r.Name())
	row := func(name, value string) {
		if value != "" {
			w.f("<dt>%s</dt><dd>%s</dd>\n", name, value)
		}
	}
	row("result", amounts(r))
	row("strategy", fmt.Sprintf("%s, seed %d, budget %s", dash(r.Strategy), r.Seed, dash(r.Budget)))
	row("program", fmt.Sprintf("model %s, timers %s, faults %s", dash(r.Model), dash(r.Timers), dash(r.Faults)))
	row("executions", executions(r))
	row("deliveries", render.Thousands(r.Deliveries+r.Replayed))
	if r.Classes > 0 {
		row("classes", render.Thousands(r.Classes)+" (executions that differ in more than the order of independent steps)")
	}
	row("repeats", repeats(r))
	if r.Saved > 0 {
		row("saved schedules", render.Thousands(r.Saved)+" replayed first")
	}
	row("estimate", estimate(r))
	row("guide", r.Guided)
	w.f("</dl>\n")
	w.orders(r.Orders)
	if len(r.Warnings)+len(r.Limits) > 0 {
		w.f("<p>What the result does not say:</p>\n<ul>\n")
		for _, text := range r.Warnings {
			w.f("<li>warning: %s</li>\n", text)
		}
		for _, text := range r.Limits {
			w.f("<li>%s</li>\n", text)
		}
		w.f("</ul>\n")
	}
	w.f("</section>\n")
}

func dash(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// amounts is the result with the reason for which it stopped.
func amounts(r *Record) string {
	s := r.Amounts()
	if r.Reason != "" && r.Reason != s {
		s += ", stopped because: " + r.Reason
	}
	return s
}

func executions(r *Record) string {
	s := render.Thousands(r.Executions)
	if r.Blocked > 0 {
		s += ", and " + render.Thousands(r.Blocked) + " that the strategy cut short"
	}
	return s
}

func repeats(r *Record) string {
	s := render.Thousands(r.Rechecked) + " executed once more and compared"
	if r.Unrepeated > 0 {
		s += ", no time for " + render.Thousands(r.Unrepeated) + " more"
	}
	return s
}

func estimate(r *Record) string {
	if r.Estimate == nil {
		return ""
	}
	return fmt.Sprintf("%.3g executions in all, from %.3g to %.3g", r.Estimate.Total, r.Estimate.Low, r.Estimate.High)
}

// orders is the table of orders that were seen.
func (w *writer) orders(list []Orders) {
	if len(list) == 0 {
		return
	}
	w.f("<p>Which orders were seen, in pairs of message types that actors of a type receive:</p>\n" +
		`<div class="wide" tabindex="0" role="region" aria-label="orders that were seen"><table>` + "\n<thead><tr>")
	for _, title := range []string{"actor", "in both orders", "in one order", "never together",
		"only one order is possible"} {
		w.f(`<th scope="col">%s</th>`, title)
	}
	w.f("</tr></thead>\n<tbody>\n")
	for _, o := range list {
		w.f("<tr><td>%s</td>", o.Actor)
		for _, n := range []int{o.Both, o.OneWay, o.Never, o.Impossible} {
			w.f("<td>%s</td>", render.Thousands(n))
		}
		w.f("</tr>\n")
	}
	w.f("</tbody></table></div>\n")
}
