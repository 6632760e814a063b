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

// together runs all checks as one analyzer, so that a program's expectations are about all of them: a finding of
// another check on a fixed twin is a false alarm, too.
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

// gopath writes the programs of folders, and the stand-ins for the frameworks, and lists the packages of each folder.
func gopath(t *testing.T, dirs ...string) (root string, pkgs map[string][]string) {
	t.Helper()
	files := map[string]string{
		frame.Proto + "/actor/actor.go":     read(t, "testdata/stubs/protoactor.go"),
		frame.Native + "/actor/actor.go":    read(t, "testdata/stubs/native.go"),
		frame.GoAkt + "/actor/actor.go":     read(t, "testdata/stubs/goakt.go"),
		frame.Hollywood + "/actor/actor.go": read(t, "testdata/stubs/hollywood.go"),
		"go.uber.org/zap/zap.go":            read(t, "testdata/stubs/zap.go"),
	}
	pkgs = map[string][]string{}
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no programs in %s: %v", dir, err)
		}
		for _, name := range names {
			program := strings.TrimSuffix(filepath.Base(name), ".txtar")
			for _, f := range txtar.Parse([]byte(read(t, name))).Files {
				pkg := program + "/" + strings.TrimSuffix(f.Name, ".go")
				if inner, _, ok := strings.Cut(f.Name, "/"); ok { // a file of a named package
					pkg = program + "/" + inner
				}
				files[pkg+"/"+filepath.Base(f.Name)] = string(f.Data)
				if !slices.Contains(pkgs[dir], pkg) {
					pkgs[dir] = append(pkgs[dir], pkg)
				}
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

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every planted defect is found, by the check that is named and no other, and no fixed twin gives an alarm. The corpus
// has a package each; the pairs have packages that nothing is wrong with by themselves, a defect that takes several of
// them, and its fixed twin. What is across packages without a twin tells of facts about functions and actors. All are
// loaded at once, which takes most of the time.
func TestPrograms(t *testing.T) {
	root, pkgs := gopath(t, "corpus", "pairs", "across")
	for dir, least := range map[string]int{"corpus": 40, "pairs": 10} {
		planted := 0
		for _, p := range pkgs[dir] {
			bad := strings.HasSuffix(p, "/bad")
			if bad {
				planted++
			}
			if bad != wants(t, filepath.Join(root, "src", p)) {
				t.Errorf("%s: a planted defect has an expectation, its fixed twin and its libraries none", p)
			}
			if bad && !slices.Contains(pkgs[dir], strings.TrimSuffix(p, "bad")+"fixed") {
				t.Errorf("%s has no fixed twin", p)
			}
		}
		if planted < least {
			t.Errorf("%d planted defects in %s, want at least %d", planted, dir, least)
		}
	}
	all := slices.Concat(pkgs["corpus"], pkgs["pairs"], pkgs["across"])
	sameInOneProcess(t, root, all, analysistest.Run(t, root, together(), all...))
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

func TestSilent(t *testing.T) {
	root, pkgs := gopath(t, "silent")
	if err := Silent.Flags.Set("report", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { silentReport = false }()
	analysistest.Run(t, root, Silent, pkgs["silent"]...)
}
