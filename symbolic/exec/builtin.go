package exec

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// builtin calls a builtin function.
func (r *run) builtin(f *frame, c *ssa.CallCommon, name string, args []Value) Value {
	switch name {
	case "len":
		return r.length(args[0])
	case "cap":
		return r.capacity(args[0])
	case "append":
		elem := c.Args[0].Type().Underlying().(*types.Slice).Elem()
		return r.appended(elem, r.mustSlice(args[0]), r.elemsOf(args[1], elem))
	case "copy":
		elem := c.Args[0].Type().Underlying().(*types.Slice).Elem()
		return r.int(r.copied(r.mustSlice(args[0]), r.elemsOf(args[1], elem)))
	case "delete":
		r.remove(r.mustMap(args[0]), args[1])
		return nil
	case "clear":
		r.clear(args[0])
		return nil
	case "min", "max":
		return r.extreme(name, c.Args[0].Type(), args)
	case "recover":
		return r.recovered(f)
	case "ssa:wrapnilchk":
		r.deref(args[0])
		return args[0]
	case "print", "println":
		return nil
	case "close":
		if r.truth(r.isZero(r.identity(args[0]))) {
			r.throw(nilChannel)
		}
		r.mark(Env, "whether a channel is closed")
		r.outward("close", nil)
		return nil
	}
	r.mark(Havoc, "the builtin %s", name)
	return r.havoc(name, c.Signature().Results())
}

// elemsOf gives the elements of what append or copy is given: a slice, or a string.
func (r *run) elemsOf(v Value, elem types.Type) []Value {
	if t, ok := v.(*term.Term); ok {
		v = r.exploded(t, types.NewSlice(elem))
	}
	return r.elems(r.mustSlice(v))
}

func (r *run) length(v Value) Value {
	switch v := v.(type) {
	case *term.Term:
		return r.store.Len(v)
	case Slice:
		return r.lenOf(v)
	case *Map:
		return r.size(v)
	case *Array:
		return r.int(len(v.Elems))
	case Ptr, *InputPtr:
		return r.int(len(r.load(r.deref(v)).(*Array).Elems))
	}
	r.mark(Havoc, "a channel")
	return r.havoc("len", types.Typ[types.Int])
}

func (r *run) capacity(v Value) Value {
	s, ok := v.(Slice)
	if !ok {
		return r.length(v)
	}
	s = r.decide(s)
	switch o := s.mem.Obj; {
	case o == nil:
	case r.grown[o]:
		r.mark(Env, "the capacity that append has chosen")
	case o.at != nil:
		r.mark(Env, "the capacity of %s", o.at.Name)
	}
	return r.int(s.cap)
}

// clear is the builtin of that name.
func (r *run) clear(v Value) {
	switch v := v.(type) {
	case *Map:
		for _, e := range r.close(v) {
			e.has = r.store.Bool(false)
			r.wrote(v, e)
		}
	case Slice:
		v = r.decide(v)
		for i := range v.len {
			r.storeAt(v.mem.at(v.off+i), r.zero(r.load(v.mem).(*Array).Elem))
		}
	}
}

// extreme is min or max.
func (r *run) extreme(name string, t types.Type, args []Value) Value {
	typ, _ := term.TypeOf(t)
	best := args[0].(*term.Term)
	for _, a := range args[1:] {
		x := a.(*term.Term)
		switch {
		case typ.Kind == term.FloatKind:
			if !x.Const() || !best.Const() {
				r.mark(Havoc, "the %s of floats", name)
				return r.havoc(name, t)
			}
			best = r.floatExtreme(name, best, x)
		case name == "min":
			best = r.store.If(r.less(typ, x, best), x, best)
		default:
			best = r.store.If(r.less(typ, best, x), x, best)
		}
	}
	return best
}

func (r *run) floatExtreme(name string, x, y *term.Term) *term.Term {
	a, b := x.Value().Float(), y.Value().Float()
	if name == "min" {
		return r.store.Float(x.Sort, min(a, b))
	}
	return r.store.Float(x.Sort, max(a, b))
}

// less is x < y.
func (r *run) less(t term.Type, x, y *term.Term) *term.Term {
	switch {
	case t.Kind == term.StringKind:
		return r.store.TextLess(x, y)
	case t.Kind == term.FloatKind:
		return r.store.FLess(x, y)
	case t.Unsigned:
		return r.store.ULess(x, y)
	}
	return r.store.SLess(x, y)
}

// makeSlice is the builtin make of a slice.
func (r *run) makeSlice(t types.Type, n, most *term.Term) Value {
	elem := t.Underlying().(*types.Slice).Elem()
	length := r.madeOf(n)
	limit := length
	if most != n {
		limit = r.madeOf(most)
	}
	if limit < length {
		r.throw(makeLength)
	}
	return r.newSlice(elem, r.zeros(elem, length).Elems, limit)
}

// madeOf decides a length that make is given.
func (r *run) madeOf(n *term.Term) int {
	if r.truth(r.store.SLess(n, r.int(0))) {
		r.throw(makeLength)
	}
	if n.Const() && n.Val > maxArray {
		r.cut("a slice of %d elements", n.Val)
	}
	return r.among(n, r.config.Elements, "a slice that is made with more than %d elements")
}

// slices is a slice expression.
func (r *run) slices(f *frame, in *ssa.Slice) Value {
	low, high, most := r.index64(f, in.Low), r.index64(f, in.High), r.index64(f, in.Max)
	switch x := r.value(f, in.X).(type) {
	case Slice:
		return r.sliced(x, low, high, most)
	case *term.Term:
		return r.substring(x, low, high)
	case Ptr, *InputPtr: // to an array
		p := r.deref(x)
		n := len(r.load(p).(*Array).Elems)
		return r.sliced(Slice{mem: p, len: n, cap: n}, low, high, most)
	default:
		panic(fmt.Sprintf("exec: slice of a %T", x))
	}
}

// substring is a slice of a string.
func (r *run) substring(s, low, high *term.Term) Value {
	if low == nil {
		low = r.int(0)
	}
	n := r.store.Len(s)
	if high == nil {
		high = n
	}
	if r.truth(r.store.ULess(n, high)) || r.truth(r.store.ULess(high, low)) {
		r.throw(sliceBounds)
	}
	if s.Const() && low.Const() && high.Const() {
		return r.store.Text(s.Value().Text[low.Val:high.Val])
	}
	if low.Const() && low.Val == 0 && high == n {
		return s
	}
	part := r.store.Apply(sliceFunction, term.String, s, low, high)
	r.assume(r.store.Equal(r.store.Len(part), r.store.Sub(high, low)))
	return part
}
