package session

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// Story is what people are told of a violation. The exported fields are those of rehearse.Finding, which explains them.
type Story struct {
	Violation trace.Violation
	Expected  bool
	Execution int
	CutShort  int
	Switches  int
	Culprit   string
	Diagram   string
	Picture   *report.Picture
	Flipped   *report.Picture
	States    string
	Logs      string
	Note      string
	File      string
	Replay    string

	run   *replay.Run // of the schedule
	pairs []explain.Pair
	draws []int32 // events: what Go chose by itself that decides

	decided bool         // Culprit names what decides
	other   *trace.Trace // where what decides comes the other way round; nil: not known
	seen    *report.Seen // states at each event; nil: nobody looked
	steps   string       // states at each step, if asked for
	phase   string       // of the strategy that found it, "" if it has none
}

// origin says what found it, and under which conditions it is there.
func (f *Story) origin(s *stage, h *trace.Header) string {
	by := fmt.Sprintf("found by execution %s of strategy %s, seed %d", render.Thousands(f.Execution),
		f.strategy(s), s.Seed)
	if f.CutShort > 0 {
		by += fmt.Sprintf(" (%s before it cut short)", render.Thousands(f.CutShort))
	}
	if f.Execution == 0 {
		by = "found by a saved schedule"
	}
	return fmt.Sprintf("%s\nmodel %s, timers %s%s", by, h.Model, h.Timers, andFaults(h.Faults))
}

// lengthOf says how much a schedule of so many steps and switches forces.
func lengthOf(steps, switches int) string {
	if steps == 0 {
		return "the default order does it"
	}
	return render.Count(steps, "forced step", "forced steps") + ", " +
		render.Count(switches, "switch", "switches") + " of actor"
}

// andFaults says which faults were allowed, "" if none.
func andFaults(f trace.Faults) string {
	if !f.On() {
		return ""
	}
	return ", " + f.Words()
}

// strategy is what chose the execution: of a strategy that takes turns also whose turn it was.
func (f *Story) strategy(s *stage) string {
	name := s.strategy.Name()
	if f.phase != "" && f.phase != name {
		name += " (" + f.phase + ")"
	}
	return name
}

// machinery are the packages whose frames say nothing about the program.
var machinery = []string{"actor.", "adapter.", "adapter/goakt.", "adapter/hollywood.", "adapter/protoactor.",
	"explore.", "internal/"}

// ownStack leaves out of a stack what is below the program: Rehearse's own frames.
func ownStack(stack string) string {
	lines := strings.Split(strings.TrimRight(stack, "\n"), "\n")
	const most = 24
	for i, l := range lines {
		if i == most || i > 0 && isMachinery(l) {
			lines = lines[:i:i]
			break
		}
	}
	return strings.Join(lines, "\n")
}

func isMachinery(frame string) bool {
	rest, ours := strings.CutPrefix(frame, "github.com/rehearse-go/rehearse/")
	for _, m := range machinery {
		if ours && strings.HasPrefix(rest, m) {
			return true
		}
	}
	return strings.HasPrefix(frame, "created by ")
}

// Command is the line that runs this test with the given part of a pattern for its subtests.
func (s *stage) Command(sub, flags string) string {
	parts := strings.Split(s.Header.Test, "/")
	if sub != "" {
		parts = append(parts, strings.Split(sub, "/")...)
	}
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	pkg := s.Header.Package
	if pkg == "" || pkg == "command-line-arguments" {
		pkg = "."
	}
	return s.testCommand() + " " + flags + "-run " + render.ShellWord(strings.Join(parts, "/")) + " " + pkg
}

// SearchAgain is the command that finds it again where no schedule was saved: the same exploration.
func (s *stage) SearchAgain() string {
	faults := ""
	if s.Faults.On() {
		faults = "REHEARSE_FAULTS=" + s.Faults.String() + " "
	}
	if s.guide != nil {
		return fmt.Sprintf("REHEARSE_BUDGET=%s REHEARSE_MODEL=%s REHEARSE_TIMERS=%s %s%s", s.Budget, s.Model, s.Timers,
			faults, s.Command("", "-count=1 "))
	}
	return fmt.Sprintf("REHEARSE_STRATEGY=%s REHEARSE_SEED=%d REHEARSE_BUDGET=%s REHEARSE_MODEL=%s REHEARSE_TIMERS=%s %s%s",
		s.strategy.Name(), s.Seed, s.Budget, s.Model, s.Timers, faults, s.Command("", "-count=1 "))
}

// text is the report for people, complete: what is not here nobody will look up.
func (f *Story) text(origin string, width int) string {
	var b strings.Builder
	v := &f.Violation
	b.WriteString("rehearse: " + report.Wrap(v.String(), "", width))
	b.WriteString(report.Wrap(origin, "  ", width))
	section := func(title, text, indent string) {
		if text == "" {
			return
		}
		b.WriteString("\n" + title + "\n")
		for line := range strings.Lines(text) {
			b.WriteString(strings.TrimRight(indent+line, " \n") + "\n")
		}
	}
	title := "the execution:"
	if f.Violation.Kind == trace.Divergence {
		title = "one schedule, executed twice:"
	}
	section(title, f.Diagram, "")
	if f.Culprit != "" {
		section("which order decides:", report.Wrap(f.Culprit, "  ", width), "")
	}
	section("actors before the failing step:", f.States, "")
	section("actors step by step:", f.steps, "  ")
	if v.Kind == trace.Deadlock {
		section("where goroutines of the program wait:", v.Stack, "  ")
	} else {
		section("stack of the panic:", ownStack(v.Stack), "  ")
	}
	section("what the program printed:", f.Logs, "  | ")
	if f.Note != "" {
		b.WriteString("\n" + report.Wrap(f.Note, "", width))
	}
	if f.File != "" {
		b.WriteString("\nsaved:  " + f.File + "\n")
	}
	if f.Replay != "" {
		if f.File == "" {
			b.WriteString("\n")
		}
		b.WriteString("replay: " + f.Replay + "\n")
	}
	return trace.Visible(strings.TrimRight(b.String(), "\n"))
}
