package exec

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// equal gives the condition that two values of a type are equal, as Go's == has it. Comparing what cannot be compared panics.
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

// sameTerm compares numbers, truth values, strings and references. Actors that the handler has created differ from all others.
func (r *run) sameTerm(x, y *term.Term) *term.Term {
	if x.Sort.Kind == term.FloatKind {
		return r.store.FEqual(x, y)
	}
	if x != y && x.Sort == sortReference && (r.spawned[x] || r.spawned[y]) {
		return r.store.Bool(false)
	}
	return r.store.Equal(x, y)
}

// allEqual compares fields or elements, but for blank fields.
func (r *run) allEqual(xs, ys []Value, s *types.Struct) *term.Term {
	all := []*term.Term{}
	for i := range xs {
		if s != nil && s.Field(i).Name() == "_" {
			continue
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
		r.hashable(f)
		return r.equal(f.Val, g.Val)
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
	r.hashable(f)
	return r.equal(v, f.Val)
}

// hashable panics, as the program does, if a value in an interface cannot be compared.
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
