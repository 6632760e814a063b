package flow

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file finds whom a copy of a reference leads to. A reference is a pointer to what identifies an actor, and a
// program may copy that: to := *pid; send(&to).

// referents gives what some pointers refer to. Those to memory of the program lead to what was copied there.
func (o *operation) referents(refs points.Set) (out points.Set) {
	for _, l := range refs {
		if kind := o.solver.Object(l).Kind; kind != points.Memory && kind != points.Global && kind != points.Box {
			out = out.Union(points.One(l))
			continue
		}
		if o.copied[l] == "" {
			o.copied[l] = o.at()
		}
		out = out.Union(o.solver.Read(o.call.By, l))
	}
	return out
}

// unresolved notes the places to which no reference was copied, when all is known: the program has written there itself
// whom it means. Where types are not told apart, a place may be none of those.
func (b *builder) unresolved() {
	for l, at := range b.copied {
		if len(b.solver.Read(nil, l)) == 0 && hasReferent(b.solver.Object(l).Type) {
			b.note(at, "who gets this message is unknown: the program makes the reference itself")
		}
	}
}

// hasReferent reports whether memory of a type may have in it what a reference leads to. That of no known type may.
func hasReferent(t types.Type) bool {
	if t == nil || model.Referent(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if hasReferent(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return hasReferent(u.Elem())
	case *types.Slice:
		return hasReferent(u.Elem())
	case *types.Map:
		return hasReferent(u.Elem()) || hasReferent(u.Key())
	case *types.Chan:
		return hasReferent(u.Elem())
	}
	return false
}
