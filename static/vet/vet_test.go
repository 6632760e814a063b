package vet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// together runs all checks as one analyzer, so that a program's expectations are about all of them: a finding of another check on a
// fixed twin is a false alarm, too.
func together() *analysis.Analyzer {
	all := &analysis.Analyzer{Name: "together", Doc: "all checks"}
	for _, a := range Analyzers() {
		for _, r := range a.Requires {
			if !slices.Contains(all.Requires, r) && !slices.Contains(Analyzers(), r) {
				all.Requires = append(all.Requires, r)
			}
		}
	}
	all.Run = func(pass *analysis.Pass) (any, error) {
		for _, a := range Analyzers() {
			result, err := a.Run(pass)
			if err != nil {
				return nil, err
			}
			pass.ResultOf[a] = result
		}
		return nil, nil
	}
	return all
}

// gopath writes the programs of a folder, and the stand-ins for the frameworks, and lists the packages.
func gopath(t *testing.T, dir string) (root string, pkgs []string) {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	files := map[string]string{
		frame.Proto + "/actor/actor.go":  string(read("testdata/stubs/protoactor.go")),
		frame.Native + "/actor/actor.go": string(read("testdata/stubs/native.go")),
	}
	names, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs in %s: %v", dir, err)
	}
	for _, name := range names {
		program := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for _, f := range txtar.Parse(read(name)).Files {
			pkg := program + "/" + strings.TrimSuffix(f.Name, ".go")
			if inner, _, ok := strings.Cut(f.Name, "/"); ok { // a file of a named package
				pkg = program + "/" + inner
			}
			files[pkg+"/"+filepath.Base(f.Name)] = string(f.Data)
			if !slices.Contains(pkgs, pkg) {
				pkgs = append(pkgs, pkg)
			}
		}
	}
	root, clean, err := analysistest.WriteFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clean)
	return root, pkgs
}

// Every planted defect is found, by the check that is named and no other, and no fixed twin gives an alarm.
func TestCorpus(t *testing.T) {
	root, pkgs := gopath(t, "corpus")
	if len(pkgs) < 2*40 {
		t.Errorf("%d programs and twins, want at least 40 of each", len(pkgs))
	}
	for _, p := range pkgs {
		if strings.HasSuffix(p, "/bad") != wants(t, filepath.Join(root, "src", p)) {
			t.Errorf("%s: a planted defect has an expectation, its fixed twin none", p)
		}
	}
	analysistest.Run(t, root, together(), pkgs...)
}

func wants(t *testing.T, dir string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%s: %d files, %v", dir, len(names), err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(data), "// want ")
}

func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(Analyzers()); err != nil {
		t.Error(err)
	}
}

// What functions and actors of other packages do is known by facts.
func TestAcrossPackages(t *testing.T) {
	root, pkgs := gopath(t, "across")
	analysistest.Run(t, root, together(), pkgs...)
}

func TestSilent(t *testing.T) {
	root, pkgs := gopath(t, "silent")
	if err := Silent.Flags.Set("report", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { silentReport = false }()
	analysistest.Run(t, root, Silent, pkgs...)
}
