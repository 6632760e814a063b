package session

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// finding is what can be told of a death: nothing is executed, which would be deadly here too.
func (d *death) finding(r *Raw) *Report {
	f := &Report{Story: Story{Violation: r.Violation, Execution: r.execution, CutShort: r.cutShort,
		Logs: gotest.Plain(lastLines(d.output, 40))}}
	f.Note = "Replaying the schedule kills the process that does it."
	if len(d.Steps) == 0 {
		f.Note = "There is no schedule: it died in set-up or before the first choice, or its machine did."
		return f
	}
	h := d.Header
	h.Violation = &r.Violation
	f.Schedule, f.Diagram = &trace.Schedule{Header: h, Steps: d.Steps}, stepsOf(&d.Died)
	return f
}

// Obituary is the report of a death.
func (f *Story) Obituary(d *saved.Died) string {
	var b strings.Builder
	b.WriteString("rehearse: " + report.Wrap(f.Violation.String(), "", 0))
	fmt.Fprintf(&b, "  model %s, timers %s%s; strategy %s, seed %d\n", d.Header.Model, d.Header.Timers,
		andFaults(d.Header.Faults), d.Header.Strategy, d.Header.Seed)
	if text := stepsOf(d); text != "" {
		b.WriteString("\n" + text)
	}
	if values := forcedAtEnd(d); values != "" {
		b.WriteString("\nwhat Go chose in the final checks was forced, draw by draw: values " + values + "\n")
	}
	if f.File != "" {
		b.WriteString("\nsaved:  " + f.File + "\n")
	}
	return b.String() + "\nreplay: " + f.Replay
}

// forcedAtEnd lists the values that draws of final checks were forced to, "" if there are none.
func forcedAtEnd(d *saved.Died) string {
	values := make([]string, len(d.Header.Ends))
	for i, e := range d.Header.Ends {
		values[i] = fmt.Sprint(e.Value)
	}
	return strings.Join(values, ", ")
}

// stepsOf lists the last steps before a death, "" if there are none.
func stepsOf(d *saved.Died) string {
	if len(d.Steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("it died in the last of these steps, or right after it:\n")
	from := max(0, len(d.Steps)-40)
	if from > 0 {
		fmt.Fprintf(&b, "  ... %s before\n", render.Count(from, "step", "steps"))
	}
	for i, step := range d.Steps[from:] {
		fmt.Fprintf(&b, "  %d %s\n", from+i+1, replay.Describe(step))
	}
	if d.Lost > 0 {
		fmt.Fprintf(&b, "  ... %s after that, for which the journal had no room\n", render.Count(d.Lost, "step", "steps"))
	}
	return b.String()
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
