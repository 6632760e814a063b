package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Sources are packages for an analysis that goes package by package, as go vet does: those that patterns name, and what
// they depend on. The standard library, and what Opaque says that nothing is to be learned from, is known by its types
// alone.
//
//	differs:    go vet starts a process for each package, and each reads export data of what it imports: most of its time
//	invariants: I1 a package is visited after all that it imports have been, and never twice
//	            I2 there is one types.Package for each package and variant, whether it was read from source or export
//	               data
//	cost:       one look at what there is, one at the export data; parsing and checking of what is read, on all
//	            processors (visit.go)
//	checked by: sources_test.go, against packages.Load with all syntax
type Sources struct {
	dir    string
	found  *found
	roots  map[*packages.Package]bool // variants that patterns name
	order  []*packages.Package        // all there is, imports first
	read   map[*packages.Package]bool // from source
	opaque func(path string) bool
	over   map[string][]byte // contents of files, instead of those on disk
}

// metadata is what is asked about packages before any is read. Neither the files that the compiler gets nor the sizes
// of types are: for these the go command plans the build of all dependencies, which is half of its time. Only a package
// with cgo has other files for the compiler.
const metadata = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest

// Sources asks what there is. It fails if no package matches, or without a go command. Opaque says which packages tell
// nothing by their source, unless a pattern names them; what only they need is not read either.
func (c Config) Sources(opaque func(path string) bool) (*Sources, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	f := &found{}
	if err := c.read(f, metadata, c.Patterns); err != nil {
		return nil, c.failed(err)
	}
	if len(f.packages) == 0 {
		return nil, c.failed(errNoMatch)
	}
	s, err := c.sources(f, c.Patterns, opaque)
	if err != nil {
		return nil, c.failed(err)
	}
	return s, nil
}

// sources makes the packages found of patterns ready to be visited.
func (c Config) sources(f *found, patterns []string, opaque func(path string) bool) (*Sources, error) {
	s := &Sources{dir: c.Dir, found: f, opaque: opaque, over: c.Overlay}
	s.choose()
	if s.cgo() {
		if err := c.read(f, metadata|packages.NeedCompiledGoFiles, patterns); err != nil {
			return nil, err
		}
		s.choose()
	} else {
		for p := range s.read {
			p.CompiledGoFiles = p.GoFiles
		}
	}
	return s, s.exports(c)
}

// cgo reports whether a package that is to be read has files that the cgo command translates.
func (s *Sources) cgo() bool {
	fset := token.NewFileSet()
	for p := range s.read {
		for _, name := range p.GoFiles {
			file, _ := parser.ParseFile(fset, name, s.text(name), parser.ImportsOnly) // Visit tells of what is wrong
			if file != nil && slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }) {
				return true
			}
		}
	}
	return false
}

// choose says what is read from source, and puts all packages in order.
func (s *Sources) choose() {
	s.roots, s.read, s.order = map[*packages.Package]bool{}, map[*packages.Package]bool{}, nil
	for _, p := range s.found.packages {
		s.roots[p] = true
	}
	seen := map[*packages.Package]bool{}
	var visit func(p *packages.Package, use bool)
	visit = func(p *packages.Package, use bool) {
		use = use && s.tells(p)
		if seen[p] && (!use || s.read[p]) {
			return
		}
		first := !seen[p]
		seen[p] = true
		if use {
			s.read[p] = true
		}
		for _, path := range sorted(p.Imports) {
			visit(p.Imports[path], use)
		}
		if first {
			s.order = append(s.order, p)
		}
	}
	for _, p := range s.found.packages {
		visit(p, true)
	}
	for _, p := range s.order {
		p.Types = types.NewPackage(p.PkgPath, p.Name) // I2
		if p.PkgPath == "unsafe" {
			p.Types = types.Unsafe
		}
	}
}

// tells reports whether a package is to be read from source. A variant made for a test has no export data that could be
// asked for by its path.
func (s *Sources) tells(p *packages.Package) bool {
	return s.roots[p] || p.ForTest != "" || !standard(p) && !s.opaque(p.PkgPath)
}

// standard reports whether a package is of the standard library: all others have a module, or a domain in their path.
func standard(p *packages.Package) bool {
	first, _, _ := strings.Cut(p.PkgPath, "/")
	return p.Module == nil && !strings.Contains(first, ".")
}

// exports asks for the export data of what is imported by packages that are read, and is not read itself, and for the
// sizes of types.
func (s *Sources) exports(c Config) error {
	need := map[string]*packages.Package{}
	for _, p := range s.order {
		for _, dep := range p.Imports {
			if s.read[p] && !s.read[dep] && dep.PkgPath != "unsafe" {
				need[dep.PkgPath] = dep
			}
		}
	}
	if sizes, files, ok := c.exported(sorted(need)); ok {
		for _, p := range s.order {
			p.TypesSizes = sizes
		}
		for path, dep := range need {
			dep.ExportFile = files[path]
		}
		return nil
	}
	f := &found{}
	c.NoTests = true
	if err := c.read(f, packages.NeedName|packages.NeedExportFile|packages.NeedTypesSizes,
		append(sorted(need), "unsafe")); err != nil {
		return err
	}
	for _, p := range s.order {
		p.TypesSizes = f.packages[0].TypesSizes
	}
	for _, p := range f.packages {
		if dep := need[p.PkgPath]; dep != nil {
			dep.ExportFile, dep.Errors = p.ExportFile, append(dep.Errors, p.Errors...)
		}
	}
	return nil
}

// Named reports whether a pattern names a package, or it is the same with its test files.
func (s *Sources) Named(p *packages.Package) bool { return s.roots[p] }

// Roots lists the packages that the patterns name, as far as they compile: of a package and the same with its test
// files the latter. Those that Visit has not visited are not among them.
func (s *Sources) Roots() []*packages.Package {
	var roots []*packages.Package
	tested := map[string]bool{}
	for _, p := range s.found.packages {
		if usable(p) && p.ForTest == p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	for _, p := range s.found.packages {
		if usable(p) && (p.ForTest != "" || !tested[p.PkgPath]) {
			roots = append(roots, p)
		}
	}
	return roots
}

// compiles reports whether everything that was to be visited has been.
func (s *Sources) compiles() bool {
	return !slices.ContainsFunc(s.order, func(p *packages.Package) bool { return p.IllTyped || len(p.Errors) > 0 })
}

// Problems lists what kept packages from being visited, roots or what they need, sorted by place.
func (s *Sources) Problems() []Problem {
	p := &Program{Dir: s.dir}
	read := slices.DeleteFunc(slices.Clone(s.order), func(q *packages.Package) bool {
		return !s.read[q] && len(q.Errors) == 0
	})
	return (&found{packages: read}).errors(p)
}

// sorted gives the keys of packages in order.
func sorted(m map[string]*packages.Package) []string { return slices.Sorted(maps.Keys(m)) }
