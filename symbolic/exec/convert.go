package exec

import (
	"go/constant"
	"go/types"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// constant gives the value of a constant of the source.
func (r *run) constant(c *ssa.Const) Value {
	if c.Value == nil {
		return r.zero(c.Type())
	}
	typ, ok := term.TypeOf(c.Type())
	if !ok {
		r.mark(Havoc, "a constant of %s", c.Type())
		return r.havoc("constant", c.Type())
	}
	switch typ.Kind {
	case term.BoolKind:
		return r.store.Bool(constant.BoolVal(c.Value))
	case term.StringKind:
		if c.Value.Kind() == constant.String {
			return r.store.Text(constant.StringVal(c.Value))
		}
		return r.store.Text(string(rune(c.Int64())))
	case term.FloatKind:
		return r.store.Float(typ.Sort, c.Float64())
	}
	if typ.Unsigned {
		return r.store.Uint(typ.Sort, c.Uint64())
	}
	return r.store.Int(typ.Sort, c.Int64())
}

// convert is a conversion between types of which one is no other name of the other.
func (r *run) convert(v Value, from, to types.Type) Value {
	a, okFrom := term.TypeOf(from)
	b, okTo := term.TypeOf(to)
	switch {
	case okFrom && okTo && b.Kind == term.StringKind && a.Kind == term.WordKind:
		return r.runeText(v.(*term.Term), from)
	case okFrom && okTo:
		if t, ok := r.store.Convert(v.(*term.Term), a, b); ok {
			return t
		}
	case okFrom && a.Kind == term.StringKind:
		return r.exploded(v.(*term.Term), to)
	case okTo && b.Kind == term.StringKind:
		return r.imploded(r.mustSlice(v), from)
	}
	r.mark(Havoc, "a conversion of %s to %s", from, to)
	return r.havoc("converted", to)
}

// runeText is string(x) of a number.
func (r *run) runeText(t *term.Term, from types.Type) Value {
	if t.Const() {
		wide := r.wide(t, from)
		if n := wide.Value().Int(); n >= 0 && n <= utf8.MaxRune {
			return r.store.Text(string(rune(n)))
		}
		return r.store.Text(string(utf8.RuneError))
	}
	return r.store.Apply(runeFunction, term.String, r.wide(t, from))
}

// exploded is a string as bytes or runes.
func (r *run) exploded(t *term.Term, to types.Type) Value {
	elem := to.Underlying().(*types.Slice).Elem()
	typ, _ := term.TypeOf(elem)
	if !t.Const() && typ.Sort == term.Word8 {
		o := r.alloc(to, &open{elem: elem, elems: map[int]Value{}, size: r.store.Len(t), text: t})
		r.grown[o] = true
		return Slice{mem: Ptr{Obj: o}, len: -1, cap: -1}
	}
	if !t.Const() {
		r.mark(Havoc, "the elements of a string")
		return r.havoc("elements", to)
	}
	var elems []Value
	if text := t.Value().Text; typ.Sort == term.Word8 {
		for i := range len(text) {
			elems = append(elems, r.store.Uint(typ.Sort, uint64(text[i])))
		}
	} else {
		for _, c := range text {
			elems = append(elems, r.store.Int(typ.Sort, int64(c)))
		}
	}
	s := r.newSlice(elem, elems, len(elems))
	r.grown[s.mem.Obj] = true // nobody knows how much there is behind
	return s
}

// imploded is a string made of bytes or runes.
func (r *run) imploded(s Slice, from types.Type) Value {
	if s.mem.Obj != nil && s.len < 0 {
		if o, ok := s.mem.Obj.val.(*open); ok && o.text != nil && len(o.elems)+len(o.tail) == 0 {
			return o.text
		}
	}
	var text []byte
	args := []*term.Term{}
	known := true
	for _, e := range r.elems(s) {
		c := r.force(e).(*term.Term)
		args, known = append(args, c), known && c.Const()
		if !known {
			continue
		}
		if c.Sort == term.Word8 {
			text = append(text, byte(c.Val))
		} else {
			text = utf8.AppendRune(text, rune(c.Value().Int()))
		}
	}
	if known {
		return r.store.Text(string(text))
	}
	if elem, _ := term.TypeOf(from.Underlying().(*types.Slice).Elem()); elem.Sort == term.Word8 {
		return r.store.Apply(bytesFunction, term.String, args...)
	}
	return r.store.Apply(runesFunction, term.String, args...)
}

// arrayPointer is a slice as a pointer to an array.
func (r *run) arrayPointer(f *frame, in *ssa.SliceToArrayPointer) Value {
	s := r.decide(r.mustSlice(r.value(f, in.X)))
	n := int(pointerTo(in.Type()).Underlying().(*types.Array).Len())
	if s.len < n {
		r.throw(arrayLength)
	}
	if s.mem.Obj == nil {
		return Ptr{}
	}
	r.mark(Havoc, "a slice as an array")
	return Ptr{Obj: r.alloc(pointerTo(in.Type()),
		&Array{Elem: pointerTo(in.Type()).Underlying().(*types.Array).Elem(), Elems: r.elems(s)[:n]})}
}

// asserted is a type assertion.
func (r *run) asserted(f *frame, in *ssa.TypeAssert) Value {
	x := r.value(f, in.X)
	var v Value
	var ok bool
	if as, face := in.AssertedType.Underlying().(*types.Interface); face {
		v, ok = r.assertFace(x, as)
	} else {
		v, ok = r.holds(x, in.AssertedType)
	}
	if !ok {
		if !in.CommaOk {
			r.throw(typeAssertion)
		}
		v = r.zero(in.AssertedType)
	}
	if in.CommaOk {
		return Tuple{v, r.store.Bool(ok)}
	}
	return v
}

// assertFace decides whether what an interface holds implements another one.
func (r *run) assertFace(x Value, as *types.Interface) (Value, bool) {
	if f, open := settled(r.force(x)).(*InputFace); open {
		if static, ok := f.at.Type.Underlying().(*types.Interface); ok && types.Implements(static, as) {
			return x, !r.truth(r.isZero(f.tag))
		}
	}
	face := r.known(x, as, false)
	return face, face.Type != nil
}
