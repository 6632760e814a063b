package record

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
)

// finding is the section of one finding.
func (w *writer) finding(d *Document, r *Record, f *Finding, id string) {
	w.f(`<section aria-labelledby="%s">`+"\n"+`<h2 id="%s">%s: %s%s</h2>`+"\n", id, id, r.Name(), f.Kind, expected(r, f))
	where := ""
	if f.Where != "" {
		where = " (" + f.Where + ")"
	}
	w.f(`<p class="bad">%s<span class="mute">%s</span></p>`+"\n", f.Text, where)
	if f.Culprit != "" {
		w.f("<p>%s</p>\n", f.Culprit)
	}
	if f.Picture != nil {
		w.picture(f.Picture, "this execution, as a space-time diagram")
		w.raw(legend)
		w.raw(openFor(f.Picture) + "<summary>Step by step, with the states of actors</summary>\n")
		w.steps(f.Picture, id)
		w.f("</details>\n")
	}
	w.other(f, id)
	w.flow(d, r, f)
	if f.Diagram != "" {
		w.f("<details><summary>The same as text</summary>\n<pre>%s</pre></details>\n", f.Diagram)
	}
	w.replay(f)
	w.f("</section>\n")
}

// mostOpen is the longest execution whose steps are shown at once, in rows.
const mostOpen = 60

// openFor begins the details with the steps of an execution.
func openFor(p *report.Picture) string {
	if len(p.Rows) > mostOpen {
		return "<details>"
	}
	return `<details open="open">`
}

// picture writes a picture that can be scrolled, also by the keyboard.
func (w *writer) picture(p *report.Picture, label string) {
	w.f(`<div class="wide" tabindex="0" role="region" aria-label="%s">`+"\n", label)
	w.raw(p.SVG()) // its own text is escaped where it is drawn
	w.f("</div>\n")
}

// other is the order in which it passes.
func (w *writer) other(f *Finding, id string) {
	if f.Picture == nil {
		return
	}
	w.f("<h3>The other way round</h3>\n")
	if f.Flipped == nil {
		if why := f.unshown(); why != "" {
			w.f("<p>%s</p>\n", why)
			return
		}
		w.f("<p>No execution is shown that passes: none is known that differs in the order of two deliveries alone.</p>\n")
		return
	}
	w.f("<p>Here the marked deliveries come the other way round. Nothing goes wrong.</p>\n")
	w.beside(f.Picture, f.Flipped)
	w.f("<details><summary>The order that passes, as a picture</summary>\n")
	w.picture(f.Flipped, "the execution that passes, as a space-time diagram")
	w.f("</details>\n<details><summary>The order that passes, step by step, with the states of actors</summary>\n")
	w.steps(f.Flipped, id+"-other")
	w.f("</details>\n")
}

// unshown is the line of the note that says why an order that is known to pass is not shown, "" if there is none.
func (f *Finding) unshown() string {
	for line := range strings.Lines(f.Note) {
		if strings.HasPrefix(line, report.NotShown) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// flow is the message flow graph.
func (w *writer) flow(d *Document, r *Record, f *Finding) {
	if d.Flow == nil {
		return
	}
	svg, note := d.Flow(r, f)
	if svg == "" && note == "" {
		return
	}
	w.f("<h3>Who can send what to whom</h3>\n<p>This is read from the source. Coloured are the actors and messages of " +
		"this execution.</p>\n")
	if note != "" {
		w.f(`<p class="mute">%s</p>`+"\n", note)
	}
	if svg != "" {
		w.f(`<div class="wide" tabindex="0" role="region" aria-label="the message flow graph">` + "\n")
		w.raw(svg)
		w.f("</div>\n")
	}
}

// replay says how the finding was found, and how to come to it again.
func (w *writer) replay(f *Finding) {
	w.f("<h3>How to replay it</h3>\n")
	by := "It was found by a saved schedule."
	if f.Found > 0 {
		by = fmt.Sprintf("It was found by execution %s.", render.Thousands(f.Found))
	}
	w.f("<p>%s", by)
	if f.Picture != nil {
		w.f(" The minimal schedule prescribes %s and has %s of actor.",
			render.Count(f.Forced, "step", "steps"), render.Count(f.Switches, "switch", "switches"))
	}
	if f.Schedule != "" {
		w.f(" It is in <code>%s</code>, and each later run of the test replays it first.", f.Schedule)
	}
	w.f("</p>\n")
	if f.Note != "" {
		w.f("<p>%s</p>\n", f.Note)
	}
	if f.Replay != "" {
		w.f("<pre>%s</pre>\n", f.Replay)
	}
}
