package exec

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// address is that of a field or an element which something is assigned to. Go evaluates the operands of the left side
// first, then the right side, and only then panics if there is no such field or element. Go/ssa has the address
// computed first. So what may panic is left to the store.
type address struct {
	x     Value
	field int
	index *term.Term // nil for a field
}

// address gives where a field or an element is.
func (r *run) address(f *frame, in ssa.Value) Value {
	var a *address
	switch in := in.(type) {
	case *ssa.FieldAddr:
		a = &address{x: r.value(f, in.X), field: in.Field}
	case *ssa.IndexAddr:
		a = &address{x: r.value(f, in.X), index: r.index64(f, in.Index)}
	}
	if r.program.assigned(in) {
		return a
	}
	return r.reached(a)
}

// reached gives the pointer to where an address is, and panics as the program does if it is nowhere.
func (r *run) reached(v Value) Value {
	a, ok := v.(*address)
	if !ok {
		return v
	}
	x := r.reached(a.x)
	if s, ok := x.(Slice); ok {
		return r.elemAddr(s, a.index)
	}
	p := r.deref(x)
	if a.index == nil {
		return p.at(a.field)
	}
	return p.at(r.index(a.index, len(r.load(p).(*Array).Elems)))
}

// assigned reports whether an address is used for stores alone.
func (p *Program) assigned(v ssa.Value) bool {
	is, ok := p.stored[v]
	if ok {
		return is
	}
	is = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			is = is && ref.Val != v
		case *ssa.FieldAddr:
			is = is && p.assigned(ref)
		case *ssa.IndexAddr:
			is = is && p.assigned(ref)
		case *ssa.DebugRef:
		default:
			is = false
		}
	}
	p.stored[v] = is
	return is
}
