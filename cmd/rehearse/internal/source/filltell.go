package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// fillReport is what is told.
type fillReport struct {
	Packages []*filledPackage `json:"packages"`
	Tests    []*targetAnswer  `json:"tests"`
	Left     []leftOut        `json:"left"`
	// invariants and final checks of which no execution was found that they fail
	Checks []leftOut `json:"checks,omitempty"`
	Notes  []string  `json:"notes,omitempty"`
}

// filledPackage counts blocks of the actors of a package.
type filledPackage struct {
	Package string `json:"package"`
	Blocks  int    `json:"blocks"`
	Before  int    `json:"before"` // executed by the tests that were there
	After   int    `json:"after"`
}

// leftOut is a block that no test executes, or a check that none has fail.
type leftOut struct {
	Target string `json:"target"`
	Why    string `json:"why"`
}

// toldOrders is what the other orders of a test have shown.
type toldOrders struct {
	Executions int           `json:"executions"`
	Complete   bool          `json:"complete"`
	Open       string        `json:"open,omitempty"` // why they are not, where the program decides and not the time
	Findings   []toldFinding `json:"findings,omitempty"`
	// of the driver that fail: they may be about the messages that it sends
	Checks []toldFinding `json:"checks,omitempty"`
	Why    string        `json:"why,omitempty"`
}

func toldOrdersOf(o *reachtest.Orders) *toldOrders {
	t := &toldOrders{Executions: o.Executions, Complete: o.Complete, Open: o.Open, Why: o.Why}
	for _, f := range o.Findings {
		if told := (toldFinding{f.Kind, f.Text}); ofDriver(f.Kind, f.Text) {
			t.Checks = append(t.Checks, told)
		} else {
			t.Findings = append(t.Findings, told)
		}
	}
	return t
}

// leave notes a block that is left out, by the name that it has for people. What is known last counts.
func (r *fillReport) leave(t *target.Listed, why string) {
	name, why, list := blockName(t), strings.TrimSuffix(why, ": "), &r.Left
	if t.Check != nil {
		list = &r.Checks
	}
	if at := slices.IndexFunc(*list, func(x leftOut) bool { return x.Target == name }); at >= 0 {
		(*list)[at].Why = why
		return
	}
	*list = append(*list, leftOut{name, why})
}

// blockName names a block. Where a line has several, its own name has the column. A check is named by its own name
// alone, which says what it is.
func blockName(t *target.Listed) string {
	if t.Check != nil {
		return t.Name
	}
	column := fmt.Sprintf(":%d", t.Place.Column)
	return strings.TrimSuffix(t.Name, column) + column
}

// only keeps those blocks that a profile says are left out, and adds those of which nobody said why.
func (r *fillReport) only(left []*target.Listed) {
	list := []leftOut{} // no null in JSON
	for _, t := range left {
		at := slices.IndexFunc(r.Left, func(x leftOut) bool { return x.Target == blockName(t) })
		if at < 0 {
			list = append(list, leftOut{blockName(t),
				"a test that was found executes a copy of it, since it is written inside of the driver: make it a function of " +
					"its own"})
			continue
		}
		list = append(list, r.Left[at])
	}
	r.Left = list
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// profile runs the tests, with further files, and gives the blocks of actors that they do not execute.
func (f *fillRun) profile(ctx context.Context, overlay map[string]string) ([]*target.Listed, error) {
	code, tests := f.paths()
	out := filepath.Join(f.scratch, "cover.out")
	args := []string{"test", "-coverprofile=" + out, "-coverpkg=" + strings.Join(code, ","), "-vet=off"}
	if overlay != nil {
		data, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			return nil, err
		}
		file := filepath.Join(f.scratch, "cover.json")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return nil, err
		}
		args = append(args, "-overlay="+file)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, tests...)...)
	cmd.Dir = f.dir
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return nil, &testsFail{failedTests(said), failures(said)}
	case err != nil:
		return nil, fmt.Errorf("go test: %w", err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(data, []byte(".go:")) {
		return nil, errors.New("these packages have no code that can be counted, besides tests: name those with the code " +
			"of the actors, too")
	}
	return f.lister.Uncovered(bytes.NewReader(data))
}

// paths gives the paths of packages: those whose code counts, and those whose tests run. What does not compile is none
// of them: reading it has told that.
func (f *fillRun) paths() (code, tests []string) {
	for _, pkg := range f.loaded.Packages {
		path, outside := pkg.PkgPath, false
		if strings.HasSuffix(pkg.Name, "_test") {
			path, outside = strings.CutSuffix(path, "_test")
		}
		if !pkg.Root || strings.HasSuffix(path, ".test") {
			continue
		}
		if !outside && !slices.Contains(code, path) {
			code = append(code, path)
		}
		if !slices.Contains(tests, path) {
			tests = append(tests, path)
		}
	}
	return code, tests
}

// testsFail is the error that tests fail.
type testsFail struct {
	names []string // test functions
	said  string
}

func (e *testsFail) Error() string {
	return "the tests of these packages fail, so what they execute is not known: mend them first\n" + e.said
}

// failedTests gives the test functions of which go test prints that they fail.
func failedTests(said []byte) (names []string) {
	for line := range strings.Lines(string(said)) {
		if rest, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ := strings.Cut(rest, " ")
			names = append(names, name)
		}
	}
	return names
}

// failures gives what go test prints of what fails.
func failures(said []byte) string {
	var list []string
	for line := range strings.Lines(string(said)) {
		if !strings.HasPrefix(line, "ok ") && !strings.HasPrefix(line, "\t") && !strings.Contains(line, "coverage: ") &&
			!strings.HasPrefix(line, "? ") {
			list = append(list, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(list[:min(20, len(list))], "\n")
}

// wrong lists what goes wrong in tests, and in other orders of their messages.
func (r *fillReport) wrong() (list []string) {
	add := func(a *targetAnswer, f *toldFinding, where string) {
		text := fmt.Sprintf("%s%s: %s: %s", a.Test.Function, where, f.Kind, oneLine(f.Text))
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, a := range r.Tests {
		if a.Finding != nil {
			add(a, a.Finding, "")
		}
		if a.Orders == nil {
			continue
		}
		for _, f := range a.Orders.Findings {
			if a.Finding == nil || *a.Finding != f {
				add(a, &f, ", in another order of its messages")
			}
		}
	}
	return list
}

// checks lists the checks of drivers that fail.
func (r *fillReport) checks() (list []string) {
	for _, a := range r.Tests {
		if a.Check != "" {
			list = append(list, a.Test.Function+": "+oneLine(a.Check))
		}
		if a.Orders == nil {
			continue
		}
		for _, f := range a.Orders.Checks {
			if f.Text == a.Check {
				continue
			}
			list = append(list, a.Test.Function+", in another order of its messages: "+oneLine(f.Text))
		}
	}
	return list
}

// tell prints the report, and gives the exit code.
func (r *fillReport) tell(s cli.Streams, asJSON, preview bool) (int, error) {
	wrong, code := r.wrong(), cli.ExitOK
	switch {
	case len(wrong) > 0:
		code = cli.ExitFound
	case len(r.Left) > 0:
		code = exitNotCovered
	}
	if asJSON {
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return code, enc.Encode(r)
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "package\tblocks of actors\texecuted before\tafter")
	for _, p := range r.Packages {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", p.Package, p.Blocks, p.Before, p.After)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	list(s.Out, "findings:", wrong)
	list(s.Out, "checks of drivers that fail, which may be meant for the messages that the driver sends:", r.checks())
	verb := "wrote"
	if preview {
		verb = "would write"
	}
	for _, a := range r.Tests {
		own := ""
		if a.Own {
			own = ", with the messages of its driver"
		}
		fmt.Fprintf(s.Out, "%s %s: %s%s%s\n", verb, a.Test.File, a.Test.Function, own, a.Orders.text())
	}
	list(s.Out, "left out:", leftText(r.Left, "blocks"))
	list(s.Out, "checks for which no failing execution was found:", leftText(r.Checks, "checks"))
	var notes []string
	for _, n := range r.Notes {
		notes = append(notes, oneLine(n))
	}
	list(s.Out, "notes:", notes)
	return code, nil
}

// together is how many blocks that are left out for one reason are told together.
const together = 4

// leftText tells of blocks or checks that are left out, in the order of the first for each reason.
func leftText(left []leftOut, what string) (list []string) {
	by := map[string][]string{}
	for _, l := range left {
		by[l.Why] = append(by[l.Why], l.Target)
	}
	for _, l := range left {
		switch targets := by[l.Why]; {
		case len(targets) < together:
			list = append(list, l.Target+": "+l.Why)
		case l.Target == targets[0]:
			list = append(list, fmt.Sprintf("%d %s: %s%s", len(targets), what, l.Why, byFiles(targets)))
		}
	}
	return list
}

// byFiles writes places, a line for each file.
func byFiles(places []string) string {
	var b strings.Builder
	last := ""
	for _, place := range places {
		file, at, _ := strings.Cut(place, ".go:")
		if file != last {
			fmt.Fprintf(&b, "\n    %s.go: %s", file, at)
		} else {
			b.WriteString(", " + at)
		}
		last = file
	}
	return b.String()
}

// text says how far the orders were explored.
func (o *toldOrders) text() string {
	switch {
	case o == nil:
		return ""
	case o.Why != "":
		return "; its orders were not explored: " + oneLine(o.Why)
	case o.Complete:
		return fmt.Sprintf("; all its orders (executions: %d)", o.Executions)
	case o.Open != "":
		return fmt.Sprintf("; not all of its orders (executions: %d): %s", o.Executions, oneLine(o.Open))
	}
	return fmt.Sprintf("; not all of its orders (executions: %d)", o.Executions)
}
