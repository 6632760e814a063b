package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// sortReference is the sort of references to actors, of the identities of pointers, and of types. 0 is none.
var sortReference = term.Word16

// force gives a value that somebody looks at.
func (r *run) force(v Value) Value {
	l, ok := v.(*Lazy)
	if !ok {
		return v
	}
	if l.res == nil {
		l.res = r.input(l.at)
	}
	return l.res
}

// input makes the value of a place, once for each name.
func (r *run) input(at *Place) Value {
	if v, ok := r.named[at.key()]; ok {
		return v
	}
	v := r.make(at)
	r.named[at.key()] = v
	return v
}

func (r *run) make(at *Place) Value {
	if s, ok := scalar(at.Type); ok {
		aspect := ""
		if isReference(at.Type) {
			aspect = aspectRef
		}
		v := r.variable(at, aspect, s)
		if isReference(at.Type) {
			r.isChild(at, v)
		}
		return v
	}
	switch u := at.Type.Underlying().(type) {
	case *types.Struct:
		s := &Struct{Type: at.Type, Fields: make([]Value, u.NumFields())}
		for i := range s.Fields {
			s.Fields[i] = &Lazy{at: at.field(i)}
		}
		return s
	case *types.Array:
		if u.Len() > maxArray {
			r.cut("an array of %d elements", u.Len())
		}
		a := &Array{Elem: u.Elem(), Elems: make([]Value, u.Len())}
		for i := range a.Elems {
			a.Elems[i] = &Lazy{at: at.elem(i, u.Elem())}
		}
		return a
	case *types.Pointer:
		return &InputPtr{at: at, ref: r.variable(at, aspectRef, sortReference)}
	case *types.Slice:
		return r.inputSlice(at, u.Elem())
	case *types.Map:
		return r.inputMap(at, u)
	case *types.Interface:
		return &InputFace{at: at, tag: r.variable(at, aspectType, sortReference)}
	case *types.Signature:
		return &InputFunc{at: at, ref: r.variable(at, aspectRef, sortReference)}
	}
	return &Opaque{Type: at.Type, Name: at.Name, ref: r.variable(at, aspectRef, sortReference)}
}

// maxArray is how long an array may be.
const maxArray = 4096

// scalar gives the sort of a type whose values are terms.
func scalar(t types.Type) (term.Sort, bool) {
	switch {
	case isReference(t):
		return sortReference, true
	case isTime(t):
		return term.Word64, true
	}
	s, ok := term.TypeOf(t)
	return s.Sort, ok
}

// isReference reports whether values of a type are references to actors.
func isReference(t types.Type) bool {
	return model.Reference(t) || model.Stands(t)
}

// isTime reports whether values of a type are points in time, as numbers of nanoseconds.
func isTime(t types.Type) bool { return isNamed(t, "time", "Time") }

func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

// zero gives the zero value of a type.
func (r *run) zero(t types.Type) Value {
	if s, ok := scalar(t); ok {
		return r.store.Const(term.Value{Sort: s})
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		s := &Struct{Type: t, Fields: make([]Value, u.NumFields())}
		for i := range s.Fields {
			s.Fields[i] = r.zero(u.Field(i).Type())
		}
		return s
	case *types.Array:
		return r.zeros(u.Elem(), int(u.Len()))
	case *types.Pointer:
		return Ptr{}
	case *types.Slice:
		return Slice{}
	case *types.Map:
		return (*Map)(nil)
	case *types.Interface:
		return Face{}
	case *types.Signature:
		return Func{}
	case *types.Tuple:
		var tuple Tuple
		for v := range u.Variables() {
			tuple = append(tuple, r.zero(v.Type()))
		}
		return tuple
	}
	return &Opaque{Type: t, Name: "zero", ref: r.store.Uint(sortReference, 0)}
}

// zeros gives an array of zero values.
func (r *run) zeros(elem types.Type, n int) *Array {
	if n > maxArray {
		r.cut("an array of %d elements", n)
	}
	a := &Array{Elem: elem, Elems: make([]Value, n)}
	if n > 0 {
		zero := r.zero(elem)
		for i := range a.Elems {
			a.Elems[i] = zero
		}
	}
	return a
}
