package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// AddUnspawned adds to a graph the types of the named packages that handle messages and that nothing can create. No
// code makes a behaviour of them (converts one to an interface), embeds them, or handles messages with them. They have
// no edges. Types that only code makes that nobody calls are not among them: others may call it.
func AddUnspawned(p *load.Program, g *Graph) {
	used := behaviors(p)
	known := map[string]bool{}
	for _, a := range g.Actors {
		known[a.Pkg+" "+a.Name] = true
	}
	var idle []*Actor
	for _, pkg := range p.Packages {
		if !pkg.Root {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() || used[t] || isGeneric(t.Type()) || !receives(t.Type()) {
				continue
			}
			a := &Actor{Name: model.TypeName(t.Type()), Pkg: pkg.PkgPath, Pos: p.Position(t.Pos())}
			if !known[a.Pkg+" "+a.Name] {
				idle = append(idle, a)
			}
		}
	}
	slices.SortStableFunc(idle, func(x, y *Actor) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name),
			cmp.Compare(x.Pkg, y.Pkg))
	})
	g.Actors = append(g.Actors, idle...)
}

// receives reports whether a type, or a pointer to it, handles messages of a framework by a method of its own.
func receives(t types.Type) bool {
	if types.IsInterface(t) {
		return false
	}
	sel := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "Receive")
	return sel != nil && model.Handles(sel.Type().(*types.Signature)) != ""
}

// behaviors are the types that become behaviours, or parts of some.
func behaviors(p *load.Program) map[*types.TypeName]bool {
	used := map[*types.TypeName]bool{}
	use := func(t types.Type) {
		if n := named(t); n != nil {
			used[n] = true
		}
	}
	for _, pkg := range p.Packages {
		for _, name := range pkg.Types.Scope().Names() {
			for _, part := range embedded(pkg.Types.Scope().Lookup(name).Type()) {
				use(part)
			}
		}
	}
	for _, fn := range p.Functions() {
		for _, block := range fn.Blocks {
			for _, in := range block.Instrs {
				if made, ok := in.(*ssa.MakeInterface); ok {
					use(made.X.Type())
				}
				if call, ok := in.(ssa.CallInstruction); ok && fn.Synthetic == "" {
					if to := call.Common().StaticCallee(); to != nil && to.Name() == "Receive" && to.Signature.Recv() != nil {
						use(to.Signature.Recv().Type())
					}
				}
			}
		}
	}
	return used
}

// embedded gives the types that a struct embeds.
func embedded(t types.Type) []types.Type {
	var parts []types.Type
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Embedded() {
				parts = append(parts, f.Type())
			}
		}
	}
	return parts
}

// named gives the name of a type, or of what it points to; nil if it has none.
func named(t types.Type) *types.TypeName {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}
