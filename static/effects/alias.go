package effects

import (
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// This file adds to what was written what may be the same memory: two fields of an actor may lead to one map. It goes
// by types alone.
//
//	source:     ours
//	assumes:    no unsafe code; actors share no memory (what others write is not looked at)
//	invariants: if memory that field f leads to may be written, f is among the writes
//	cost:       writes x fields x types that a field leads to

// written is everything that may have been written, by field where an alias was.
func (h *handler) written() []string {
	all := map[string]bool{}
	for w := range h.writes {
		all[w.path] = true
	}
	st, ok := h.actor.typ.Underlying().(*types.Struct)
	if !ok || all[facts.WholeState] {
		return keys(all)
	}
	for w := range h.writes {
		root := facts.Root(w.path)
		for i := range st.NumFields() {
			if f := st.Field(i); f.Name() != root && h.aliases(w, st, i) {
				all[f.Name()] = true
			}
		}
	}
	return keys(all)
}

// aliases reports whether a write may reach memory of the actor's i-th field.
func (h *handler) aliases(w write, st *types.Struct, i int) bool {
	field := st.Field(i)
	own := shape(h.actor.typ)
	if !w.behind && !h.survey.taken[place{own, h.fieldIndex(st, w.path)}] {
		return false // it is the actor's own memory, and nobody holds its address
	}
	reached := h.reach(field.Type())
	if w.in == nil || reached.anything {
		return w.in == nil && holdsReferences(field.Type()) || reached.anything
	}
	if w.behind {
		// A reference may lead to the actor itself, or into the field.
		if types.Identical(w.in.Underlying(), h.actor.typ.Underlying()) && types.Identical(w.of, field.Type()) {
			return true
		}
		if has(parts(field.Type()), w.in) && (h.survey.taken[place{own, i}] || h.reachesItself(st)) {
			return true
		}
	}
	return has(reached.parts, w.in) || has(reached.parts, w.of) && h.addressed(w.of)
}

// reachesItself reports whether a field may lead back to the actor.
func (h *handler) reachesItself(st *types.Struct) bool {
	for f := range st.Fields() {
		if r := h.reach(f.Type()); r.anything || has(r.parts, h.actor.typ) {
			return true
		}
	}
	return false
}

func (h *handler) fieldIndex(st *types.Struct, path string) int {
	for i := range st.NumFields() {
		if st.Field(i).Name() == facts.Root(path) {
			return i
		}
	}
	return -1
}

// addressed reports whether somebody may hold the address of a field or element of that type.
func (h *handler) addressed(t types.Type) bool {
	b, basic := t.Underlying().(*types.Basic)
	return !basic || h.survey.numbers[b.Kind()]
}

// reached is the memory that a value leads to.
type reached struct {
	parts    []types.Type // all types that a piece of it has
	anything bool         // an interface or a function is on the way
}

func (a *analysis) reach(t types.Type) *reached {
	key := types.TypeString(t, nil)
	if r := a.reaches[key]; r != nil {
		return r
	}
	r := &reached{}
	a.reaches[key] = r
	r.from(t, map[string]bool{})
	return r
}

// from adds what a value of a type leads to.
func (r *reached) from(t types.Type, seen map[string]bool) {
	key := types.TypeString(t, nil)
	if seen[key] {
		return
	}
	seen[key] = true
	if isGiven(t) || isFixed(t) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if !isGiven(u.Elem()) && !isFixed(u.Elem()) {
			r.memory(u.Elem(), seen)
		}
	case *types.Slice:
		r.memory(u.Elem(), seen)
	case *types.Map:
		r.parts = append(r.parts, u) // what it holds has no address
		r.from(u.Key(), seen)
		r.from(u.Elem(), seen)
	case *types.Array:
		r.from(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			r.from(f.Type(), seen)
		}
	case *types.Interface, *types.Signature, *types.Chan:
		r.anything = true
	case *types.Basic:
		r.anything = r.anything || u.Kind() == types.UnsafePointer
	default:
		r.anything = true
	}
}

// isGiven reports whether a type is one of a framework whose values handlers keep and never write into: what stands for
// an actor, and what leads to the framework. Its methods are models, or unknown.
func isGiven(t types.Type) bool {
	switch nameWithPath(t) {
	case proto + ".PID", proto + ".ActorSystem", proto + ".RootContext", proto + ".Context", core + ".T",
		hollywood + ".PID", hollywood + ".Engine", hollywood + ".Context",
		goakt + ".PID", goakt + ".ActorSystem", goakt + ".ReceiveContext":
		return true
	}
	return false
}

// isFixed reports whether a type is one of a library whose values lead to no memory that handlers write.
func isFixed(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && model.Fixed(n.Obj())
}

// nameWithPath is the name of a named type with the path of its package, "" for other types.
func nameWithPath(t types.Type) string {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// memory adds a piece of memory and what it leads to.
func (r *reached) memory(t types.Type, seen map[string]bool) {
	r.parts = append(r.parts, parts(t)...)
	r.from(t, seen)
}

// parts lists the types of a piece of memory and of all pieces of it.
func parts(t types.Type) []types.Type {
	list := []types.Type{t}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			list = append(list, parts(f.Type())...)
		}
	case *types.Array:
		list = append(list, parts(u.Elem())...)
	}
	return list
}

func has(list []types.Type, t types.Type) bool {
	return slices.ContainsFunc(list, func(u types.Type) bool {
		return types.Identical(t.Underlying(), u.Underlying()) // pointers can be converted between types of one shape
	})
}
