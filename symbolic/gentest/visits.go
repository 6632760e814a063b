package gentest

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	symbolic "github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file has tests tell which places of the program they execute. That what comes of a test is what its case says
// does not show that it went the way of the case: zero values hide a lot. The sources are laid over with those that go
// tool cover writes, which count. Each test clears the counters, and writes them down in the end, so there is still one
// run for all tests.

// unit is a piece of source that has one counter: statements that are executed together.
type unit struct {
	first, last point
	operand     bool // a part of a statement, which has a counter of its own
	// of one that counts what comes behind both sides of && or ||: where the operator stands; it has no other place
	joins point
	// what is written in it is executed in parts: turns of a loop, variables of a clause, the right side of && or ||
	parts bool
}

// point is a place in a file.
type point struct{ line, column int }

func (p point) before(q point) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// visits counts which units of files are executed.
type visits struct {
	fset    *token.FileSet
	files   map[string]int // by name: the number of the file
	units   [][]unit       // by the number
	replace map[string]string
	tests   bool // files of tests count, too, and parts of statements
	cases   map[caseAt]caseOf
	out     string // the file in which tests write them down
	sure    int    // files that are in every binary of the tests; others may be in packages that these do not import
	made    string // what is executed of some files is not known: why
	why     string // what is executed is not known: why
}

// watch has the files be counted in which blocks of cases are.
func (p *Package) watch(ctx context.Context, scratch string) *visits {
	v := &visits{fset: p.program.Loaded().Fset, files: map[string]int{}, replace: map[string]string{},
		out: filepath.Join(scratch, "visits")}
	wanted, linked := p.blocks(), p.linked()
	for _, pkg := range p.program.Loaded().Packages {
		if pkg.Module != nil && pkg.Module.Main {
			before := len(v.files)
			if v.pkg(ctx, scratch, pkg, wanted); linked[pkg.PkgPath] {
				v.sure += len(v.files) - before
			}
		}
	}
	v.lay(scratch, "visits_test.go", filepath.Join(p.Dir, "zz_rehearse_visits_test.go"),
		fmt.Sprintf(visitsOfTests, p.Name))
	if len(v.files) == 0 && v.why == "" {
		v.why = "the package is in no module"
		if v.made != "" {
			v.why = v.made
		}
	}
	return v
}

// linked gives the paths of the package and of all that it imports, without its tests.
func (p *Package) linked() map[string]bool {
	seen := map[string]bool{}
	var visit func(pkg *packages.Package)
	visit = func(pkg *packages.Package) {
		if !seen[pkg.PkgPath] {
			seen[pkg.PkgPath] = true
			for _, dep := range pkg.Imports {
				visit(dep)
			}
		}
	}
	for _, pkg := range p.program.Loaded().Packages {
		if pkg.PkgPath == p.Path {
			visit(pkg.Package)
		}
	}
	return seen
}

// blocks gives the names of the files in which blocks of cases are.
func (p *Package) blocks() map[string]bool {
	in := map[string]bool{}
	for _, t := range p.Tests {
		if t.Why != "" || t.Case.Path == nil {
			continue
		}
		for _, b := range t.Case.Path.Blocks {
			if pos := b.Parent().Pos(); pos.IsValid() {
				in[p.program.Loaded().Fset.PositionFor(pos, false).Filename] = true
			}
		}
	}
	return in
}

// pkg counts in the files of a package, and hands the counters over.
func (v *visits) pkg(ctx context.Context, scratch string, pkg *load.Package, wanted map[string]bool) {
	v.group(ctx, scratch, pkg, wanted, false)
	if v.tests {
		v.group(ctx, scratch, pkg, wanted, true)
	}
}

// group counts in the files of a package that are tests, or in those that are none.
func (v *visits) group(ctx context.Context, scratch string, pkg *load.Package, wanted map[string]bool, tests bool) {
	first := len(v.units)
	if slices.ContainsFunc(pkg.CompiledGoFiles,
		func(file string) bool { return wanted[file] && !slices.Contains(pkg.GoFiles, file) }) {
		v.made = "cgo makes files that are compiled"
	}
	for _, file := range pkg.GoFiles {
		if !wanted[file] || strings.HasSuffix(file, "_test.go") != tests || !slices.Contains(pkg.CompiledGoFiles, file) {
			continue
		}
		n := len(v.units)
		counted, units, err := counting(ctx, file, fmt.Sprintf("rehearseCounts%d", n))
		if err != nil {
			v.why = err.Error()
			return
		}
		for _, syntax := range pkg.Syntax {
			if v.fset.PositionFor(syntax.Package, false).Filename == file {
				v.parted(units, syntax)
				if v.tests {
					counted, units = v.withOperands(file, counted, fmt.Sprintf("rehearseCounts%d", n), units, pkg.TypesInfo, syntax)
				}
			}
		}
		v.files[file], v.units = n, append(v.units, units)
		v.lay(scratch, fmt.Sprintf("counted%d.go", n), file, counted)
	}
	adds := ""
	for n := first; n < len(v.units); n++ {
		adds += fmt.Sprintf("\tflag.Var(rehearseVisits%d(rehearseCounts%d.Count[:]), \"rehearse-visits-%d\", \"\")\n", first,
			n, n)
	}
	if adds != "" {
		name := "zz_rehearse_visits.go"
		if tests {
			name = fmt.Sprintf("zz_rehearse_visits_of_%s_test.go", pkg.Name) // two packages of tests may share a folder
		}
		v.lay(scratch, fmt.Sprintf("visits%d.go", first), filepath.Join(filepath.Dir(pkg.GoFiles[0]), name),
			fmt.Sprintf(visitsOfPackage, pkg.Name, adds, first))
	}
}

// parted marks the units that are executed in parts.
func (v *visits) parted(units []unit, file *ast.File) {
	mark := func(pos token.Pos) {
		place := v.fset.PositionFor(pos, false)
		here := point{place.Line, place.Column}
		for i, u := range units {
			if !here.before(u.first) && !u.last.before(here) { // also where the unit ends, which is how heads of statements do
				units[i].parts = true
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			mark(n.Body.Lbrace)
		case *ast.RangeStmt:
			mark(n.Body.Lbrace)
		case *ast.TypeSwitchStmt:
			mark(n.Body.Lbrace)
		case *ast.SelectStmt:
			mark(n.Body.Lbrace)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				mark(n.OpPos)
			}
		}
		return true
	})
}

// lay puts a file over one of the program.
func (v *visits) lay(scratch, name, over, content string) {
	at := filepath.Join(scratch, name)
	if err := os.WriteFile(at, []byte(content), 0o666); err != nil {
		v.why = err.Error()
	}
	v.replace[over] = at
}

// counting gives a file with counters, and what they are of.
func counting(ctx context.Context, file, variable string) (source string, units []unit, err error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "cover", "-mode=count", "-var="+variable, file)
	out, err := cmd.Output()
	if err != nil {
		return "", nil, fmt.Errorf("go tool cover: %w", err)
	}
	_, table, _ := strings.Cut(string(out), "\nvar "+variable+" = struct {")
	for _, m := range unitLine.FindAllStringSubmatch(table, -1) {
		var n [3]int
		for i := range n {
			k, err := strconv.ParseInt(m[i+1], 0, 64)
			if err != nil {
				return "", nil, fmt.Errorf("go tool cover: %w", err)
			}
			n[i] = int(k)
		}
		units = append(units, unit{first: point{n[0], n[2] & 0xffff}, last: point{n[1], n[2] >> 16}})
	}
	return string(out), units, nil
}

// unitLine is an entry of the table that go tool cover writes: the lines, and both columns in one number.
var unitLine = regexp.MustCompile(`(?m)^\t\t(\d+), (\d+), (0x[0-9a-f]+), // \[\d+\]$`)

// unitAt gives the number of the file and of the unit that a place is in.
func (v *visits) unitAt(pos token.Pos) (at [2]int, ok bool) {
	if !pos.IsValid() {
		return at, false
	}
	place := v.fset.PositionFor(pos, false)
	file, ok := v.files[place.Filename]
	if !ok {
		return at, false
	}
	here := point{place.Line, place.Column}
	holds := func(u unit) bool { return !here.before(u.first) && here.before(u.last) }
	i := slices.IndexFunc(v.units[file], holds)
	for k, u := range v.units[file] {
		if u.operand && holds(u) && (i < 0 || !u.first.before(v.units[file][i].first)) {
			// the innermost; behind it is what stands in a function literal
			i = k
		}
	}
	return [2]int{file, i}, i >= 0
}

// placed lists the places of a block's instructions that are executed where they are written.
func placed(b *ssa.BasicBlock) (list []token.Pos) {
	for _, in := range b.Instrs {
		switch in.(type) {
		case *ssa.Phi, *ssa.Alloc, *ssa.DebugRef, *ssa.RunDefers:
			continue
		}
		if in.Pos().IsValid() {
			list = append(list, in.Pos())
		}
	}
	return list
}

// missed says where the test of a case went another way than the case, "" if it did not. Whether the test was where the
// case is not is asked on two conditions only. The case has no marks, and nothing but the tested message may have had
// the program's functions run.
func (v *visits) missed(p *load.Program, t *Test, been map[[2]int]int) string {
	c := t.Case
	mine, entered := map[[2]int]bool{}, map[*ssa.Function]bool{}
	for _, b := range c.Path.Blocks {
		entered[b.Parent()] = true
		first := true
		for _, pos := range placed(b) {
			at, ok := v.unitAt(pos)
			if ok && first && been[at] == 0 {
				return fmt.Sprintf("the test does not reach %s, which is on the path of the case", p.Position(pos))
			}
			first = first && !ok && pos != c.Path.Pos
			if ok {
				mine[at] = true
			}
		}
	}
	if t.Way || len(c.Marks) > 0 || len(c.Steps) > 0 ||
		slices.ContainsFunc(c.Events, func(e symbolic.Event) bool { return e.Op == "spawn" }) {
		return ""
	}
	for fn := range entered {
		for _, b := range fn.Blocks {
			for _, pos := range placed(b) {
				if at, ok := v.unitAt(pos); ok && !v.units[at[0]][at[1]].parts && been[at] > 0 && !mine[at] {
					return fmt.Sprintf("the test reaches %s, which is not on the path of the case", p.Position(pos))
				}
			}
		}
	}
	return ""
}

// telling has the tests of a file write down what they execute. No line moves.
func telling(content []byte) []byte {
	return subtest.ReplaceAll(content, []byte("${0} rehearseVisitsOf(t)"))
}

var subtest = regexp.MustCompile(`(?m)^\tt\.Run\(".*", func\(t \*testing\.T\) \{$`)

// read gives how often tests have executed units, by their names.
func (v *visits) read() (map[string]map[[2]int]int, error) {
	data, err := os.ReadFile(v.out)
	if err != nil {
		return nil, err
	}
	all := map[string]map[[2]int]int{}
	for line := range strings.Lines(string(data)) {
		var r struct {
			Test  string
			Files int
			At    [][3]int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		if r.Files < v.sure {
			return nil, fmt.Errorf("%s counts in %d files of %d: does the program change flag.CommandLine?", r.Test, r.Files,
				v.sure)
		}
		all[r.Test] = map[[2]int]int{}
		for _, at := range r.At {
			all[r.Test][[2]int{at[0], at[1]}] = at[2]
		}
	}
	return all, nil
}

// visitsVariable is the variable of the environment that names the file.
const visitsVariable = "REHEARSE_TEST_VISITS"

// visitsOfPackage hands the counters of a package to the tests of another one, as values of flags: that is what both
// can see without a further package.
const visitsOfPackage = `package %[1]s

import "flag"

type rehearseVisits%[3]d []uint32

func (v rehearseVisits%[3]d) String() string   { return "" }
func (v rehearseVisits%[3]d) Set(string) error { return nil }
func (v rehearseVisits%[3]d) Get() any         { return []uint32(v) }

func init() {
%[2]s}
`

// visitsOfTests clears all counters when a test begins, and writes them down when it is over.
const visitsOfTests = `package %s

import (
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

func rehearseVisitsOf(t *testing.T) {
	counts := map[int][]uint32{}
	flag.VisitAll(func(f *flag.Flag) {
		if n, ok := strings.CutPrefix(f.Name, "rehearse-visits-"); ok {
			file, _ := strconv.Atoi(n)
			counts[file] = f.Value.(flag.Getter).Get().([]uint32)
			clear(counts[file])
		}
	})
	t.Cleanup(func() {
		at := [][3]int{}
		for file, list := range counts {
			for i, n := range list {
				if n > 0 {
					at = append(at, [3]int{file, i, int(n)})
				}
			}
		}
		data, err := json.Marshal(map[string]any{"Test": t.Name(), "Files": len(counts), "At": at})
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(os.Getenv("` + visitsVariable + `"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append(data, '\n')); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
`
