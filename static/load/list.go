package load

import (
	"cmp"
	"errors"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// reading is what is asked of packages.Load: syntax and types of what is named, types of what that imports.
const reading = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest

// framework lists the trees of packages that are told by models, never read because an application of the same module
// imports them. (Naming one in a pattern still reads it.)
var framework = []string{"github.com/asynkron/protoactor-go/...", "github.com/anthdm/hollywood/...",
	"github.com/tochemey/goakt/...",
	"github.com/rehearse-go/rehearse",
	"github.com/rehearse-go/rehearse/actor",
	"github.com/rehearse-go/rehearse/adapter", "github.com/rehearse-go/rehearse/adapter/protoactor/...",
	"github.com/rehearse-go/rehearse/adapter/hollywood", "github.com/rehearse-go/rehearse/adapter/hollywood/steptest",
	"github.com/rehearse-go/rehearse/adapter/goakt",
	"github.com/rehearse-go/rehearse/explore/...",
	"github.com/rehearse-go/rehearse/trace",
	"github.com/rehearse-go/rehearse/internal/..."}

// found is what the go command has found.
type found struct {
	fset     *token.FileSet
	packages []*packages.Package // every variant, by ID
	roots    map[string]bool     // import paths that the patterns name
}

var errNoMatch = errors.New("no packages match: name packages that exist, such as ./...")

// list reads the packages of the patterns and, where those import others of their own modules, these as well. What
// there is comes first, so that each is read once. Where everything compiles, this package reads the sources itself:
// the go command would compile them all, and an overlay would have all dependencies read from source. Else
// packages.Load says what is wrong.
func (c Config) list() (*found, error) {
	f := &found{roots: map[string]bool{}}
	if err := c.read(f, metadata, c.Patterns); err != nil {
		return nil, err
	}
	if len(f.packages) == 0 {
		return nil, errNoMatch
	}
	modules := map[string]bool{}
	for _, p := range f.packages {
		f.roots[strings.TrimSuffix(p.PkgPath, "_test")] = true
		f.roots[p.PkgPath] = true
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
	}
	all := slices.Clone(c.Patterns)
	for _, path := range f.neighbours(modules) {
		if !f.roots[path] {
			all = append(all, path)
		}
	}
	if len(all) > len(c.Patterns) {
		if err := c.read(f, metadata, all); err != nil {
			return nil, err
		}
	}
	s, err := c.sources(f, all, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	if s.Visit(func(*packages.Package) {}); s.compiles() {
		return f, nil
	}
	return f, c.read(f, reading, all)
}

// read asks the go command. What it finds replaces what f had.
func (c Config) read(f *found, mode packages.LoadMode, patterns []string) error {
	f.fset = token.NewFileSet()
	list, ok := []*packages.Package(nil), false
	if mode == metadata {
		list, ok = c.listed(patterns)
	}
	var err error
	if !ok {
		list, err = c.packages(f.fset, mode, patterns)
	}
	slices.SortFunc(list, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	f.packages = slices.DeleteFunc(list, func(p *packages.Package) bool {
		made := strings.HasSuffix(p.PkgPath, ".test") && p.ForTest == "" // the main package that the go command makes
		return made || slices.Contains(c.Untested, p.ForTest)
	})
	return err
}

// packages asks packages.Load.
func (c Config) packages(fset *token.FileSet, mode packages.LoadMode, patterns []string) ([]*packages.Package, error) {
	cfg := &packages.Config{Mode: mode, Dir: c.Dir, Env: c.Env, Fset: fset, Tests: !c.NoTests, Overlay: c.Overlay}
	cfg.BuildFlags = c.buildFlags()
	return packages.Load(cfg, patterns...)
}

// within reports whether a package is of one of the modules, by its path, and is not told by a model.
func within(modules map[string]bool, path string) bool {
	for _, tree := range framework {
		base, below := strings.CutSuffix(tree, "/...")
		if path == base || below && strings.HasPrefix(path, base+"/") {
			return false
		}
	}
	for m := range modules {
		if path == m || strings.HasPrefix(path, m+"/") {
			return true
		}
	}
	return false
}

// neighbours gives the import paths of all packages of the modules that what was asked for needs, through such packages
// alone.
func (f *found) neighbours(modules map[string]bool) []string {
	paths, seen := []string(nil), map[string]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		for _, dep := range p.Imports {
			if within(modules, dep.PkgPath) && !seen[dep.ID] {
				seen[dep.ID] = true
				if dep.ForTest == "" {
					paths = append(paths, dep.PkgPath)
				}
				visit(dep)
			}
		}
	}
	for _, p := range f.packages {
		visit(p)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// application chooses among variants: of a package that compiles with and without its test files, the one with them. A
// test that imports a package gets the variant with test files, another package gets the one without; the latter stays
// too if it is imported.
func (f *found) application() []*Package {
	plain, imported := map[string]bool{}, map[string]bool{}
	for _, p := range f.packages {
		if usable(p) && p.ForTest == p.PkgPath {
			plain[p.PkgPath] = true
		}
		for _, dep := range p.Imports {
			imported[dep.ID] = true
		}
	}
	var app []*Package
	for _, p := range f.packages {
		if !usable(p) || p.ForTest == "" && plain[p.PkgPath] && !imported[p.ID] {
			continue
		}
		app = append(app, &Package{Package: p, Root: f.roots[p.PkgPath]})
	}
	return app
}

// usable reports whether a package and all that it imports compile.
func usable(p *packages.Package) bool {
	return p.Types != nil && !p.IllTyped && len(p.Errors) == 0 && len(p.Syntax) > 0
}
