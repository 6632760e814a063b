package gentest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// trial is the test binary of a package with its mutants, its generated tests, those by hand, and random runs of its
// handlers.
type trial struct {
	t         *testing.T
	mutants   *mutants
	bin       string
	generated string       // matches the generated tests
	reached   map[int]bool // mutants that these execute
	byHand    map[int]bool // mutants that the package's own tests execute
	original  []string     // what comes of the random runs of the program as it is
	endless   []string     // the numbers of those that come to no end
}

// prepare compiles it. It gives nil if there are no generated tests.
func prepare(t *testing.T, dir, pattern string) *trial {
	t.Helper()
	q, packages := made(t, dir, pattern, "", gentest.Options{})
	if len(packages) == 0 {
		return nil
	}
	pkg := packages[0]
	if s := confirmed(t, packages[:1]); s.confirmed == 0 {
		return nil
	}
	var source *load.Package
	for _, p := range q.Loaded().Packages {
		if p.PkgPath == pkg.Path {
			source = p
		}
	}
	w := &trial{t: t, mutants: mutate(q.Loaded().Fset, source)}
	scratch := t.TempDir()
	overlay, err := w.mutants.write(scratch)
	if err != nil {
		t.Fatal(err)
	}
	native := overlaid(t, overlay, source, scratch, q)
	w.bin, w.generated = compiled(t, pkg, scratch, overlay)
	w.reached = w.reach(filepath.Join(scratch, "reached"), "-test.run="+w.generated)
	if native {
		w.original = w.random(0, randomRuns)
	}
	t.Logf("%d mutants; %d random runs, and %d without an end", len(w.mutants.list), len(w.original), len(w.endless))
	w.byHand = w.reach(filepath.Join(scratch, "byhand"), "-test.skip="+w.generated)
	return w
}

var packageOverlay = regexp.MustCompile(`(?m)^package overlay$`)

// watched compiles the tests of a package beside its mutants alone.
func watched(t *testing.T, q *cases.Program, pkg *gentest.Package) *trial {
	t.Helper()
	i := slices.IndexFunc(q.Loaded().Packages, func(p *load.Package) bool { return p.PkgPath == pkg.Path })
	source := q.Loaded().Packages[i]
	w := &trial{t: t, mutants: mutate(q.Loaded().Fset, source)}
	scratch := t.TempDir()
	overlay, err := w.mutants.write(scratch)
	if err != nil {
		t.Fatal(err)
	}
	overlaid(t, overlay, source, scratch, q)
	w.bin, w.generated = compiled(t, pkg, scratch, overlay)
	w.reached = w.reach(filepath.Join(scratch, "reached"), "-test.run="+w.generated)
	return w
}

// reach gives the mutants that tests execute.
func (w *trial) reach(file, tests string) map[int]bool {
	reached := map[int]bool{}
	if out, failed := w.run(1<<30, []string{"GENTEST_REACHED=" + file}, tests); failed {
		w.t.Fatalf("tests fail on the program as it is (%s):\n%s", tests, out)
	}
	data, _ := os.ReadFile(file)
	for _, line := range strings.Fields(string(data)) {
		n, _ := strconv.Atoi(line)
		reached[n] = true
	}
	return reached
}

// compiled compiles the tests of a package, with its confirmed generated tests. It also gives an expression that
// matches these.
func compiled(t *testing.T, pkg *gentest.Package, scratch string, overlay map[string]string) (bin, generated string) {
	t.Helper()
	files, err := pkg.Files(func(x *gentest.Test) bool { return x.State == gentest.Confirmed })
	if err != nil {
		t.Fatal(err)
	}
	old, _ := filepath.Glob(filepath.Join(pkg.Dir, "*"+gentest.Suffix))
	for _, f := range old {
		overlay[f] = ""
	}
	for _, f := range files {
		overlay[filepath.Join(pkg.Dir, f.Name)] = filepath.Join(scratch, f.Name)
		if err := os.WriteFile(filepath.Join(scratch, f.Name), f.Content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, _ := json.Marshal(map[string]any{"Replace": overlay})
	at := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(at, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var names []string
	seen := map[string]bool{}
	for _, x := range pkg.Tests {
		if x.State == gentest.Confirmed && !seen[x.Func] {
			seen[x.Func], names = true, append(names, x.Func)
		}
	}
	bin = filepath.Join(scratch, "test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s", "-overlay="+at, "-o", bin, ".")
	cmd.Dir = pkg.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin, "^(" + strings.Join(names, "|") + ")$"
}

// overlaid adds what picks a mutant to a package and, if it has native actors, the random runs.
func overlaid(t *testing.T, overlay map[string]string, pkg *load.Package, scratch string, q *cases.Program) (native bool) {
	t.Helper()
	files := map[string]string{"mutants.go": ""}
	if list := handlers(q, pkg); len(list) > 0 {
		files["random_test.go"] = ""
		files["random_table_test.go"] = fmt.Sprintf("package %s\n\nfunc init() {\nrandomPackage = %q\nrandomTargets = []randomTarget{\n%s}\n}\n", pkg.Name, pkg.PkgPath,
			strings.Join(list, ""))
	}
	for name, source := range files {
		if source == "" {
			data, err := os.ReadFile(filepath.Join("testdata", "overlay", name))
			if err != nil {
				t.Fatal(err)
			}
			source = packageOverlay.ReplaceAllString(string(data), "package "+pkg.Name)
		}
		at := filepath.Join(scratch, name)
		if err := os.WriteFile(at, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(filepath.Dir(pkg.GoFiles[0]), "zz_"+name)] = at
	}
	return len(files) > 1
}

// handlers lists the handlers of native actors of a package as Go source, but for those in other functions.
func handlers(q *cases.Program, pkg *load.Package) (list []string) {
	targets, _ := q.Select("")
	local := func(t types.Type) bool {
		n, ok := types.Unalias(t).(*types.Named)
		return !ok || n.Obj().Pkg() == pkg.Types && n.Obj().Parent() == pkg.Types.Scope()
	}
	for _, t := range gentest.Tested(q, targets) {
		recv := t.Fn.Signature.Recv()
		if t.Kind != cases.NativeHandler || recv == nil {
			continue
		}
		typ, pointer := recv.Type().(*types.Pointer)
		if !pointer || !local(typ.Elem()) {
			continue
		}
		msg := "nil"
		if m := t.Handler.Message; m != nil {
			if p, ok := m.(*types.Pointer); ok && !local(p.Elem()) || !local(m) {
				continue
			}
			msg = "*new(" + types.TypeString(m, types.RelativeTo(pkg.Types)) + ")"
		}
		list = append(list, fmt.Sprintf("{%q, new(%s), %s},\n", t.Name, types.TypeString(typ.Elem(), types.RelativeTo(pkg.Types)), msg))
	}
	return list
}

// environ is the environment without what is for these tests alone: a Check refuses variables of Rehearse that it does
// not know.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REHEARSE_") })
}

// run runs tests on a mutant; 0 is the program as it is, without what watches mutants.
func (w *trial) run(n int, env []string, args ...string) (out []byte, failed bool) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.bin, append([]string{"-test.failfast", "-test.short", "-test.timeout=2m"}, args...)...)
	cmd.Dir = filepath.Dir(w.mutants.pkg.GoFiles[0])
	cmd.Env = append(environ(), append(env, fmt.Sprintf("GENTEST_MUTANT=%d", n), "REHEARSE_SAVE=off")...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return out, err != nil
}

// kills reports whether generated tests fail on a mutant. Tests that do not end fail, too.
func (w *trial) kills(n int) bool {
	_, failed := w.run(n, nil, "-test.run="+w.generated)
	return failed
}

// killsByHand reports whether the package's own tests do. Those that do not execute the mutant cannot.
func (w *trial) killsByHand(n int) bool {
	if !w.byHand[max(n, -n)] {
		return false
	}
	_, failed := w.run(n, nil, "-test.skip="+w.generated)
	return failed
}

// randomRuns is how many random runs there are of each handler.
const randomRuns = 100

// random gives what comes of random runs of a mutant: a line each. Those of the program that come to no end are left
// out.
func (w *trial) random(n, each int) (lines []string) {
	for next := 0; ; {
		env := []string{fmt.Sprintf("GENTEST_RANDOM=%d,%d", next, each), "GENTEST_SKIP=" + strings.Join(w.endless, ",")}
		out, failed := w.run(n, env, "-test.run=^TestRandomRuns$")
		for line := range strings.Lines(string(out)) {
			var k int
			if _, err := fmt.Sscanf(line, "run %d of ", &k); err == nil {
				lines, next = append(lines, line), k+1
			}
		}
		if !failed || n != 0 {
			return lines
		}
		for slices.Contains(w.endless, strconv.Itoa(next)) {
			next++
		}
		if w.endless = append(w.endless, strconv.Itoa(next)); len(w.endless) > randomRuns {
			w.t.Fatalf("random runs fail:\n%s", out)
		}
		next++
	}
}

// differs says which random run of a mutant does something else than the program; "" if none does.
func (w *trial) differs(n int) string {
	for _, each := range []int{randomRuns / 10, randomRuns} { // most differ soon
		lines := w.random(n, each)
		for i, line := range w.original[:min(len(w.original), len(lines)+1)] {
			if i < len(lines) && lines[i] != line || i == len(lines) && (i == 0 || each == randomRuns) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// tally counts mutants. One differs if a test fails on it, which passes on the program, or if a random run of a handler
// does something else.
type tally struct{ tried, differ, generated, byHand, both int }

// try judges mutants: by the generated tests, by random runs where they pass, and by the tests by hand, which take
// longest.
func (w *trial) try(numbers []int) (s tally) {
	generated, run := map[int]bool{}, map[int]string{}
	for _, n := range numbers {
		generated[n] = w.kills(n)
	}
	for _, n := range numbers {
		if !generated[n] {
			run[n] = w.differs(n)
			w.t.Logf("survives: %s; executed: %v; differs: %q", w.mutants.list[n-1], w.reached[n], run[n])
		}
	}
	for _, n := range numbers {
		byHand := w.killsByHand(n)
		w.t.Logf("mutant %d, %s: generated tests %v, by hand %v", n, w.mutants.list[n-1], generated[n], byHand)
		s.add(generated[n], byHand, run[n] != "")
		if s.tried%25 == 0 {
			s.log(w.t)
		}
	}
	return s
}

func (s *tally) add(generated, byHand, differs bool) {
	one := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	one(&s.tried, true)
	one(&s.differ, generated || byHand || differs)
	one(&s.generated, generated)
	one(&s.byHand, byHand)
	one(&s.both, generated && byHand)
}

// TestMutants: generated tests fail on mutants that differ from the program. REHEARSE_GENERATE=mutants takes 300 of
// subjects, and all its constants.
func TestMutants(t *testing.T) {
	all := os.Getenv("REHEARSE_GENERATE") == "mutants"
	dir, pattern, count := "../../examples", "./bank", 3
	if os.Getenv("REHEARSE_TOY") != "" {
		count = 12
	}
	if all {
		dir, pattern, count = "../../subjects", ".", 300
	}
	w := prepare(t, dir, pattern)
	if all {
		var c changes
		w.constants(&c)
		c.share(t, 90)
	}
	var numbers []int
	for _, k := range rand.New(rand.NewPCG(1, 2)).Perm(len(w.mutants.list)) {
		numbers = append(numbers, k+1)
	}
	s := w.try(numbers[:min(count, len(numbers))])
	s.log(t)
	if s.generated*10 < s.differ*9 {
		t.Errorf("generated tests kill %d of %d mutants that differ: want nine of ten", s.generated, s.differ)
	}
}

func (s *tally) log(t *testing.T) {
	t.Helper()
	t.Logf("%d mutants: %d differ; of these generated tests kill %d, tests by hand %d, both %d", s.tried, s.differ, s.generated, s.byHand, s.both)
}
