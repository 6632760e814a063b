package gentest

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
)

// Test is a test of one instance of a case.
type Test struct {
	Target *cases.Target
	Case   *cases.Case
	File   string
	Func   string   // the test function
	Name   string   // of the subtest
	Form   []string // of the case: above the first of its tests
	Doc    []string
	Lines  []string
	Why    string // there is no test: why
	Way    bool   // from a constructor, with the messages before: what decides whether the case is a finding

	fakes []*fakeType // that it uses

	State  State
	Output string // of the run, if it does not confirm the test
}

// State says what the real program said to a test.
type State uint8

// The states.
const (
	NotRun State = iota
	Confirmed
	Differs // the real program does something else than the test says
)

// Package is the tests of one package.
type Package struct {
	Path, Name, Dir string
	Command         string // that makes the files, behind "rehearse generate"
	Suites          []*cases.Suite
	Tests           []*Test
	Left            []Left // targets that no test can reach
	Unseen          string // why it is not known whether the tests go the ways of their cases, "" if it is
	program         *cases.Program
	names           *names
	assumed         bool // also tests of panics of the runtime from states that are only assumed
}

// Left is a target that has no cases, since there would be no tests of them.
type Left struct {
	Target *cases.Target
	Why    string
}

// insideOther is why functions inside of other ones are left out. Their cases would take time, and could not be tested.
const insideOther = "it is a function inside of another one: nothing else reaches it"

// printer writes the tests of a package.
type printer struct {
	program *cases.Program
	solver  solve.Solver
	names   *names
	assumed bool
	file    string
	fakes   []*fakeType  // of the test at hand
	config  cases.Config // of the suite at hand
}

// Options say what is written.
type Options struct {
	Config  cases.Config
	Command string // the arguments of rehearse generate, as FormatCommand writes them
	Assumed bool   // also tests of panics of the runtime from states that are only assumed

	// Progress, if it is set, is told before each target, with the number of those that are done.
	Progress func(done int, t *cases.Target)
}

// Generate writes the tests of targets, by package. Nothing is run, and nothing is written to a file. The solver has to
// be one of the program's store.
func Generate(ctx context.Context, p *cases.Program, solver solve.Solver, targets []*cases.Target,
	o Options) ([]*Package, error) {
	var list []*Package
	byPath := map[string]*Package{}
	for i, t := range targets {
		if o.Progress != nil {
			o.Progress(i, t)
		}
		q := owner(t.Fn)
		if q == nil {
			continue
		}
		pkg := byPath[q.Path()]
		if pkg == nil {
			var err error
			if pkg, err = newPackage(p, q, o.Command); err != nil {
				return nil, err
			}
			pkg.assumed = o.Assumed
			byPath[q.Path()] = pkg
			list = append(list, pkg)
		}
		if t.Fn.Parent() != nil {
			pkg.Left = append(pkg.Left, Left{t, insideOther})
			continue
		}
		s, err := p.Suite(ctx, t, o.Config)
		if err != nil {
			return nil, err
		}
		pkg.Suites = append(pkg.Suites, s)
		w := &printer{program: p, solver: solver, names: pkg.names, assumed: o.Assumed}
		pkg.Tests = append(pkg.Tests, w.suite(ctx, s, pkg.testFunc(t), pkg.fileOf(t))...)
	}
	slices.SortStableFunc(list, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// owner gives the package that a function is in.
func owner(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if recv := fn.Signature.Recv(); recv != nil { // also of a method that an embedded field brings
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Pkg()
		}
	}
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case fn.Object() != nil:
		return fn.Object().Pkg()
	}
	return nil
}

func newPackage(p *cases.Program, q *types.Package, command string) (*Package, error) {
	pkg := &Package{Path: q.Path(), Name: q.Name(), Command: command, program: p}
	for _, l := range p.Loaded().Packages {
		if l.PkgPath == q.Path() && len(l.GoFiles) > 0 {
			pkg.Dir = filepath.Dir(l.GoFiles[0])
		}
	}
	if pkg.Dir == "" {
		return nil, fmt.Errorf("%s has no folder: name it among the packages", q.Path())
	}
	others, err := testNames(pkg.Dir, q.Name())
	if err != nil {
		return nil, err
	}
	pkg.names = newNames(q, others)
	pkg.names.imported("testing", "testing")
	return pkg, nil
}

// testNames lists what the tests of a package declare, but for the generated ones.
func testNames(dir, pkg string) (list []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(string(src), generated) {
			continue
		}
		if in, names := declared(src); in == pkg {
			list = append(list, names...)
		}
	}
	return list, nil
}

// short drops the package from the name of a target, where it stands for what tells two packages apart.
func (p *Package) short(t *cases.Target) string {
	name := t.Name
	for {
		rest, ok := strings.CutPrefix(name, p.Name+".")
		if !ok || t.Kind != cases.Function && !strings.Contains(rest, ".") {
			return name
		}
		name = rest
	}
}

// plain is short without the type of the message, which tells two messages of one name apart.
func (p *Package) plain(t *cases.Target) string {
	name, _, _ := strings.Cut(p.short(t), " (")
	return name
}

// testFunc gives a test function for a target: a name that nothing else has.
func (p *Package) testFunc(t *cases.Target) string {
	name := "Test"
	for _, part := range strings.Split(p.plain(t), ".") {
		id := identifier(part)
		if name != "Test" {
			name += "_"
		}
		name += string(unicode.ToUpper(rune(id[0]))) + id[1:]
	}
	free := name
	for i := 2; p.names.taken[free]; i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	p.names.taken[free] = true
	return free
}

// fileOf gives the file that the tests of a target are in.
func (p *Package) fileOf(t *cases.Target) string {
	if t.Kind == cases.Function {
		return "functions" + Suffix
	}
	return strings.ToLower(identifier(t.Actor)) + Suffix
}

// suite writes the tests of the cases of a target.
func (p *printer) suite(ctx context.Context, s *cases.Suite, fn, file string) (list []*Test) {
	p.config, p.file = s.Config, file
	for _, c := range s.Cases {
		made := Test{Target: s.Target, Case: c, File: file, Func: fn, Name: c.Name, Form: p.program.Form(c, s.Config)}
		if c.Reached != nil && c.Reached.Start == nil {
			made.Doc = append(made.Doc, p.comesAbout(c)...)
		}
		switch {
		case c.Model == nil:
			made.Why = c.NoInstance
		case ofRuntime(c) && c.Reached == nil && !p.assumed:
			made.Why = onlyAssumed
		case c.Path.Exit == exec.Refused && c.Path.Why != exec.NotAwaited: // outside of what the framework controls
			made.Why = "no test can wait for the end: " + c.Path.Why
		}
		if made.Why != "" {
			list = append(append(list, &made), p.way(ctx, made)...)
			continue
		}
		for _, i := range instances(ctx, p.program, p.solver, c) {
			t := made
			if i.Label != "" {
				t.Name, t.Doc = t.Name+","+i.Label, nil
			}
			p.fakes = nil
			if s.Target.Kind == cases.Function {
				t.Lines, t.Why = p.functionTest(c, i.Model)
			} else {
				t.Lines, t.Why = p.handlerTest(c, i.Model)
			}
			t.Lines, t.fakes = unusedPeers(t.Lines), p.fakes
			if same := func(o *Test) bool {
				return o.Case == c && o.Why == t.Why &&
					slices.Equal(o.Lines, t.Lines)
			}; t.Why != "" || !slices.ContainsFunc(list, same) {
				list = append(list, &t) // inputs may differ in what a test does not show
			}
		}
		list = append(list, p.way(ctx, made)...)
	}
	return list
}

// way writes the test that decides whether a case is a finding; none if it fails on any input, or in no state that is
// known to come about.
func (p *printer) way(ctx context.Context, t Test) []*Test {
	if !t.Case.Finding() || t.Case.Reached.Start == nil {
		return nil
	}
	t.Way, t.Name, t.Doc = true, t.Name+","+reachedLabel, p.comesAbout(t.Case)
	p.fakes = nil
	t.Lines, t.Why = p.reachedTest(ctx, t.Case)
	t.Lines, t.fakes = unusedPeers(t.Lines), p.fakes
	return []*Test{&t}
}

const onlyAssumed = "the runtime panics in a state that is only assumed"

// ofRuntime reports whether the failure is a panic of Go's runtime.
func ofRuntime(c *cases.Case) bool { return c.Verdict == cases.Panicked && c.Why != "panic" }

// comesAbout tells how the state of a finding comes about.
func (p *printer) comesAbout(c *cases.Case) []string {
	if !c.Finding() {
		return nil
	}
	r := c.Reached
	line := "Finding: it fails on any input of these conditions."
	if r.Start != nil {
		line = "Finding: the state comes about by " + r.Start.Fn.RelString(r.Start.Fn.Pkg.Pkg)
		for _, t := range r.Before {
			line += ", then " + t.Name
		}
		line += "."
	}
	return []string{line}
}
