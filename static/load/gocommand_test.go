package load

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The go command, asked once, says what packages.Load finds out.
func TestExported(t *testing.T) {
	dir, paths := module(t, "a/a.go", "package a\n"), []string{"fmt", "m/a"}
	for _, c := range []Config{{Dir: dir}, {Dir: dir, Tags: []string{"x", "y"}, Flags: []string{"-mod=mod"}}} {
		c.NoTests = true
		list, err := c.packages(token.NewFileSet(), packages.NeedName|packages.NeedExportFile, paths)
		if err != nil {
			t.Fatal(err)
		}
		sizes, files, ok := c.exported(paths)
		if !ok || len(files) != len(list)+1 {
			t.Fatalf("%v: %v, %v", c, files, ok)
		}
		for _, p := range list {
			if files[p.PkgPath] != p.ExportFile {
				t.Errorf("%v: %s is in %s: want %s", c, p.PkgPath, files[p.PkgPath], p.ExportFile)
			}
		}
		if want := types.SizesFor("gc", runtime.GOARCH); !reflect.DeepEqual(sizes, want) {
			t.Errorf("%v: sizes %v, want %v", c, sizes, want)
		}
	}
	small := Config{Dir: dir, Env: append(os.Environ(), "GOARCH=386")}
	if sizes, _, ok := small.exported(nil); !ok || sizes.Sizeof(types.Typ[types.Uintptr]) != 4 {
		t.Errorf("386: %v, %v", sizes, ok)
	}
}

// What there is is the same as packages.Load says, down to the last dependency: with tests, within and outside of
// packages, tags, cgo and further modules.
func TestListed(t *testing.T) {
	dir := module(t,
		"a/a.go", "package a\n\nimport _ \"m/b\"\n",
		"a/a_test.go", "package a\n\nimport _ \"go/token\"\n",
		"a/x_test.go", "package a_test\n\nimport (\n\t_ \"m/a\"\n\t_ \"m/c\"\n\t_ \"testing\"\n)\n",
		"b/b.go", "package b\n\nimport _ \"net/http\"\n",
		"b/tagged.go", "//go:build x\n\npackage b\n\nimport _ \"go/ast\"\n",
		"c/c.go", "package c\n\nimport _ \"m/a\"\n",
		"d/d.go", "package main\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc main() { C.one() }\n",
	)
	for _, c := range []Config{
		{Dir: dir, Patterns: []string{"./..."}}, {Dir: dir, Patterns: []string{"./..."}, NoTests: true},
		{Dir: dir, Patterns: []string{"./b", "slices"}, Tags: []string{"x"}},
		{Dir: "../flow", Patterns: []string{".", "golang.org/x/tools/go/packages"}},
	} {
		want, err := c.packages(token.NewFileSet(), metadata, c.Patterns)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := c.listed(c.Patterns)
		g, w := described(got), described(want)
		if !ok || !slices.Equal(g, w) {
			has := func(list []string) func(string) bool {
				return func(line string) bool { return slices.Contains(list, line) }
			}
			more, less := slices.DeleteFunc(slices.Clone(g), has(w)), slices.DeleteFunc(slices.Clone(w), has(g))
			t.Errorf("%v: %v\n%s\nwant\n%s", c.Patterns, ok, strings.Join(more, "\n"), strings.Join(less, "\n"))
		}
	}
}

// described writes down packages and all that they need, but for versions of modules.
func described(list []*packages.Package) (lines []string) {
	seen := map[*packages.Package]bool{}
	var add func(p *packages.Package, how string)
	add = func(p *packages.Package, how string) {
		if seen[p] {
			return
		}
		seen[p] = true
		var imports []string
		for path, dep := range p.Imports {
			imports = append(imports, path+" is "+dep.ID)
			add(dep, "needed")
		}
		slices.Sort(imports)
		module := ""
		if p.Module != nil {
			module = p.Module.Path + " " + p.Module.GoVersion + " " + p.Module.Dir
		}
		lines = append(lines, fmt.Sprint(how, " ", p.ID, p.Name, p.PkgPath, p.GoFiles, p.OtherFiles, p.IgnoredFiles,
			p.ForTest, module, imports, p.Errors))
	}
	for _, p := range list {
		seen[p] = true
	}
	for _, p := range list {
		seen[p] = false
		add(p, "root")
	}
	slices.Sort(lines)
	return lines
}

// What is out of the ordinary is left to packages.Load.
func TestExportedNot(t *testing.T) {
	dir := module(t, "a/a.go", "package a\n\nvar x int = \"x\"\n")
	for name, c := range map[string]Config{
		"no such package": {Dir: dir}, "m/a": {Dir: dir}, "fmt": {Dir: dir, Overlay: map[string][]byte{"x": nil}},
		"os": {Dir: dir, Env: append(os.Environ(), "GOPACKAGESDRIVER=/bin/other")},
	} {
		if _, files, ok := c.exported([]string{name}); ok {
			t.Errorf("%s: %v", name, files)
		}
		if name == "m/a" {
			continue // that it does not compile is not seen by looking at what there is
		}
		if list, ok := c.listed([]string{name}); ok {
			t.Errorf("%s: %v", name, list)
		}
	}
	if (Config{Env: append(os.Environ(), "GOPACKAGESDRIVER=off")}).otherDriver() {
		t.Error("no driver is taken for one")
	}
}

// Of packages that are named as untested neither their own tests are read, nor what only these need; others have
// theirs.
func TestUntested(t *testing.T) {
	dir := module(t,
		"a/a.go", "package a\n",
		"a/a_test.go", "package a\n\nimport _ \"m/only\"\n",
		"a/x_test.go", "package a_test\n",
		"b/b.go", "package b\n\nimport _ \"m/a\"\n",
		"b/b_test.go", "package b\n",
		"only/only.go", "package only\n",
	)
	p, err := Config{Dir: dir, Patterns: []string{"./b", "m/a"}, Untested: []string{"m/a"}}.Load()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, pkg := range p.Packages {
		ids = append(ids, pkg.ID)
	}
	if got := strings.Join(ids, ", "); got != "m/a, m/b [m/b.test]" || p.Partial() {
		t.Errorf("%s, problems %v: want m/a, m/b [m/b.test]", got, p.Problems)
	}
}
