package exec

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// equal gives the condition that two values of a type are equal, as Go's == has it. Comparing what cannot be compared
// panics.
func (r *run) equal(x, y Value) *term.Term {
	x, y = settled(r.force(x)), settled(r.force(y))
	switch v := x.(type) {
	case *term.Term:
		if w, ok := y.(*term.Term); ok {
			return r.sameTerm(v, w)
		}
	case *Struct:
		return r.allEqual(v.Fields, y.(*Struct).Fields, structOf(v.Type))
	case *Array:
		return r.allEqual(v.Elems, y.(*Array).Elems, nil)
	case Face, *InputFace:
		return r.sameFace(x, y)
	case Slice:
		if s := r.mustSlice(y); s.mem.Obj != nil {
			return r.sliceNil(s)
		}
		return r.sliceNil(v)
	case *Map:
		if m := r.mustMap(y); m != nil {
			return r.mapNil(m)
		}
		return r.mapNil(v)
	case Func, *InputFunc:
		return r.funcNil(x, y)
	}
	return r.samePointer(x, y)
}

// sameTerm compares numbers, truth values, strings and references. Actors that the handler has created differ from all
// others.
func (r *run) sameTerm(x, y *term.Term) *term.Term {
	if x.Sort.Kind == term.FloatKind {
		return r.store.FEqual(x, y)
	}
	if x != y && x.Sort == sortReference && (r.spawned[x] || r.spawned[y]) {
		return r.store.Bool(false)
	}
	if same, ok := r.sameMade(x, y); ok {
		return same
	}
	return r.store.Equal(x, y)
}

// allEqual compares fields or elements, but for blank fields. Those behind a difference are not compared, which matters
// where that might panic.
func (r *run) allEqual(xs, ys []Value, s *types.Struct) *term.Term {
	all := []*term.Term{}
	for i := range xs {
		if s != nil && s.Field(i).Name() == "_" {
			continue
		}
		if len(all) > 0 && r.hasFace(xs[i]) && !r.truth(r.store.And(all...)) {
			return r.store.Bool(false)
		}
		c := r.equal(xs[i], ys[i])
		if c.False() {
			return c
		}
		all = append(all, c)
	}
	return r.store.And(all...)
}

// sameFace compares two interfaces.
func (r *run) sameFace(x, y Value) *term.Term {
	f, ok := x.(Face)
	g, two := y.(Face)
	switch {
	case ok && f.Type == nil:
		return r.faceNil(y)
	case two && g.Type == nil:
		return r.faceNil(x)
	case ok && two:
		if !types.Identical(f.Type, g.Type) {
			return r.store.Bool(false)
		}
		return r.equalHeld(f.Type, f.Val, g.Val)
	case ok:
		return r.holdsEqual(y, f)
	case two:
		return r.holdsEqual(x, g)
	}
	a, b := x.(*InputFace), y.(*InputFace)
	if a == b {
		return r.store.Bool(true)
	}
	r.mark(Havoc, "two interfaces of the inputs are compared: %s and %s", a.at.Name, b.at.Name)
	return r.store.Var(r.outside(a.at.Name+"=="+b.at.Name), term.Bool)
}

// holdsEqual compares an interface of the inputs with one that is known.
func (r *run) holdsEqual(x Value, f Face) *term.Term {
	v, ok := r.holds(x, f.Type)
	if !ok {
		return r.store.Bool(false)
	}
	return r.equalHeld(f.Type, v, f.Val)
}

// equalHeld compares what two interfaces hold. An interface of the inputs may hold a struct with an interface, and so
// on: the nesting has a bound.
func (r *run) equalHeld(t types.Type, x, y Value) *term.Term {
	if !types.Comparable(t) {
		r.throw(uncomparable)
	}
	if r.depth >= r.config.Calls {
		r.cut("interfaces in interfaces are compared, nested deeper than %d", r.config.Calls)
	}
	r.depth++
	defer func() { r.depth-- }()
	return r.equal(x, y)
}

// hasFace reports whether a value is or has an interface.
func (r *run) hasFace(v Value) bool {
	switch v := settled(r.force(v)).(type) {
	case Face, *InputFace:
		return true
	case *Struct:
		return slices.ContainsFunc(v.Fields, r.hasFace)
	case *Array:
		return slices.ContainsFunc(v.Elems, r.hasFace)
	}
	return false
}

// hashable panics, as the program does, if a value is a key and has an interface whose value cannot be hashed.
func (r *run) hashable(v Value) {
	switch v := settled(r.force(v)).(type) {
	case Face:
		if v.Type == nil {
			return
		}
		if !types.Comparable(v.Type) {
			r.throw(uncomparable)
		}
		r.hashable(v.Val)
	case *InputFace:
		r.hashableInput(v)
	case *Struct:
		for _, f := range v.Fields {
			r.hashable(f)
		}
	case *Array:
		for _, e := range v.Elems {
			r.hashable(e)
		}
	}
}

// hashableInput decides whether an interface of the inputs holds a value that cannot be hashed. One type stands for all
// of those: they all panic.
func (r *run) hashableInput(f *InputFace) {
	if Value(f) == r.message {
		return // its type was asked for
	}
	t := r.unhashable(f)
	if t == nil {
		return
	}
	if _, ok := r.holds(f, t); ok {
		r.throw(uncomparable)
	}
	r.mark(Closed, "%s holds a value that can be hashed, or a %s", f.at.Name, typeName(t))
}

// unhashable gives a type whose values cannot be hashed and that an interface of the inputs may hold: one of the
// program's, or []int where every type fits.
func (r *run) unhashable(f *InputFace) types.Type {
	static := f.at.Type.Underlying().(*types.Interface)
	for _, t := range r.implementing(f, static) {
		if !types.Comparable(t) {
			return t
		}
	}
	if static.NumMethods() > 0 || !static.IsMethodSet() {
		return nil
	}
	return types.NewSlice(types.Typ[types.Int])
}

// funcNil compares functions: one of them is nil.
func (r *run) funcNil(x, y Value) *term.Term {
	if f, ok := x.(Func); ok && f.null() {
		x = y
	}
	switch f := x.(type) {
	case Func:
		return r.store.Bool(f.null())
	case *InputFunc:
		return r.isZero(f.ref)
	}
	panic(fmt.Sprintf("exec: comparison of a %T", x))
}
