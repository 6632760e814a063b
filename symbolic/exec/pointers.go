package exec

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// deref decides where a pointer leads. If it is nil, the program panics.
func (r *run) deref(v Value) Ptr {
	switch v := r.force(v).(type) {
	case Ptr:
		if v.Obj == nil {
			r.throw(nilDereference)
		}
		return v
	case *InputPtr:
		return Ptr{Obj: r.target(v)}
	case *term.Term:
		return Ptr{Obj: r.behind(v)}
	case *Opaque:
		return Ptr{Obj: r.unknown(v)}
	default:
		panic(fmt.Sprintf("exec: dereference of a %T", v))
	}
}

// target decides what a pointer of the inputs leads to: nothing, which panics, one of the objects known before, or
// another.
func (r *run) target(p *InputPtr) *Object {
	if p.to != nil {
		return p.to
	}
	null := r.isZero(p.ref)
	outcomes := []*term.Term{null}
	rest := []*term.Term{r.store.Not(null)}
	known := r.aliases(p)
	for _, o := range known {
		same := r.store.Equal(p.ref, o.ref)
		outcomes = append(outcomes, r.store.And(r.store.Not(null), same))
		rest = append(rest, r.store.Not(same))
	}
	outcomes = append(outcomes, r.store.And(rest...))
	switch i := r.fork(outcomes...); {
	case i == 0:
		r.throw(nilDereference)
	case i <= len(known):
		p.to = known[i-1].to
	default:
		r.discover(p)
	}
	return p.to
}

// aliases lists the objects that a pointer of the inputs may lead to, beside one of its own.
func (r *run) aliases(p *InputPtr) (known []*InputPtr) {
	if !r.config.Alias {
		return nil
	}
	for _, o := range r.lazies {
		if types.Identical(pointerTo(o.at.Type), pointerTo(p.at.Type)) {
			known = append(known, o)
		}
	}
	return known
}

// discover gives a pointer of the inputs an object of its own.
func (r *run) discover(p *InputPtr) {
	at := p.at.deref()
	p.to = r.alloc(at.Type, &Lazy{at: at})
	p.to.at = at
	r.lazies = append(r.lazies, p)
	r.memories = append(r.memories, p.to)
}

// isZero gives the condition that an identity is none.
func (r *run) isZero(ref *term.Term) *term.Term { return r.store.Equal(ref, r.store.Uint(ref.Sort, 0)) }

// samePointer gives the condition that two pointers are equal.
func (r *run) samePointer(x, y Value) *term.Term {
	x, y = settled(r.force(x)), settled(r.force(y))
	if p, ok := y.(*InputPtr); ok {
		if _, two := x.(*InputPtr); !two {
			return r.inputPointer(p, x)
		}
	}
	switch x := x.(type) {
	case *InputPtr:
		return r.inputPointer(x, y)
	case Ptr:
		if y, ok := y.(Ptr); ok {
			return r.decided(x, y)
		}
	}
	rx, ry := r.identity(x), r.identity(y)
	return r.store.Equal(rx, ry)
}

// decided compares two pointers that lead to different objects, or to the same, or to nothing.
func (r *run) decided(x, y Ptr) *term.Term {
	if x.same(y) {
		return r.store.Bool(true)
	}
	if x.Obj != nil && y.Obj != nil && x.Obj.at != nil && y.Obj.at != nil {
		if rx, ry := r.refOf(x.Obj), r.refOf(y.Obj); rx != nil && ry != nil && len(x.Path) == 0 && len(y.Path) == 0 {
			r.assume(r.store.Not(r.store.Equal(rx, ry)))
		}
	}
	return r.store.Bool(false)
}

// refOf gives the identity of what a pointer of the inputs has led to, nil for other objects.
func (r *run) refOf(o *Object) *term.Term {
	for _, p := range r.lazies {
		if p.to == o {
			return p.ref
		}
	}
	return nil
}

// inputPointer compares a pointer of the inputs that is not decided. If it is equal to another one they lead to the
// same from here on.
func (r *run) inputPointer(p *InputPtr, y Value) *term.Term {
	switch y := y.(type) {
	case Ptr:
		if y.Obj == nil {
			return r.isZero(p.ref)
		}
		ref := r.refOf(y.Obj)
		if ref == nil || len(y.Path) > 0 || !types.Identical(y.Obj.typ, pointerTo(p.at.Type)) {
			return r.store.Bool(false)
		}
		same := r.truth(r.store.Equal(p.ref, ref))
		if same {
			p.to = y.Obj
		}
		return r.store.Bool(same)
	case *InputPtr:
		if p == y {
			return r.store.Bool(true)
		}
		null, equal := r.isZero(p.ref), r.store.Equal(p.ref, y.ref)
		switch r.fork(r.store.And(equal, null), r.store.And(equal, r.store.Not(null)), r.store.Not(equal)) {
		case 1:
			y.to = r.target(p)
		case 2:
			return r.store.Bool(false)
		}
		return r.store.Bool(true)
	}
	return r.store.Equal(p.ref, r.identity(y))
}

// identity gives the identity of what is compared by it.
func (r *run) identity(v Value) *term.Term {
	switch v := settled(v).(type) {
	case *term.Term:
		return v
	case *Opaque:
		return v.ref
	case *InputPtr:
		return v.ref
	case Ptr:
		if v.Obj == nil {
			return r.store.Uint(sortReference, 0)
		}
		if ref := r.refOf(v.Obj); ref != nil && len(v.Path) == 0 {
			return ref
		}
		return r.store.Uint(sortReference, uint64(made+v.Obj.id))
	}
	panic(fmt.Sprintf("exec: identity of a %T", v))
}

// made is added to the number of an object to be its identity: inputs have lower ones.
const made = 1 << 15

// Made gives the number of an object that the program makes on a path, from its identity; false if it is the identity
// of something else.
func Made(identity uint64) (number uint64, ok bool) { return identity - made, identity >= made }
