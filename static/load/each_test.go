package load

import (
	"strings"
	"testing"
)

// A program of Each is what Load gives for its root alone; a package that does not compile fails by itself.
func TestEach(t *testing.T) {
	dir := module(t,
		"a/a.go", "package a\nimport \"m/b\"\nfunc A() int { return b.B() }\n",
		"b/b.go", "package b\nfunc B() int { return 1 }\n",
		"b/x_test.go", "package b_test\nimport (\"testing\"; \"m/b\"; \"m/d\")\nfunc TestX(t *testing.T) { _ = b.B() + d.D }\n",
		"c/c.go", "package c\nfunc C() { missing() }\n",
		"d/d.go", "package d\nimport \"m/b\"\nvar D = b.B()\n",
	)
	each, err := Config{Dir: dir, Patterns: []string{"./..."}}.Each()
	if err != nil {
		t.Fatal(err)
	}
	var roots []string
	for p, err := range each {
		if err != nil {
			if !strings.Contains(err.Error(), "load m/c in ") || !strings.Contains(err.Error(), "undefined: missing") {
				t.Error(err)
			}
			roots = append(roots, "failed")
			continue
		}
		name := p.Dir[strings.LastIndexByte(p.Dir, '/')+1:]
		roots = append(roots, name)
		want := map[string]string{"a": "m/a, m/b", "d": "m/b, m/d"}[name] // without the tests of what they need
		if name == "b" {
			alone, err := Load(dir, "./b")
			if err != nil {
				t.Fatal(err)
			}
			want = paths(alone)
		}
		if got := paths(p); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		for _, pkg := range p.Packages {
			if pkg.Root != (strings.TrimSuffix(pkg.PkgPath, "_test") == "m/"+name) || p.SSA.Package(pkg.Types) != pkg.SSA {
				t.Errorf("%s: %s, root %t", name, pkg.ID, pkg.Root)
			}
		}
	}
	if got := strings.Join(roots, " "); got != "a b failed d" {
		t.Errorf("roots %s", got)
	}
}
