// Package load turns patterns of packages into functions in static single assignment form.
//
//	load.go     what is asked for, and the order of the work
//	each.go     several applications at once
//	list.go     which packages are the application, and which are only used by it
//	linked.go   which packages are linked with some
//	problems.go what is missing or broken, with its place
//	sources.go  packages one by one, with dependencies from source; visit.go: reading them; gocommand.go: what there is,
//	            and where export data is
//
// The application is read from source: the packages that the patterns name, and the packages of the same modules that
// they import. Everything else is known by the types in its export data alone, which the go command makes and caches;
// what its functions do is told by package model. So loading takes a fraction of a second, where reading all
// dependencies takes many.
//
// The result has no hidden order: packages are sorted, functions are built one after the other.
package load

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// Config says what to load.
type Config struct {
	Dir      string            // where patterns are relative to, "" is the current directory
	Patterns []string          // as for the go command; at least one
	NoTests  bool              // leave out test files; they are where most actor systems are driven from
	Untested []string          // import paths of packages among them whose own test files are left out in any case
	Tags     []string          // build tags
	Flags    []string          // other build flags of the go command
	Env      []string          // the environment of the go command, nil is that of the process
	Overlay  map[string][]byte // contents of files by absolute name, instead of those on disk
}

// Program is an application ready for analysis. If Partial holds, parts of it are missing, and Problems says which.
type Program struct {
	Dir      string // absolute
	Fset     *token.FileSet
	SSA      *ssa.Program
	Packages []*Package // of the application, by ID; those that do not compile are not among them
	Problems []Problem  // sorted by place

	functions func() []*ssa.Function // of SSA, collected by the first call
}

// Package is one package of the application. A package and the same package with its test files are one: the latter.
type Package struct {
	*packages.Package
	SSA  *ssa.Package
	Root bool // a pattern names it; else a root needs it
}

// Load reads the packages that the patterns name, with their tests, as the application. It fails if there is nothing to
// analyse at all: no such package, none that compiles, no go command. Anything less is among the Problems.
func Load(dir string, patterns ...string) (*Program, error) {
	return Config{Dir: dir, Patterns: patterns}.Load()
}

// Load reads the packages. See the function Load.
func (c Config) Load() (*Program, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	found, err := c.list()
	if err != nil {
		return nil, c.failed(err)
	}
	return c.program(found)
}

// program makes what was found ready for analysis.
func (c Config) program(found *found) (*Program, error) {
	p := &Program{Dir: c.Dir, Fset: found.fset}
	p.Packages = found.application()
	p.Problems = found.problems(p)
	if len(p.Packages) == 0 {
		return nil, c.failed(fmt.Errorf("no package compiles, so nothing can be analysed\n%s", joined(p.Problems)))
	}
	p.build()
	return p, nil
}

// Partial reports whether something of the application is missing, so that what is found is a part of what there is.
func (p *Program) Partial() bool {
	return slices.ContainsFunc(p.Problems, func(q Problem) bool { return q.Missing })
}

// Whole reports whether all of this build was read. Files of another build, which constraints leave out, are no part of
// it.
func (p *Program) Whole() bool {
	return !slices.ContainsFunc(p.Problems, func(q Problem) bool { return q.Missing && !q.Elsewhere || q.Broken })
}

// Broken reports whether a package that was asked for, or a package that it needs, does not compile.
func (p *Program) Broken() bool {
	return slices.ContainsFunc(p.Problems, func(q Problem) bool { return q.Broken })
}

// Position gives a place as file:line, with the file relative to Dir where it is below the same root, "" for no place.
func (p *Program) Position(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	at := p.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.relative(at.Filename), at.Line)
}

// relative gives the name of a file relative to Dir, with slashes.
func (p *Program) relative(file string) string {
	if rel, err := filepath.Rel(p.Dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// build makes the functions of the application. Of dependencies there are names and types only, so a function has
// Blocks exactly if its source was read.
func (p *Program) build() {
	p.SSA = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics|ssa.BuildSerially)
	p.functions = sync.OnceValue(func() []*ssa.Function { return slices.Clip(collect(p.SSA)) })
	seen := map[*types.Package]bool{}
	for _, pkg := range p.Packages {
		seen[pkg.Types] = true
	}
	var declare func([]*types.Package)
	declare = func(imports []*types.Package) {
		for _, dep := range imports {
			if !seen[dep] {
				seen[dep] = true
				declare(dep.Imports())
				p.SSA.CreatePackage(dep, nil, nil, true)
			}
		}
	}
	for _, pkg := range p.Packages {
		declare(pkg.Types.Imports())
	}
	for _, pkg := range p.Packages {
		pkg.SSA = p.SSA.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true)
	}
	for _, pkg := range p.Packages {
		pkg.SSA.Build()
	}
}
