package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// module writes files, given as name and contents by turns, below a new module "m" and gives its directory.
func module(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.25.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	return dir
}

func paths(p *Program) string {
	var ids []string
	for _, pkg := range p.Packages {
		ids = append(ids, pkg.ID)
	}
	return strings.Join(ids, ", ")
}

func TestApplication(t *testing.T) {
	files := []string{
		"a/a.go", "package a\nimport (\"m/b\"; \"strings\")\nfunc A() int { return b.B() + strings.Count(\"\", \"\") }\n",
		"b/b.go", "package b\nfunc B() int { return 1 }\n",
		"c/c.go", "package c\nimport \"m/b\"\nvar C = b.B()\n",
		"c/c_test.go", "package c\nimport \"testing\"\nfunc TestC(t *testing.T) { _ = C }\n",
		"c/x_test.go", "package c_test\nimport (\"testing\"; \"m/c\")\nfunc TestX(t *testing.T) { _ = c.C }\n",
	}
	for _, c := range []struct{ pattern, want string }{
		{"./a", "m/a, m/b"},
		{"./b", "m/b"},
		{"./c", "m/b, m/c [m/c.test], m/c_test [m/c.test]"},
		{"./...", "m/a, m/b, m/c [m/c.test], m/c_test [m/c.test]"},
	} {
		p, err := Load(module(t, files...), c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := paths(p); got != c.want || len(p.Problems) > 0 || p.Partial() {
			t.Errorf("%s: application %s, want %s; problems %v", c.pattern, got, c.want, p.Problems)
		}
		for _, pkg := range p.Packages {
			if pkg.Root == (pkg.PkgPath == "m/b" && c.pattern != "./b" && c.pattern != "./...") {
				t.Errorf("%s: %s is a root: %t", c.pattern, pkg.ID, pkg.Root)
			}
		}
	}
	p, err := Config{Dir: module(t, files...), Patterns: []string{"./c"}, NoTests: true}.Load()
	if err != nil || paths(p) != "m/b, m/c" {
		t.Errorf("without tests: %v, %v", p, err)
	}
}

// Bodies are there exactly for functions of the application, instances of its generic functions included.
func TestBodies(t *testing.T) {
	dir := module(t, "a.go", `package a

import "slices"

func first[T any](xs []T) T { return xs[0] }

func Use(xs []int) int {
	slices.Sort(xs)
	return first(xs)
}
`)
	p, err := Load(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	use := p.Packages[0].SSA.Func("Use")
	bodies := map[string]bool{}
	for _, b := range use.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				fn := call.Call.StaticCallee()
				bodies[fn.Name()] = fn.Blocks != nil
			}
		}
	}
	if len(bodies) != 2 || bodies["Sort[[]int int]"] || !bodies["first[int]"] {
		t.Errorf("bodies of what Use calls: %v; want that of first alone", bodies)
	}
	if at := p.Position(use.Pos()); at != "a.go:7" {
		t.Errorf("Use is at %s, want a.go:7", at)
	}
}

func TestBadInput(t *testing.T) {
	good := []string{"good/g.go", "package good\n"}
	for name, c := range map[string]struct {
		files    []string
		pattern  string
		problems []string // parts of them, in order
		fails    string   // part of the error, "" if part of the application remains
	}{
		"does not compile": {
			append(good, "bad/b.go", "package bad\n\nvar X int = \"\"\n\nfunc f() { y() }\n"), "./...",
			[]string{`bad/b.go:3: m/bad: left out, because this does not compile: cannot use "" (untyped string constant)`, "bad/b.go:5: m/bad: left out"}, ""},
		"does not parse": {
			append(good, "bad/b.go", "package bad\n\nfunc f( {\n"), "./...", []string{"bad/b.go:3: m/bad: left out"}, ""},
		"imports what does not compile": {
			append(good, "bad/b.go", "package bad\nvar X int = \"\"\n", "uses/u.go", "package uses\nimport \"m/bad\"\nvar Y = bad.X\n"), "./...",
			[]string{"bad/b.go:2: m/bad: left out", "m/uses: left out, because it imports a package that does not compile: m/bad"}, ""},
		"tests do not compile": {
			append(good, "good/g_test.go", "package good\nvar X int = \"\"\n"), "./...", []string{"good/g_test.go:2: the tests of m/good: left out"}, ""},
		"missing dependency": {
			append(good, "bad/b.go", "package bad\nimport _ \"example.com/nowhere\"\n"), "./...",
			[]string{"bad/b.go:2: m/bad: left out, because this does not compile: there is no package example.com/nowhere; go get it"}, ""},
		"missing package of the module": {
			append(good, "bad/b.go", "package bad\nimport _ \"m/nowhere\"\n"), "./...", []string{"bad/b.go:2: m/bad: left out, because this does not compile: there is no package m/nowhere"}, ""},
		"build tags": {
			append(good, "good/other.go", "//go:build special\n\npackage good\n"), "./...",
			[]string{"good/other.go:1: left out by its build constraints; set GOFLAGS=-tags="}, ""},
		"cgo": {
			append(good, "c/c.go", "package c\n\n// int one() { return 1; }\nimport \"C\"\n\nvar One = C.one()\n"), "./...",
			[]string{"m/c: calls C, which is not analysed"}, ""},
		"nothing matches":       {good, "./none/...", nil, "no such file or directory"},
		"nobody requires it":    {good, "example.com/nowhere", nil, "to add it: go get example.com/nowhere"},
		"nothing there":         {good, "./none", nil, "none"},
		"nothing compiles":      {[]string{"bad/b.go", "package bad\nvar X int = \"\"\n"}, "./...", nil, "no package compiles"},
		"all files constrained": {[]string{"a/a.go", "//go:build special\n\npackage a\n"}, "./a", nil, "build constraints exclude all Go files"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Load(module(t, c.files...), c.pattern)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("error %v, want one with %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !p.Partial() || !strings.Contains(paths(p), "m/good") {
				t.Errorf("partial: %t, application %s; want a partial one with m/good", p.Partial(), paths(p))
			}
			if !slices.EqualFunc(p.Problems, c.problems, func(got Problem, want string) bool { return strings.HasPrefix(got.String(), want) }) {
				t.Errorf("problems\n%s\nwant\n\t%s", joined(p.Problems), strings.Join(c.problems, "\n\t"))
			}
		})
	}
}

// A build tag brings a file back.
func TestTags(t *testing.T) {
	dir := module(t, "a.go", "package a\n", "b.go", "//go:build special\n\npackage a\nfunc B() {}\n")
	p, err := Config{Dir: dir, Patterns: []string{"."}, Tags: []string{"special"}}.Load()
	if err != nil || p.Partial() || p.Packages[0].SSA.Func("B") == nil {
		t.Errorf("with its tag b.go should be there: %v, %v", p, err)
	}
}

func TestNoPatterns(t *testing.T) {
	if _, err := Load("."); err == nil || !strings.Contains(err.Error(), "name at least one") {
		t.Errorf("error %v, want advice", err)
	}
}

// TestFunctionsStay: the list is made once, so what an analysis does with the program must not give it other functions;
// and one caller's appending must not show in another's list.
func TestFunctionsStay(t *testing.T) {
	p, err := Load(module(t, "a/a.go", `package a
type T[E any] struct{ e E }
func (t T[E]) Get() E { return t.e }
type Inner struct{}
func (*Inner) Close() {}
type Outer struct{ Inner }
func F() (any, func()) {
	o := &Outer{}
	return T[int]{1}, o.Close
}
`), "./a")
	if err != nil {
		t.Fatal(err)
	}
	list := p.Functions()
	if len(list) < 5 {
		t.Fatalf("only %v", list)
	}
	for _, u := range p.SSA.RuntimeTypes() {
		for sel := range p.SSA.MethodSets.MethodSet(u).Methods() {
			p.SSA.MethodValue(sel)
		}
	}
	if now := collect(p.SSA); !slices.Equal(now, list) {
		t.Errorf("functions of the same program: first %v, then %v", list, now)
	}
	_ = append(p.Functions(), nil)
	if more := append(p.Functions(), list[0]); more[len(list)] != list[0] || !slices.Equal(p.Functions(), list) {
		t.Error("the list changed")
	}
}
