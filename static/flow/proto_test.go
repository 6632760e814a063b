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

// frameworks are the folders in testdata with programs that use what no example does, and the modules that have what
// they need; with further programs there.
var frameworks = map[string]struct {
	module string
	more   []string
}{
	"proto":     {"../../examples", nil},
	"hollywood": {"../../adapter/hollywood", []string{"./lobby"}},
	"goakt":     {"../../adapter/goakt", []string{"./sessions"}},
}

// frameworkPrograms loads the programs in a folder of testdata as packages of the module where the framework is. files
// says which file stands for which that does not exist.
func frameworkPrograms(t *testing.T, of string) (dir string, files map[string]string, p *load.Program) {
	t.Helper()
	dir, err := filepath.Abs(frameworks[of].module)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("testdata/" + of + "/*/*.go")
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
	c.Patterns = append(slices.Sorted(maps.Keys(folders)), frameworks[of].more...)
	if programsRead[of] == nil {
		p, err := c.Load()
		whole(t, p, err)
		programsRead[of] = p
	}
	return dir, files, programsRead[of]
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

// What frameworks can do beside sending and creating is in the graphs, with nothing else: testdata has them.
func TestFrameworkGoldens(t *testing.T) {
	for of := range frameworks {
		_, _, p := frameworkPrograms(t, of)
		seen := map[string]bool{}
		for _, pkg := range p.Packages {
			path := strings.TrimSuffix(pkg.PkgPath, "_test")
			if !pkg.Root || seen[path] {
				continue
			}
			seen[path] = true
			g, err := flow.Build(only(p, path), flow.Config{})
			if !slices.Equal(inTexts(g.Partial, beyond[filepath.Base(path)]), beyond[filepath.Base(path)]) {
				t.Errorf("%s: %q is missing", path, g.Partial)
			}
			if err != nil || len(g.Partial) > len(beyond[filepath.Base(path)]) {
				t.Errorf("%s: %v, missing %q", path, err, g.Partial)
			}
			golden(t, filepath.Join("testdata", of, filepath.Base(path)+".txt"), text(g, path))
		}
	}
}

// beyond is what graphs of programs say that they lack.
var beyond = map[string][]string{"beyond": {"what comes of AskGrain is unknown: no model follows grains",
	"what comes of SpawnRouter is unknown: no model follows routers"},
	"copied": {"copied.go:36: who gets this message is unknown: the program makes the reference itself"}}

// inTexts gives those that are part of one of the texts.
func inTexts(texts, all []string) (in []string) {
	for _, a := range all {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, a) }) {
			in = append(in, a)
		}
	}
	return in
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
