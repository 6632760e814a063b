package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/trace"
)

// compareRecords orders by package; the Checks of a package stay in the order in which they ran.
func compareRecords(a, b record.Record) int { return cmp.Compare(a.Package, b.Package) }

// columns of the summary table.
var columns = []struct {
	title string
	cell  func(r *record.Record) string
}{
	{"test", testName},
	{"model", func(r *record.Record) string { return orDash(r.Model) }},
	{"strategy", func(r *record.Record) string { return orDash(r.Strategy) }},
	{"executions", func(r *record.Record) string { return fmt.Sprint(r.Executions) }},
	{"classes", func(r *record.Record) string { return countOrDash(r.Classes) }},
	{"deliveries", func(r *record.Record) string { return fmt.Sprint(r.Deliveries + r.Replayed) }},
	{"result", result},
	{"budget", budgetUsed},
	{"violation", violation},
}

// table prints one row a Check.
func table(w io.Writer, rs []record.Record) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw)
	for i, c := range columns {
		fmt.Fprint(tw, c.title, separator(i))
	}
	for i := range rs {
		for j, c := range columns {
			fmt.Fprint(tw, c.cell(&rs[i]), separator(j))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return notes(w, rs)
}

// notes prints below the table what makes a row worth less than it looks. What several rows have in common is said
// once.
func notes(w io.Writer, rs []record.Record) error {
	var b strings.Builder
	rows := map[string][]string{} // that have a limit
	var limits []string
	for i := range rs {
		for _, text := range rs[i].Warnings {
			fmt.Fprintf(&b, "warning: %s: %s\n", testName(&rs[i]), text)
		}
		for _, text := range rs[i].Limits {
			if rows[text] == nil {
				limits = append(limits, text)
			}
			rows[text] = append(rows[text], testName(&rs[i]))
		}
	}
	for _, text := range limits {
		fmt.Fprintf(&b, "note: %s: %s\n", severalTests(rows[text], len(rs)), text)
	}
	_, err := io.WriteString(w, trace.Visible(b.String()))
	return err
}

// severalTests names the tests of some rows.
func severalTests(names []string, rows int) string {
	const named = 3
	switch n := len(names); {
	case n > 1 && n == rows:
		return fmt.Sprintf("all %d", n)
	case n > named:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), n-named)
	}
	return strings.Join(names, ", ")
}

// separator ends a cell; the last one has no tab, so that nothing trails.
func separator(column int) string {
	if column == len(columns)-1 {
		return "\n"
	}
	return "\t"
}

// testName is the test as a person would name it.
func testName(r *record.Record) string { return r.Name() }

// explored reports whether the record is of an Explore outside of a Check.
func explored(r *record.Record) bool { return r.Explored() }

// orDash stands for what a Check that refused its settings does not know.
func orDash(s string) string { return cmp.Or(s, "-") }

func countOrDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// result says what the executions are of all that there are, in the word that Check uses with -v.
func result(r *record.Record) string { return r.Amounts() }

// budgetUsed is the budget with the share that was used, as in "1000x 34%".
func budgetUsed(r *record.Record) string {
	b, err := explore.ParseBudget(r.Budget)
	if err != nil {
		// A newer library may know other budgets; its own text is still true.
		return orDash(r.Budget)
	}
	used := 0.0
	switch {
	case b.Executions > 0:
		used = float64(r.Executions+r.Blocked) / float64(b.Executions)
	case b.Time > 0:
		used = r.Seconds / b.Time.Seconds()
	default:
		return "unlimited"
	}
	if used > 0 && used < 0.01 {
		return r.Budget + " <1%"
	}
	return fmt.Sprintf("%s %.0f%%", r.Budget, min(100, 100*used))
}

// violation says in a few words what was found, or that what was expected was not.
func violation(r *record.Record) string {
	if r.Refused {
		return "-"
	}
	var words []string
	expected := false
	for _, f := range r.Findings {
		switch {
		case explored(r):
			expected = expected || f.Expected
			words = append(words, f.Kind+" (found)")
		case f.Expected:
			expected = true
			words = append(words, fmt.Sprintf("%s (expected, found by execution %d)", f.Kind, f.Found))
		default:
			words = append(words, strings.ToUpper(f.Kind)+" (unexpected)")
		}
	}
	if r.Expected != "" && !expected {
		words = append(words, r.Expected+" (expected, NOT found)")
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, "; ")
}

// showFinding prints a violation that its test expects. The unexpected ones are in the failing test's own output.
func showFinding(w io.Writer, r record.Record, f record.Finding) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s found what it expects, in execution %d:\n", testName(&r), f.Found)
	where := ""
	if f.Where != "" {
		where = " (" + f.Where + ")"
	}
	fmt.Fprintf(&b, "%s: %s%s\n", f.Kind, f.Text, where)
	for _, part := range []string{f.Diagram, f.Culprit} {
		if part != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.Trim(part, "\n"))
		}
	}
	if f.Replay != "" {
		fmt.Fprintf(&b, "\nreplay: %s\n", f.Replay)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
