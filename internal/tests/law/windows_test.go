package law

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Everything builds for Windows, tests included: what is for Unix alone has a build tag. To compile all modules for
// another system takes minutes. So here only names are looked up: those of the packages, and those of package syscall,
// which is the one that differs. Other packages are taken to have what is asked of them.

// elsewhere is the system that files are selected for.
var elsewhere = func() build.Context {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = "windows", "amd64", false
	return c
}()

// built reports whether a file is one of those that are built for the other system.
func built(name, source string) (bool, error) {
	c := elsewhere
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(source)), nil }
	return c.MatchFile(path.Dir(name), path.Base(name))
}

// oneOf is an importer that knows one package.
type oneOf struct{ known *types.Package }

func (o oneOf) Import(importPath string) (*types.Package, error) {
	if importPath == o.known.Path() {
		return o.known, nil
	}
	name := path.Base(importPath)
	if version.MatchString(name) {
		name = path.Base(path.Dir(importPath))
	}
	name = strings.TrimPrefix(strings.TrimSuffix(name, ".go"), "go-")
	return types.NewPackage(importPath, name), errors.New("it is not looked at")
}

// version matches the end of the path of a package that is not its name.
var version = regexp.MustCompile(`^v[0-9]+$`)

// missing matches errors about names.
var missing = regexp.MustCompile(`^undefined: |^unknown field `)

// lookUp gives what is wrong with the names of a package of these files.
func lookUp(fset *token.FileSet, files []*ast.File, of types.Importer) (wrong []string, p *types.Package) {
	c := types.Config{Importer: of, FakeImportC: true, Error: func(err error) {
		if e, ok := err.(types.Error); ok && missing.MatchString(e.Msg) {
			wrong = append(wrong, fmt.Sprintf("%s: %s", fset.Position(e.Pos), e.Msg))
		}
	}}
	p, _ = c.Check(files[0].Name.Name, fset, files, nil)
	return wrong, p
}

// syscalls is package syscall of the other system.
func syscalls(t *testing.T) *types.Package {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(elsewhere.GOROOT, "src", "syscall", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if ok, err := elsewhere.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !ok ||
			strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		t.Fatalf("no package syscall in %s", elsewhere.GOROOT)
	}
	_, p := lookUp(fset, files, oneOf{types.NewPackage("none", "none")})
	if p.Scope().Lookup("Handle") == nil || p.Scope().Lookup("Kill") != nil {
		t.Fatal("package syscall is not that of Windows")
	}
	p.MarkComplete()
	return p
}

// importsNames reports whether a file has names of another package without its name. They are not known.
func importsNames(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Name != nil && i.Name.Name == "." })
}

// notBuilt gives what is wrong with the files of a folder, for the other system. A package has its tests in it; those
// outside of it are another one.
func notBuilt(files []*file, of types.Importer) (wrong []string, err error) {
	fset := token.NewFileSet()
	packages := map[string][]*ast.File{}
	for _, f := range files {
		ok, err := built(f.name, f.source)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		a, err := parser.ParseFile(fset, f.name, f.source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		packages[a.Name.Name] = append(packages[a.Name.Name], a)
	}
	for _, files := range packages {
		if slices.ContainsFunc(files, importsNames) {
			continue
		}
		w, _ := lookUp(fset, files, of)
		wrong = append(wrong, w...)
	}
	return wrong, nil
}

// differs reports whether a file may be the reason why a package is not built for the other system.
func differs(f *file) bool {
	ok, err := built(f.name, f.source)
	return !ok || err != nil || slices.Contains(f.imports(), "syscall")
}

func TestBuildsForWindows(t *testing.T) {
	of := oneOf{syscalls(t)}
	folders := map[string][]*file{}
	for _, f := range tree(t) {
		folders[f.pkg] = append(folders[f.pkg], f)
	}
	for _, files := range folders {
		if !slices.ContainsFunc(files, differs) {
			continue
		}
		wrong, err := notBuilt(files, of)
		if err != nil {
			t.Error(err)
		}
		for _, w := range wrong {
			t.Errorf("%s: it is not there under Windows: give the file a build tag", w)
		}
	}
}

// What is not there under Windows is found: in package syscall, and in files that are not built there.
func TestBuildsForWindowsFindsBreaches(t *testing.T) {
	of := oneOf{syscalls(t)}
	const unix = "//go:build unix\n\n"
	const uses = "package a\n\nimport \"syscall\"\n\nvar x = syscall.Kill\nvar y = syscall.SIGTERM\n" +
		"var z = syscall.SysProcAttr{HideWindow: true, Setpgid: true}\n"
	for _, c := range []struct {
		names, sources []string
		want           []string
	}{
		{[]string{"a.go"}, []string{uses}, []string{"a.go:5:17: undefined: syscall.Kill", "Setpgid"}},
		{[]string{"a_linux.go"}, []string{uses}, nil},
		{[]string{"a.go"}, []string{unix + uses}, nil},
		{[]string{"a.go", "b.go"}, []string{unix + "package a\n\nvar x int\n", "package a\n\nvar y = x\n"},
			[]string{"b.go:3:9: undefined: x"}},
		{[]string{"a.go", "a_test.go"}, []string{"package a\n\nvar x int\n", "package a\n\nvar y = x\n"}, nil},
		{[]string{"a.go", "a_test.go"}, []string{unix + "package a\n\nvar x int\n", "package a_test\n\nvar y = x\n"},
			[]string{"undefined: x"}},
		{[]string{"a.go"}, []string{"package a\n\nimport \"example.com/b\"\n\nvar x = b.Anything{Of: 1}\n"}, nil},
	} {
		var files []*file
		for i, name := range c.names {
			files = append(files, mustParse(t, "a/"+name, c.sources[i]))
		}
		wrong, err := notBuilt(files, of)
		ok := err == nil && len(wrong) == len(c.want)
		for i, want := range c.want {
			ok = ok && slices.ContainsFunc(wrong[min(i, len(wrong)):], func(w string) bool { return strings.Contains(w, want) })
		}
		if !ok || len(c.want) > 0 && !slices.ContainsFunc(files, differs) {
			t.Errorf("%q: %q, %v, want %q", c.sources, wrong, err, c.want)
		}
	}
}
