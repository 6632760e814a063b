package effects

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// This file says which messages have no case where a handler has cases for interfaces: type by type, since the facts
// know types and the runtime only their names. Package reflect cannot ask for a type by name, nor see the unexported
// methods that close an interface to other packages.
//
//	source:     ours
//	assumes:    as in matched.go
//	invariants: I1 a type is ignored only if it was analysed; types that were not are unclear
//	cost:       one analysis of the handler for each type of which the application makes an interface
//	checked by: matched_test.go

// byType tells, for a handler with a case for an interface, of each type that it was analysed for whether that has a
// case.
func byType(m facts.Matched, rest *handler, each []*handler) facts.Matched {
	unclear := "the facts do not know all types of its messages"
	for _, h := range each {
		name, why := model.MessageName(h.msg), h.unmatched()
		switch {
		case slices.Contains(m.Cases, name): // it is named
		case h.implements || h.defaults():
			m.Cases = append(m.Cases, name)
		case why == "":
			m.Ignored = append(m.Ignored, name)
		default:
			unclear = why
		}
	}
	m.Cases, m.Ignored = sorted(m.Cases), sorted(m.Ignored)
	// Two types of one name cannot be told apart when the program runs.
	m.Ignored = slices.DeleteFunc(m.Ignored, func(name string) bool { return slices.Contains(m.Cases, name) })
	if rest.stacked {
		m.Cases, unclear = nil, anyBehavior
	}
	m.Unclear = "it has a case for an interface, and " + unclear
	return m
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// implements reports whether a type has all methods of an interface. Of a type and an interface from different loads of
// one package, with and without its tests, the types of the methods are not identical and have the same names.
func implements(t types.Type, i *types.Interface) bool {
	if types.Implements(t, i) {
		return true
	}
	set := types.NewMethodSet(t)
	for m := range i.Methods() {
		sel := set.Lookup(m.Pkg(), m.Name())
		if sel == nil || !alike(sel.Type().(*types.Signature), m.Signature()) {
			return false
		}
	}
	return true
}

// alike is same for signatures, whose names of parameters do not count.
func alike(s, t *types.Signature) bool {
	all := func(u, v *types.Tuple) bool {
		for i := range u.Len() {
			if i >= v.Len() || !same(u.At(i).Type(), v.At(i).Type()) {
				return false
			}
		}
		return u.Len() == v.Len()
	}
	return all(s.Params(), t.Params()) && all(s.Results(), t.Results()) && s.Variadic() == t.Variadic()
}

// candidates lists the types that may be messages beside those that the application hands to the framework itself. They
// are types of its own of which it makes an interface that is its own, or empty.
func (a *analysis) candidates() []types.Type {
	var list []types.Type
	seen := map[string]bool{}
	for _, fn := range a.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				box, ok := instr.(*ssa.MakeInterface)
				if !ok || !a.ownInterface(box.Type()) || !a.ownType(box.X.Type()) {
					continue
				}
				if name := types.TypeString(box.X.Type(), nil); !seen[name] {
					seen[name] = true
					list = append(list, box.X.Type())
				}
			}
		}
	}
	return list
}

func (a *analysis) ownInterface(t types.Type) bool {
	return t.Underlying().(*types.Interface).Empty() || a.ownType(t)
}

// ownType reports whether a type, or what it points to, has a name in the application.
func (a *analysis) ownType(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && a.sources[a.prog.Package(n.Obj().Pkg())] &&
		n.TypeParams().Len() == n.TypeArgs().Len()
}
