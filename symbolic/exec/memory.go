package exec

import (
	"fmt"
	"go/types"
)

// alloc makes a new object.
func (r *run) alloc(t types.Type, v Value) *Object {
	r.objects++
	return &Object{id: r.objects, typ: t, val: v}
}

// load gives what a pointer leads to.
func (r *run) load(p Ptr) Value {
	v := r.force(p.Obj.val)
	p.Obj.val = v
	for _, i := range p.Path {
		v = r.force(r.part(v, i))
	}
	return v
}

// part gives a field or an element.
func (r *run) part(v Value, i int) Value {
	switch v := v.(type) {
	case *Struct:
		return v.Fields[i]
	case *Array:
		return v.Elems[i]
	case *open:
		return r.openElem(v, i)
	}
	panic(fmt.Sprintf("exec: part %d of a %T", i, v))
}

// touches counts a write to the memory with a number. Some may have been there before the fence whatever its number:
// what belongs to the inputs, package variables, and memory that code without a source writes.
func (r *run) touches(id int, before bool) {
	r.writes++
	if before || id <= r.fence {
		r.older++
	}
}

// store writes to where a pointer leads.
func (r *run) storeAt(p Ptr, v Value) {
	r.touches(p.Obj.id, p.Obj.at != nil || p.Obj.global)
	if p.Obj.at != nil {
		r.written[r.placeName(p)] = true
	}
	if g := r.guess[p.Obj]; g != nil && len(p.Path) > 0 && p.Path[0] < g.shared {
		r.mark(Env, "the capacity that append has chosen")
	}
	p.Obj.val = r.replaced(r.force(p.Obj.val), p.Path, v)
}

// replaced gives a value with one part replaced.
func (r *run) replaced(old Value, path []int, v Value) Value {
	if len(path) == 0 {
		return v
	}
	i := path[0]
	switch old := old.(type) {
	case *Struct:
		s := &Struct{Type: old.Type, Fields: append([]Value(nil), old.Fields...)}
		s.Fields[i] = r.replaced(r.force(old.Fields[i]), path[1:], v)
		return s
	case *Array:
		a := &Array{Elem: old.Elem, Elems: append([]Value(nil), old.Elems...)}
		a.Elems[i] = r.replaced(r.force(old.Elems[i]), path[1:], v)
		return a
	case *open:
		old.elems[i] = r.replaced(r.force(r.openElem(old, i)), path[1:], v)
		return old
	}
	panic(fmt.Sprintf("exec: part %d of a %T", i, old))
}

// placeName names what a pointer leads to in an input.
func (r *run) placeName(p Ptr) string {
	if len(p.Path) == 0 {
		return p.Obj.at.key()
	}
	name, t := p.Obj.at.Name, p.Obj.typ
	for _, i := range p.Path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			name, t = name+"."+u.Field(i).Name(), u.Field(i).Type()
		case *types.Array:
			name, t = fmt.Sprintf("%s[%d]", name, i), u.Elem()
		case *types.Slice: // the memory of one
			name, t = fmt.Sprintf("%s[%d]", name, i), u.Elem()
		}
	}
	return name
}
