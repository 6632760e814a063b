package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
)

// drivers gives where a program is entered: main, what go test calls, each by itself; and what is done before any of
// these.
func drivers(p *load.Program) (always, entries []*ssa.Function) {
	for _, pkg := range p.Packages {
		for _, fn := range functions(pkg.SSA) {
			switch {
			case fn.Name() == "init", fn.Name() == "TestMain" && isTest(p, fn):
				always = append(always, fn)
			case fn.Name() == "main" && pkg.Name == "main", pkg.Root && isTest(p, fn):
				entries = append(entries, fn)
			}
		}
	}
	return always, entries
}

// Entries lists the ways to enter a program: main, and what go test calls.
func Entries(p *load.Program) []*ssa.Function {
	_, entries := drivers(p)
	return entries
}

// before picks what is done before an entry: of packages that are linked with it, by their paths. The tests of other
// packages are programs of their own.
func before(p *load.Program, always []*ssa.Function, entry *ssa.Function) (list []*ssa.Function) {
	var own []*types.Package
	for _, pkg := range p.Packages {
		if tested(pkg.PkgPath) == tested(entry.Pkg.Pkg.Path()) {
			own = append(own, pkg.Types)
		}
	}
	linked := load.Linked(own...)
	for _, fn := range always {
		if linked[fn.Pkg.Pkg.Path()] {
			list = append(list, fn)
		}
	}
	return list
}

// tested is the path of the package that a package has tests of, or is.
func tested(path string) string { return strings.TrimSuffix(path, "_test") }

// exported gives the functions and methods that others may call, of the packages that the user named.
func exported(p *load.Program) []*ssa.Function {
	var out []*ssa.Function
	for _, pkg := range p.Packages {
		if !pkg.Root {
			continue
		}
		for _, fn := range functions(pkg.SSA) {
			if token := fn.Object(); token != nil && token.Exported() && !isTest(p, fn) {
				out = append(out, fn)
			}
		}
		for _, name := range pkg.Types.Scope().Names() {
			t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || !t.Exported() || t.IsAlias() || types.IsInterface(t.Type()) || isGeneric(t.Type()) {
				continue
			}
			set := types.NewMethodSet(types.NewPointer(t.Type()))
			behaves := receives(t.Type())
			for sel := range set.Methods() {
				if behaves && slices.Contains([]string{"Receive", "Start", "PreStart", "PostStop"}, sel.Obj().Name()) {
					continue // for the framework to call
				}
				if fn := p.SSA.MethodValue(sel); fn != nil && sel.Obj().Exported() && len(fn.Blocks) > 0 && fn.Synthetic == "" {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

func isGeneric(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.TypeParams().Len() > 0
}

// functions lists the functions of a package in the order of the source, init first.
func functions(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	for _, m := range pkg.Members {
		if fn, ok := m.(*ssa.Function); ok && len(fn.Blocks) > 0 && fn.TypeParams().Len() == 0 {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.Name(), b.Name()))
	})
	return out
}

// isTest reports whether go test calls a function.
func isTest(p *load.Program, fn *ssa.Function) bool {
	if !strings.HasSuffix(p.Fset.Position(fn.Pos()).Filename, "_test.go") {
		return false
	}
	for _, kind := range []string{"Test", "Benchmark", "Example", "Fuzz"} {
		if strings.HasPrefix(fn.Name(), kind) {
			return true
		}
	}
	return false
}
