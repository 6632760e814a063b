package gentest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// Finding reports whether the test shows a failure of the program in a state that can come about.
func (t *Test) Finding() bool { return t.Case.Finding() && t.Why == "" }

// Unconfirmed reports whether the real program does something else.
func (t *Test) Unconfirmed() bool { return t.State == Differs && t.Why == "" }

// Report tells people of the tests of a package: what fails first. With all, it prints each case, too.
func Report(w io.Writer, p *cases.Program, pkg *Package, all bool) {
	fmt.Fprintf(w, "%s\n", pkg.Path)
	told := map[*cases.Case]bool{}
	for _, t := range pkg.Tests {
		if t.Finding() && t.State == Confirmed && !told[t.Case] {
			told[t.Case] = true
			fmt.Fprintf(w, "  finding: %s %s: %s (%s)\n", t.Target.Name, t.Name, how(t.Case), p.Loaded().Position(t.Case.Pos))
		}
	}
	if pkg.Unseen != "" {
		fmt.Fprintf(w, "  note: whether the tests go the ways of their cases was not looked at: %s\n", pkg.Unseen)
	}
	for _, s := range pkg.Suites {
		reportSuite(w, pkg, s)
		if all {
			p.Report(s).Print(w)
		}
	}
	for _, l := range pkg.Left {
		fmt.Fprintf(w, "  %s: left out: %s\n", l.Target.Name, l.Why)
	}
}

func how(c *cases.Case) string {
	if c.Why == "" {
		return c.Verdict.String()
	}
	return c.Verdict.String() + ", " + c.Why
}

func reportSuite(w io.Writer, pkg *Package, s *cases.Suite) {
	var confirmed int
	var apart []*Test
	tested, left := map[*cases.Case]bool{}, map[string]int{}
	for _, t := range pkg.Tests {
		switch {
		case t.Target != s.Target:
		case t.State == Confirmed:
			confirmed++
			tested[t.Case] = true
		case t.Unconfirmed():
			apart = append(apart, t)
		case t.Why != "":
			left[t.Why]++
		}
	}
	blocks, branches := s.Executed()
	fmt.Fprintf(w, "  %s: %s, %d tested by %s; covered: %d of %d blocks, %d of %d branches\n", s.Target.Name,
		plural(len(s.Cases), "case"), len(tested),
		plural(confirmed, "test"), s.Coverage.BlocksCovered, s.Coverage.Blocks, s.Coverage.BranchesCovered,
		s.Coverage.Branches)
	reportLeft(w, s.Coverage.Left)
	if blocks, branches = s.Coverage.BlocksCovered-blocks, s.Coverage.BranchesCovered-branches; blocks+branches > 0 {
		fmt.Fprintf(w, "    covered by no test, only by what the source says: %s\n",
			counted(blocks, "block", branches, "branch"))
	}
	for _, t := range apart {
		fmt.Fprintf(w, "    unconfirmed: %s: %s\n", t.Name, strings.Join(strings.Fields(firstLines(t.Output, 2)), " "))
	}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(w, "    left out: %s (%d)\n", why, left[why])
	}
	for _, why := range slices.Sorted(maps.Keys(s.Cuts)) {
		fmt.Fprintf(w, "    not followed: %s (%d)\n", why, s.Cuts[why])
	}
	for _, note := range s.Notes {
		fmt.Fprintf(w, "    note: %s\n", note)
	}
	if s.Defect != "" {
		fmt.Fprintf(w, "    not executed: %s\n", s.Defect)
	}
}

// placesTold bounds how many places with one reason are told without -v.
const placesTold = 6

// reportLeft tells what is not covered. Of what is behind such a place it tells the number: the reason is the same.
func reportLeft(w io.Writer, left []cases.Left) {
	behind, told, more := 0, map[string]int{}, map[string]int{}
	for _, l := range left {
		if l.Behind {
			behind++
			continue
		}
		if told[l.Why]++; told[l.Why] > placesTold {
			more[l.Why]++
			continue
		}
		fmt.Fprintf(w, "    not covered: %s: %s\n", l.Place, l.Why)
	}
	for _, why := range slices.Sorted(maps.Keys(more)) {
		fmt.Fprintf(w, "    not covered: %s that -v lists: %s\n", plural(more[why], "further place"), why)
	}
	if behind > 0 {
		fmt.Fprintf(w, "    not covered: what only these lead to: %s\n", plural(behind, "place"))
	}
}

// counted writes two numbers, without those that are 0.
func counted(n int, what string, k int, other string) string {
	var list []string
	if n > 0 {
		list = append(list, plural(n, what))
	}
	if k > 0 {
		list = append(list, strings.Replace(plural(k, other), "branchs", "branches", 1))
	}
	return strings.Join(list, " and ")
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ReportChanges tells people how tests differ from those before. Tests of one case that came or went are one line, and
// so is a name that is another one now.
func ReportChanges(w io.Writer, list []Change) {
	if len(list) == 0 {
		fmt.Fprintln(w, "  the tests are those that were there")
	}
	reportNames(w, list)
	fn := ""
	told := map[string]bool{}
	for _, c := range list {
		if c.Kind == "renamed" {
			continue
		}
		if c.Func != fn {
			fn = c.Func
			fmt.Fprintf(w, "  %s\n", fn)
		}
		name := c.Name
		if c.Kind != "changed" || len(c.Lines) == 0 {
			name = caseName(name)
		}
		text := fmt.Sprintf("    %-8s %s\n", c.Kind, name)
		if c.Was != "" {
			text += fmt.Sprintf("        was  %s\n", strings.TrimSuffix(c.Was, strings.TrimPrefix(c.Name, name)))
		}
		for _, line := range c.Lines {
			text += fmt.Sprintf("        %s\n", line)
		}
		if !told[fn+text] {
			told[fn+text] = true
			fmt.Fprint(w, text)
		}
	}
}

// caseName drops what tells the tests of a case apart, but for that of a finding.
func caseName(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ",distinct"), ",edge")
}

// reportNames tells which names are others now, and of how many tests nothing else has changed.
func reportNames(w io.Writer, list []Change) {
	count := map[string]int{}
	for _, c := range list {
		if c.Kind == "renamed" {
			for _, line := range c.Lines {
				count[line]++
			}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(w, "  %s, in %s that did not change otherwise\n", line, plural(count[line], "test"))
	}
}

// packageJSON is a package for programs.
type packageJSON struct {
	Package string          `json:"package"`
	Targets []*cases.Report `json:"targets"`
	Tests   []testJSON      `json:"tests"`
	Left    []leftJSON      `json:"left,omitempty"` // targets without cases
}

type leftJSON struct {
	Target string `json:"target"`
	Why    string `json:"why"`
}

type testJSON struct {
	Target string   `json:"target"`
	Case   string   `json:"case"`
	Func   string   `json:"func"`
	Name   string   `json:"name"`
	State  string   `json:"state"` // confirmed, unconfirmed, left out
	Why    string   `json:"why,omitempty"`
	Source []string `json:"source,omitempty"`
}

// WriteJSON writes cases and their tests for programs: a list of packages.
func WriteJSON(w io.Writer, p *cases.Program, packages []*Package) error {
	list := []packageJSON{}
	for _, pkg := range packages {
		q := packageJSON{Package: pkg.Path, Targets: []*cases.Report{}, Tests: []testJSON{}}
		for _, s := range pkg.Suites {
			q.Targets = append(q.Targets, p.Report(s))
		}
		for _, t := range pkg.Tests {
			q.Tests = append(q.Tests, t.json())
		}
		for _, l := range pkg.Left {
			q.Left = append(q.Left, leftJSON{l.Target.Name, l.Why})
		}
		list = append(list, q)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}

func (t *Test) json() testJSON {
	j := testJSON{Target: t.Target.Name, Case: t.Case.Name, Func: t.Func, Name: t.Name, State: "confirmed", Why: t.Why,
		Source: t.Lines}
	switch {
	case t.Unconfirmed():
		j.State, j.Why = "unconfirmed", t.Output
	case t.Why != "":
		j.State = "left out"
	}
	return j
}
