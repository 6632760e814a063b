package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/formats"
	"github.com/rehearse-go/rehearse/internal/record"
)

// This file tells what tests found to other programs.

// mermaidRows is how many steps of an execution are drawn in a summary: above some hundred arrows GitHub draws nothing.
const mermaidRows = 60

// found are the findings of records, and the tests and packages that failed without one. Expected ones are none: their
// tests pass. Each has a place: GitHub refuses a whole document of SARIF for one result without.
func found(rs []record.Record, s *suites) (all []formats.Finding) {
	at := newPlaces(s.packages())
	told := map[[2]string]bool{}
	add := func(r *record.Record, f formats.Finding, where string) {
		p := at.find(r.Package, where, r.Test)
		if p.file == "" {
			p = at.instead(r.Package)
			if r.Test != "" {
				f.Message += "\n\nIts place is not known: it is shown at " + filepath.Base(p.file) + " instead."
			}
		}
		f.File, f.Line = RepositoryPath(p.file), p.line
		all = append(all, f)
	}
	for i := range rs {
		r := &rs[i]
		if explored(r) {
			continue
		}
		for j := range r.Findings {
			if f := &r.Findings[j]; !f.Expected {
				told[[2]string{r.Package, r.Test}] = true
				add(r, formats.Finding{Rule: f.Kind, Level: formats.Error, Title: testName(r) + ": " + f.Kind,
					Message: messageOf(f), Key: f.Key}, f.Where)
			}
		}
		for _, text := range r.Warnings {
			kind, _, _ := strings.Cut(text, ":")
			add(r, formats.Finding{Rule: kind, Level: formats.Warning, Title: testName(r) + ": warning", Message: text}, "")
		}
	}
	for _, f := range s.failures() {
		if !told[f] {
			add(&record.Record{Package: f[0], Test: f[1]}, failure(rs, s.of[f[0]], f), "")
		}
	}
	return all
}

// failure is the finding of a test, or of a package, that failed or died without one of a Check.
func failure(rs []record.Record, p *suite, of [2]string) formats.Finding {
	f := formats.Finding{Rule: "failed", Level: formats.Error, Title: of[1] + " failed", Key: of[0] + " " + of[1]}
	switch {
	case of[1] == "":
		f.Rule, f.Title = "package", of[0]+" failed"
		f.Message = of[0] + ": " + p.why() + ": the log says how"
	case p.died(of[1]):
		f.Rule, f.Title, f.Message = "died", of[1]+" died", diedText+": the log says why"
	default:
		f.Message = whyFailed(rs, of)
	}
	return f
}

// messageOf is what a finding says: what went wrong, which order decides, how to replay it.
func messageOf(f *record.Finding) string {
	text := f.Kind + ": " + f.Text + inParentheses(f.Where)
	if f.Culprit != "" {
		text += "\n\n" + f.Culprit
	}
	if f.Replay != "" {
		text += "\n\nreplay: " + f.Replay
	}
	return text
}

// whyFailed says what records know of a test that failed without a finding.
func whyFailed(rs []record.Record, f [2]string) string {
	for i := range rs {
		r := &rs[i]
		switch {
		case r.Package != f[0] || r.Test != f[1]:
		case r.Refused:
			return "a Check refused its settings: the log says why"
		case r.Expected != "":
			return violation(r)
		}
	}
	return "the test failed, and no Check in it found anything new: the log says why"
}

// tell writes what was found in all formats that were asked for, but text and JSON.
func (t *testRun) tell(w io.Writer, rs []record.Record) error {
	if !t.outputs.Wants(FormatGitHub) && !t.outputs.Wants(FormatSARIF) && !t.outputs.Wants(FormatJUnit) {
		return nil
	}
	fs := found(rs, &t.suites)
	write := func(format string, f func(io.Writer) error) error { return t.outputs.Write(w, format, f) }
	if err := write(FormatSARIF, func(w io.Writer) error {
		return formats.SARIF(w, "rehearse test", Version(), kindsOf(fs), fs)
	}); err != nil {
		return err
	}
	if err := write(FormatJUnit, func(w io.Writer) error { return formats.JUnit(w, t.suites.junit(rs)) }); err != nil {
		return err
	}
	if !t.outputs.Wants(FormatGitHub) {
		return nil
	}
	if err := formats.Annotations(w, fs); err != nil {
		return err
	}
	return AddSummary(summaryParts(rs)...)
}

// summaryParts are the summary of a step in Markdown, the first with all Checks, then one for each finding.
func summaryParts(rs []record.Record) []string {
	var titles []string
	for _, c := range columns {
		titles = append(titles, c.title)
	}
	var rows [][]string
	var parts []string
	for i := range rs {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c.cell(&rs[i]))
		}
		rows = append(rows, cells)
		for j := range rs[i].Findings {
			if f := &rs[i].Findings[j]; !f.Expected && !explored(&rs[i]) {
				parts = append(parts, findingPart(&rs[i], f))
			}
		}
	}
	head := "## Rehearse: no Check ran\n"
	if len(rs) > 0 {
		head = fmt.Sprintf("## Rehearse: %s in %s\n\n", counted(len(parts), "finding"), counted(len(rs), "Check")) +
			formats.Table(titles, rows)
	}
	return append([]string{head + "\n"}, parts...)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// findingPart is one finding in Markdown, with its diagram.
func findingPart(r *record.Record, f *record.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n**%s**\n\n", formats.Markdown(testName(r)),
		formats.Markdown(f.Kind+": "+f.Text+inParentheses(f.Where)))
	if f.Culprit != "" {
		b.WriteString(formats.Markdown(f.Culprit) + "\n\n")
	}
	if f.Picture != nil {
		b.WriteString(formats.Fence("mermaid", f.Picture.Mermaid(mermaidRows)) + "\n")
	}
	if f.Diagram != "" {
		b.WriteString("<details><summary>as text</summary>\n\n" + formats.Fence("text", f.Diagram) + "\n</details>\n\n")
	}
	if f.Replay != "" {
		b.WriteString("Replay it:\n\n" + formats.Fence("sh", f.Replay) + "\n")
	}
	return b.String()
}
