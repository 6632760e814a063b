package load

import (
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// visited reads packages and gives the IDs of those that were visited. It is an error if one comes before what it
// imports.
func visited(t *testing.T, s *Sources) map[string]*packages.Package {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]*packages.Package{}
	s.Visit(func(p *packages.Package) {
		mu.Lock()
		defer mu.Unlock()
		for _, dep := range p.Imports {
			if s.read[dep] && seen[dep.ID] == nil {
				t.Errorf("%s is visited before %s, which it imports", p.ID, dep.ID)
			}
		}
		if seen[p.ID] != nil {
			t.Errorf("%s is visited twice", p.ID)
		}
		seen[p.ID] = p
	})
	return seen
}

func ids(pkgs []*packages.Package) string {
	var names []string
	for _, p := range pkgs {
		names = append(names, p.ID)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func names(seen map[string]*packages.Package) string {
	var pkgs []*packages.Package
	for _, p := range seen {
		pkgs = append(pkgs, p)
	}
	return ids(pkgs)
}

// What is read, what of it is named, and what is only known by its types: d, since it is opaque, and e, which only d
// needs.
func TestSources(t *testing.T) {
	dir := module(t,
		"a/a.go", "package a\nimport (\"m/b\"; \"m/d\"; \"strings\")\nfunc A() d.T { b.B().M(); return d.New(strings.ToUpper(\"\")) }\n",
		"b/b.go", "package b\nimport \"m/c\"\nfunc B() c.C { return c.C{} }\n",
		"c/c.go", "package c\ntype C struct{}\nfunc (C) M() {}\n",
		"c/c_test.go", "package c\nimport \"testing\"\nfunc TestC(t *testing.T) { C{}.M() }\n",
		"c/x_test.go", "package c_test\nimport (\"testing\"; \"m/b\"; \"m/c\")\nfunc TestX(t *testing.T) { var _ c.C = b.B() }\n",
		"d/d.go", "package d\nimport (\"m/c\"; \"m/e\")\ntype T struct{ c.C; E e.E }\nfunc New(string) T { return T{} }\n",
		"e/e.go", "package e\ntype E int\n",
	)
	opaque := func(path string) bool { return path == "m/d" }
	for _, c := range []struct{ patterns, read, roots string }{
		{"./a", "m/a, m/b, m/c", "m/a"},
		{"./c", "m/b [m/c.test], m/c, m/c [m/c.test], m/c_test [m/c.test]", "m/c [m/c.test], m/c_test [m/c.test]"},
		{"./d", "m/c, m/d, m/e", "m/d"},
		{"./a ./c", "m/a, m/b, m/b [m/c.test], m/c, m/c [m/c.test], m/c_test [m/c.test]", "m/a, m/c [m/c.test], m/c_test [m/c.test]"},
	} {
		s, err := Config{Dir: dir, Patterns: strings.Fields(c.patterns)}.Sources(opaque)
		if err != nil {
			t.Fatal(err)
		}
		seen := visited(t, s)
		if got := names(seen); got != c.read {
			t.Errorf("%s: read %s, want %s", c.patterns, got, c.read)
		}
		if got := ids(s.Roots()); got != c.roots {
			t.Errorf("%s: roots %s, want %s", c.patterns, got, c.roots)
		}
		if len(s.Problems()) > 0 {
			t.Errorf("%s: problems %v", c.patterns, s.Problems())
		}
		if a := seen["m/a"]; a != nil {
			field := a.Types.Scope().Lookup("A").Type().(*types.Signature).Results().At(0).Type().Underlying().(*types.Struct).Field(0)
			if !types.Identical(field.Type(), seen["m/c"].Types.Scope().Lookup("C").Type()) {
				t.Errorf("%s: the field of m/d, from export data, has another type than m/c, from source", c.patterns)
			}
		}
	}
}

// Packages that do not compile, and those that depend on them, are told and not visited; the others are visited all the
// same.
func TestSourcesWithErrors(t *testing.T) {
	dir := module(t,
		"good/g.go", "package good\n",
		"bad/b.go", "package bad\nvar X int = \"\"\n",
		"uses/u.go", "package uses\nimport \"m/bad\"\nvar Y = bad.X\n",
		"worse/w.go", "package worse\nfunc f( {\n",
		"missing/m.go", "package missing\nimport _ \"example.com/nowhere\"\n",
	)
	s, err := Config{Dir: dir, Patterns: []string{"./..."}}.Sources(func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	if got := names(visited(t, s)); got != "m/good" {
		t.Errorf("visited %s, want m/good alone", got)
	}
	want := []string{"bad/b.go:2: m/bad: left out, because this does not compile: cannot use", "m/uses: left out, because it imports a package that does not compile: m/bad",
		"missing/m.go:2: ", "worse/w.go:2: "}
	want = slices.Insert(want, 1, "m/missing: left out, because it imports a package that does not compile: example.com/nowhere")
	if got := s.Problems(); !slices.EqualFunc(got, want, func(p Problem, want string) bool { return strings.HasPrefix(p.String(), want) }) {
		t.Errorf("problems\n%s\nwant\n\t%s", joined(got), strings.Join(want, "\n\t"))
	}
	s, err = Config{Dir: dir, Patterns: []string{"./none/..."}}.Sources(func(string) bool { return false })
	if err != nil || len(visited(t, s)) > 0 || len(s.Problems()) == 0 {
		t.Errorf("no package matches: error %v, problems %v", err, s.Problems())
	}
}
