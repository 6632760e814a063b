package flow_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// frameworkPrograms loads the programs in testdata/proto, which use what the examples do not, as packages of the module
// of the examples, where the framework is. files says which file stands for which that does not exist.
func frameworkPrograms(t *testing.T) (dir string, files map[string]string, p *load.Program) {
	t.Helper()
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("testdata/proto/*/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%v, %d files", err, len(sources))
	}
	c, folders := load.Config{Dir: dir, Overlay: map[string][]byte{}}, map[string]bool{}
	files = map[string]string{}
	for _, source := range sources {
		name := filepath.Base(filepath.Dir(source))
		as := filepath.Join(dir, name, filepath.Base(source))
		if files[as], err = filepath.Abs(source); err != nil {
			t.Fatal(err)
		}
		if c.Overlay[as], err = os.ReadFile(source); err != nil {
			t.Fatal(err)
		}
		folders["./"+name] = true
	}
	c.Patterns = slices.Sorted(maps.Keys(folders))
	if programsRead["framework"] == nil {
		p, err := c.Load()
		whole(t, p, err)
		programsRead["framework"] = p
	}
	return dir, files, programsRead["framework"]
}

// whole ends the test if a program could not be loaded, or not all of it.
func whole(t *testing.T, p *load.Program, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if p.Partial() {
		t.Fatal(p.Problems)
	}
}

// What the framework can do beside sending and creating is in the graphs, with nothing else: testdata/proto has them.
func TestFrameworkGoldens(t *testing.T) {
	_, _, p := frameworkPrograms(t)
	seen := map[string]bool{}
	for _, pkg := range p.Packages {
		path := strings.TrimSuffix(pkg.PkgPath, "_test")
		if !pkg.Root || seen[path] {
			continue
		}
		seen[path] = true
		g, err := flow.Build(only(p, path), flow.Config{})
		if err != nil || len(g.Partial) > 0 {
			t.Errorf("%s: %v, missing %q", path, err, g.Partial)
		}
		golden(t, filepath.Join("testdata", "proto", filepath.Base(path)+".txt"), text(g, path))
	}
}

// golden compares with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%s: %v; the graph is\n%s\nand not\n%s", file, err, got, want)
	}
}
