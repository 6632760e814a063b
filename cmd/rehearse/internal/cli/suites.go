package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/formats"
	"github.com/rehearse-go/rehearse/internal/record"
)

// This file knows how tests ended, from the events of go test -json. What a test printed is kept for people, and never
// read: a program may print anything. What was found is in records.

// suites are the tests of a run, by package, in the order in which they began.
type suites struct {
	order []string
	of    map[string]*suite
}

// suite is one package.
type suite struct {
	order  []string
	tests  map[string]*outcome
	time   float64
	failed bool
	broken string // what the build said, "" if it could be built
	output keptOutput
}

// outcome is how one test ended: pass, fail or skip, "" if it did not end.
type outcome struct {
	how    string
	time   float64
	output keptOutput
}

func (s *suites) suite(pkg string) *suite {
	if s.of == nil {
		s.of = map[string]*suite{}
	}
	p := s.of[pkg]
	if p == nil {
		p = &suite{tests: map[string]*outcome{}}
		s.of[pkg] = p
		s.order = append(s.order, pkg)
	}
	return p
}

// take takes in one event of go test.
func (s *suites) take(e event) {
	if e.Action == "build-output" {
		name, _, _ := strings.Cut(e.ImportPath, " ") // behind which is the test that it is built for
		s.suite(strings.TrimSuffix(name, "_test")).output.add(e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := s.suite(e.Package)
	if e.Test == "" {
		p.end(e)
		return
	}
	t := p.tests[e.Test]
	if t == nil {
		t = &outcome{}
		p.tests[e.Test] = t
		p.order = append(p.order, e.Test)
	}
	switch e.Action {
	case "output":
		t.output.add(e.Output)
	case "pass", "fail", "skip":
		t.how, t.time = e.Action, e.Elapsed
	}
}

// end takes in an event of the package as a whole.
func (p *suite) end(e event) {
	switch e.Action {
	case "output":
		p.output.add(e.Output)
	case "pass", "fail", "skip":
		p.time, p.failed = e.Elapsed, e.Action == "fail"
		if e.FailedBuild != "" {
			p.broken = e.FailedBuild
		}
	}
}

// packages are the names that the go command told.
func (s *suites) packages() []string {
	return slices.DeleteFunc(slices.Clone(s.order), func(pkg string) bool { return strings.HasPrefix(pkg, "-") })
}

// failures are the tests that failed or died by themselves, as pairs of package and test: not those of which a subtest
// did. The test of a package that failed without one is "".
func (s *suites) failures() (all [][2]string) {
	for _, pkg := range s.order {
		p := s.of[pkg]
		before := len(all)
		for _, name := range p.order {
			below := func(other string) bool { return strings.HasPrefix(other, name+"/") && p.failedIn(other) }
			if p.failedIn(name) && !slices.ContainsFunc(p.order, below) {
				all = append(all, [2]string{pkg, name})
			}
		}
		if p.failed && len(all) == before {
			all = append(all, [2]string{pkg, ""})
		}
	}
	return all
}

// failedIn reports whether a test failed, or died with its process.
func (p *suite) failedIn(test string) bool { return p.tests[test].how == "fail" || p.died(test) }

// died reports whether a test had not ended when its process did.
func (p *suite) died(test string) bool {
	t := p.tests[test]
	return t != nil && t.how == "" && p.failed
}

// why says why a package failed.
func (p *suite) why() string {
	if p.broken != "" {
		return "it could not be built"
	}
	return "the package failed"
}

// junit makes the test report: how tests ended, and what Checks found in them.
func (s *suites) junit(rs []record.Record) (all []formats.Suite) {
	for _, pkg := range s.order {
		p := s.of[pkg]
		suite := formats.Suite{Name: pkg, Time: p.time}
		failed := false
		for _, name := range p.order {
			t := p.tests[name]
			test := formats.Test{Name: name, Time: t.time, Failed: t.how == "fail", Skipped: t.how == "skip",
				Broken: p.died(name), Output: t.output.String()}
			failed = failed || test.Failed || test.Broken
			test.Kind, test.Message = outcomeOf(rs, pkg, name, &test)
			if !test.Failed && !test.Broken && !test.Skipped {
				test.Output = ""
			}
			suite.Tests = append(suite.Tests, test)
		}
		if p.failed && !failed {
			suite.Tests = append(suite.Tests, formats.Test{Name: "(package)", Broken: true, Kind: "package",
				Message: p.why(), Output: p.output.String()})
		}
		all = append(all, suite)
	}
	return all
}

// diedText is why a test has no result.
const diedText = "the process ended before the test did"

// outcomeOf says in a few words why a test failed.
func outcomeOf(rs []record.Record, pkg, name string, t *formats.Test) (kind, message string) {
	for i := range rs {
		if rs[i].Package != pkg || rs[i].Test != name {
			continue
		}
		for _, f := range rs[i].Findings {
			if !f.Expected {
				return f.Kind, f.Kind + ": " + f.Text + inParentheses(f.Where)
			}
		}
	}
	switch {
	case t.Broken:
		return "died", diedText
	case t.Failed:
		return "failed", "the test failed"
	}
	return "", ""
}

func inParentheses(where string) string {
	if where == "" {
		return ""
	}
	return " (" + where + ")"
}

// kindsOf are the kinds of findings that there are, for SARIF.
func kindsOf(fs []formats.Finding) (rules []formats.Rule) {
	for i := range fs {
		rules = append(rules, formats.Rule{Name: fs[i].Rule, Doc: "rehearse test: " + fs[i].Rule})
	}
	slices.SortFunc(rules, func(a, b formats.Rule) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Compact(rules)
}
