package model

import "go/types"

// MayLead reports whether values of a type may lead to memory that others may reach too. functions: one that has
// captured variables counts.
func MayLead(t types.Type, functions bool) bool { return mayLead(t, functions, map[types.Type]bool{}) }

func mayLead(t types.Type, functions bool, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return mayLead(u.Elem(), functions, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if mayLead(f.Type(), functions, seen) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if mayLead(v.Type(), functions, seen) {
				return true
			}
		}
		return false
	case *types.Signature:
		return functions
	}
	return true
}
