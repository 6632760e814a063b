package prove

import (
	"fmt"
	"go/types"
)

// This file finds the types of which code that is not seen may make values: those of messages, and what they lead to.

// face is an interface. A generic one has parameters of types in its methods, or arguments for them.
type face struct {
	*types.Interface
	generic bool
}

// message notes a type of which others may make values, and all that these lead to.
func (s *scan) message(t types.Type) {
	n, named := types.Unalias(t).(*types.Named)
	if named {
		declared := fmt.Sprintf("%s at %d", nameOf(n), n.Obj().Pos()) // a function may have a type of the same name
		if s.seen[declared] {
			return
		}
		s.seen[declared] = true
		s.spoilt[nameOf(n)] = true
		for arg := range n.TypeArgs().Types() {
			s.message(arg)
		}
		if _, methods := n.Underlying().(*types.Interface); !methods && (n.Obj().Pkg() == nil || !s.own(n.Obj().Pkg())) {
			return // it knows no type of the program
		}
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if s.opened[p] {
			return
		}
		s.opened[p] = true
		for m := range p.Underlying().(*types.Interface).Methods() {
			s.invoked[m.Name()] = true // by an instance that is not seen
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			s.message(f.Type())
		}
	case *types.Pointer:
		s.message(u.Elem())
	case *types.Slice:
		s.message(u.Elem())
	case *types.Array:
		s.message(u.Elem())
	case *types.Map:
		s.message(u.Key())
		s.message(u.Elem())
	case *types.Chan:
		s.message(u.Elem())
	case *types.Signature: // others make the function, too
		for v := range u.Results().Variables() {
			s.message(v.Type())
		}
		for v := range u.Params().Variables() {
			s.message(v.Type()) // it may write to what it is given
		}
	case *types.Interface: // whatever has these methods may be in it; a parameter of types has those of its constraint
		s.union(u)
		if u.NumMethods() > 0 {
			s.faces = append(s.faces, face{u, !named || n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0})
		}
	}
}

// union notes the types that a constraint lists.
func (s *scan) union(u *types.Interface) {
	for _, t := range listed(u) {
		s.message(t)
	}
}

// listed lists the types that a constraint names.
func listed(u *types.Interface) (list []types.Type) {
	for e := range u.EmbeddedTypes() {
		union, ok := types.Unalias(e).(*types.Union)
		if !ok {
			if !types.IsInterface(e) {
				list = append(list, e)
			} else {
				list = append(list, listed(e.Underlying().(*types.Interface))...)
			}
			continue
		}
		for term := range union.Terms() {
			list = append(list, term.Type())
		}
	}
	return list
}

// implemented notes the types that may be in the interfaces that others put values into. Of generic types it is not
// known which instances there are, so that names of methods decide.
func (s *scan) implemented() {
	for i := 0; i < len(s.faces); i++ { // there may come more
		for _, n := range s.declared {
			f := s.faces[i]
			if f.generic || n.TypeParams().Len() > 0 {
				if named(n, f.Interface) {
					s.message(n)
				}
			} else if types.Implements(n, f.Interface) || types.Implements(types.NewPointer(n), f.Interface) {
				s.message(n)
			}
		}
	}
}

// named reports whether a type has methods of all names that an interface has.
func named(n *types.Named, face *types.Interface) bool {
	for m := range face.Methods() {
		if f, _, _ := types.LookupFieldOrMethod(n, true, m.Pkg(), m.Name()); f == nil {
			return false
		}
	}
	return true
}
