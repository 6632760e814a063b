package gentest

import (
	"cmp"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// Load reads packages with their tests, which is where most actors are made, but for generated ones: these make what
// they like, and may be stale.
func Load(dir string, patterns []string) (*load.Program, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-f",
		`{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		out = nil // loading says what is wrong
	}
	overlay := map[string][]byte{}
	for path := range strings.Lines(string(out)) {
		path = filepath.FromSlash(strings.TrimSpace(path))
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if m := packageClause.FindSubmatch(src); m != nil && strings.HasPrefix(string(src), byRehearse) {
			overlay[path] = fmt.Appendf(nil, "package %s\n", m[1])
		}
	}
	return cases.Load(load.Config{Dir: dir, Patterns: patterns, Overlay: overlay})
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// Required fails if a module of the targets has not what their tests import. It asks the go command, once for each
// module, before the cases are looked for: these may take minutes.
func Required(p *cases.Program, targets []*cases.Target) error {
	asked := map[[2]string]bool{}
	for _, t := range targets {
		imports, module := testsOf[t.Kind.Framework()], ""
		dir := filepath.Dir(p.Loaded().Fset.Position(t.Pos).Filename)
		if q := owner(t.Fn); q != nil {
			for _, l := range p.Loaded().Packages {
				if l.PkgPath == q.Path() && l.Module != nil {
					module = l.Module.Path
				}
			}
		}
		if key := [2]string{module, imports}; imports == "" || asked[key] {
			continue
		} else {
			asked[key] = true
		}
		if err := Importable(dir, imports); err != nil {
			return fmt.Errorf("%s cannot import what its tests use: %w", cmp.Or(module, dir), err)
		}
	}
	return nil
}

// Importable asks the go command whether code in a folder can import a package of Rehearse. If not, the error says what
// to do.
func Importable(dir, pkg string) error {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{.Dir}}", pkg)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s\n%s", Obtain(pkg), strings.TrimSpace(string(out)))
}

// Obtain says how a module comes to have a package of Rehearse.
func Obtain(pkg string) string {
	module := strings.TrimSuffix(strings.TrimSuffix(pkg, "/steptest"), "/actor")
	adapter := "protoactor"
	for path, name := range map[string]string{model.HollywoodAdapterPath: "hollywood", model.GoAktAdapterPath: "goakt"} {
		if strings.HasPrefix(pkg, path) {
			adapter = name
		}
	}
	return fmt.Sprintf("in its folder run go get -t %s, and go mod vendor if the module has a folder vendor; with a clone in place of a published version, "+
		"go mod edit -replace=github.com/rehearse-go/rehearse=CLONE -replace=github.com/rehearse-go/rehearse/adapter/%s=CLONE/adapter/%[2]s, "+
		"and go get -t %[3]s@v0.0.0", pkg, adapter, module)
}

// Generic lists the actors of the packages that were asked for whose types have parameters, and of which the source
// makes none. With which types a test would make them nothing says.
func Generic(q *cases.Program) (list []string) {
	p := q.Loaded()
	for _, pkg := range p.Packages {
		if !pkg.Root || pkg.Types == nil {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			o, _ := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if o == nil {
				continue
			}
			n, ok := o.Type().(*types.Named)
			if !ok || n.TypeParams().Len() == 0 {
				continue
			}
			for m := range n.Methods() {
				made := slices.ContainsFunc(q.Targets(), func(t *cases.Target) bool { return strings.HasPrefix(t.Actor, name+"[") })
				if m.Name() == "Receive" && model.Handles(m.Signature()) != "" && !made {
					list = append(list, fmt.Sprintf("%s: %s.%s: left out, because it has type parameters, and nothing makes one",
						p.Position(m.Pos()), pkg.PkgPath, name))
				}
			}
		}
	}
	return list
}

// Tested drops the targets that are in files of tests: these are not what is tested.
func Tested(p *cases.Program, targets []*cases.Target) []*cases.Target {
	return slices.DeleteFunc(slices.Clone(targets), func(t *cases.Target) bool {
		return strings.HasSuffix(p.Loaded().Fset.Position(t.Pos).Filename, "_test.go")
	})
}
