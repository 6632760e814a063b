package exec

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// inputSlice makes a slice of the inputs. Its length is decided when somebody needs it.
func (r *run) inputSlice(at *Place, elem types.Type) Slice {
	o := r.alloc(at.Type, &open{at: at, elem: elem, elems: map[int]Value{}})
	o.at = at
	r.memories = append(r.memories, o)
	return Slice{mem: Ptr{Obj: o}, len: -1, cap: -1}
}

// sizeOf gives the length of an input slice as a term.
func (r *run) sizeOf(o *open) *term.Term {
	if o.size == nil {
		o.size = r.variable(o.at, aspectLen, term.Word64)
		r.assume(r.store.Not(r.store.SLess(o.size, r.int(0))))
	}
	return o.size
}

// int gives a constant int.
func (r *run) int(n int) *term.Term { return r.store.Int(term.Word64, int64(n)) }

// openElem gives an element of an input slice, which is known to be there.
func (r *run) openElem(o *open, i int) Value {
	if v, ok := o.elems[i]; ok {
		return v
	}
	if o.text != nil {
		return r.byteAt(o.text, r.int(i))
	}
	return &Lazy{at: o.at.elem(i, o.elem)}
}

// lenOf gives the length of a slice, without deciding it.
func (r *run) lenOf(s Slice) *term.Term {
	if s.len < 0 {
		if o, ok := s.mem.Obj.val.(*open); ok {
			return r.store.Add(r.sizeOf(o), r.int(len(o.tail)))
		}
		s = r.decide(s)
	}
	return r.int(s.len)
}

// decide gives a slice whose length is known.
func (r *run) decide(s Slice) Slice {
	if s.len >= 0 {
		return s
	}
	if o, ok := s.mem.Obj.val.(*open); ok {
		n := r.among(r.sizeOf(o), r.config.Elements, "a slice of more than %d elements")
		a := &Array{Elem: o.elem}
		for i := range n {
			a.Elems = append(a.Elems, r.openElem(o, i))
		}
		a.Elems = append(a.Elems, o.tail...)
		s.mem.Obj.val = a
	}
	n := len(s.mem.Obj.val.(*Array).Elems)
	return Slice{mem: s.mem, len: n, cap: n}
}

// among decides a number that is not negative; more than most is cut.
func (r *run) among(n *term.Term, most int, cut string) int {
	if n.Const() {
		return int(n.Val)
	}
	var outcomes []*term.Term
	for i := range most + 1 {
		outcomes = append(outcomes, r.store.Equal(n, r.int(i)))
	}
	outcomes = append(outcomes, r.store.SLess(r.int(most), n))
	i := r.fork(outcomes...)
	if i > most {
		r.cut(cut, most)
	}
	return i
}

// index decides an index into n elements. If it is out of range, the program panics.
func (r *run) index(i *term.Term, n int) int {
	if i.Const() {
		if i.Val >= uint64(n) {
			r.throw(indexOutOfRange)
		}
		return int(i.Val)
	}
	inside := r.store.ULess(i, r.int(n))
	if n > r.config.Indices {
		if !r.truth(inside) {
			r.throw(indexOutOfRange)
		}
		r.cut("an unknown index into more than %d elements", r.config.Indices)
	}
	var outcomes []*term.Term
	for k := range n {
		outcomes = append(outcomes, r.store.Equal(i, r.int(k)))
	}
	k := r.fork(append(outcomes, r.store.Not(inside))...)
	if k == n {
		r.throw(indexOutOfRange)
	}
	return k
}

// elemAddr gives where an element of a slice is.
func (r *run) elemAddr(s Slice, i *term.Term) Ptr {
	if s.mem.Obj == nil {
		r.throw(indexOutOfRange)
	}
	if o, ok := s.mem.Obj.val.(*open); ok && s.len < 0 && o.text == nil && i.Const() && len(o.tail) == 0 &&
		i.Val < maxArray {
		if !r.truth(r.store.SLess(i, r.sizeOf(o))) {
			r.throw(indexOutOfRange)
		}
		return s.mem.at(int(i.Val))
	}
	s = r.decide(s)
	return s.mem.at(s.off + r.index(i, s.len))
}

// elems gives the elements of a slice.
func (r *run) elems(s Slice) []Value {
	s = r.decide(s)
	if s.len == 0 {
		return nil
	}
	all := r.load(s.mem).(*Array).Elems
	return slices.Clone(all[s.off : s.off+s.len])
}

// newSlice gives a slice of new memory.
func (r *run) newSlice(elem types.Type, elems []Value, capacity int) Slice {
	a := r.zeros(elem, capacity)
	copy(a.Elems, elems)
	o := r.alloc(types.NewSlice(elem), a)
	return Slice{mem: Ptr{Obj: o}, len: len(elems), cap: capacity}
}

// appended is the builtin append. Memory of an input is taken to end with it.
func (r *run) appended(elem types.Type, s Slice, more []Value) Slice {
	if len(more) == 0 {
		return s
	}
	if s.mem.Obj != nil && s.mem.Obj.at != nil {
		r.mark(Env, "the capacity of %s", s.mem.Obj.at.Name)
	}
	if s.len < 0 {
		if o, ok := s.mem.Obj.val.(*open); ok {
			r.sizeOf(o)
			longer := &open{at: o.at, elem: o.elem, size: o.size, elems: maps.Clone(o.elems),
				tail: append(slices.Clone(o.tail), more...), text: o.text}
			mem := r.alloc(s.mem.Obj.typ, longer)
			r.grown[mem] = true
			return Slice{mem: Ptr{Obj: mem}, len: -1, cap: -1}
		}
		s = r.decide(s)
	}
	n := s.len + len(more)
	guessed := r.guesses(s, n)
	if n <= s.cap {
		for i, v := range more {
			r.storeAt(s.mem.at(s.off+s.len+i), v)
		}
		return Slice{s.mem, s.off, n, s.cap}
	}
	longer := r.newSlice(elem, append(r.elems(s), more...), max(n, growth(s.cap)))
	r.grown[longer.mem.Obj] = true
	g := &guess{known: n}
	if guessed {
		g.shared, g.used = s.len, n
	}
	r.guess[longer.mem.Obj] = g
	return longer
}

// guess is what is not known of memory whose capacity append has chosen: whether what was appended is in that memory,
// or in a copy of it.
type guess struct {
	known  int // elements that were there when it was made
	shared int // elements that a copy has, too
	used   int // elements, with those that were appended
}

// guesses notes that so many elements are wanted of a slice, and reports whether it is a guess if they fit. As long as
// nobody writes what both have, and nothing else is appended at the same place, it makes no difference.
func (r *run) guesses(s Slice, n int) bool {
	o := s.mem.Obj
	if o == nil || !r.grown[o] {
		return false
	}
	g := r.guess[o]
	if g == nil {
		g = &guess{}
		r.guess[o] = g
	}
	if s.off+n <= g.known {
		return false
	}
	if s.off+s.len < g.used {
		r.mark(Env, "the capacity that append has chosen")
	}
	g.shared, g.used = max(g.shared, s.off+s.len), max(g.used, s.off+n)
	return true
}

// growth is the capacity that append is taken to choose. The real one depends on the compiler, so what depends on it is
// marked.
func growth(old int) int {
	if old < 256 {
		return 2 * old
	}
	return old + (old+3*256)/4
}

// sliced is x[low:high:most] with high and most nil if there are none, of a slice.
func (r *run) sliced(s Slice, low, high, most *term.Term) Slice {
	if low == nil && high == nil && most == nil {
		return s
	}
	s = r.decide(s)
	if r.guessed(s) && (most != nil || high != nil && !r.truth(r.store.Not(r.store.ULess(r.int(s.len), high)))) {
		r.mark(Env, "the capacity that append has chosen")
	}
	limit, end := s.cap, s.len
	if most != nil {
		limit = r.limit(most, 0, s.cap)
	}
	if high != nil {
		end = r.limit(high, 0, limit)
	}
	if most != nil && end > limit {
		r.throw(sliceBounds)
	}
	begin := 0
	if low != nil {
		begin = r.limit(low, 0, end)
	}
	if s.mem.Obj == nil {
		return s
	}
	return Slice{s.mem, s.off + begin, end - begin, limit - begin}
}

// guessed reports whether how much there is behind a slice is not known: append has made room, or it is an input.
func (r *run) guessed(s Slice) bool {
	return s.mem.Obj != nil && len(s.mem.Path) == 0 && (r.grown[s.mem.Obj] || s.mem.Obj.at != nil)
}

// limit decides a bound of a slice expression. If it is out of range, the program panics.
func (r *run) limit(i *term.Term, least, most int) int {
	if i.Const() {
		if i.Val > uint64(most) || i.Val < uint64(least) {
			r.throw(sliceBounds)
		}
		return int(i.Val)
	}
	var outcomes []*term.Term
	for k := least; k <= most; k++ {
		outcomes = append(outcomes, r.store.Equal(i, r.int(k)))
	}
	k := r.fork(append(outcomes, r.store.Not(r.store.ULess(i, r.int(most+1))))...)
	if k > most-least {
		r.throw(sliceBounds)
	}
	return least + k
}

// copied is the builtin copy.
func (r *run) copied(to Slice, from []Value) int {
	to = r.decide(to)
	n := min(to.len, len(from))
	for i := range n {
		r.storeAt(to.mem.at(to.off+i), from[i])
	}
	return n
}

// sliceNil gives the condition that a slice is nil.
func (r *run) sliceNil(s Slice) *term.Term {
	o := s.mem.Obj
	switch {
	case o == nil:
		return r.store.Bool(true)
	case o.at == nil:
		return r.store.Bool(false)
	case o.null == nil:
		at := o.at
		o.null = r.variable(at, aspectNil, term.Bool)
		empty := r.store.Equal(r.variable(at, aspectLen, term.Word64), r.int(0))
		r.assume(r.store.Or(r.store.Not(o.null), empty))
	}
	return o.null
}

// mustSlice gives a value that is a slice.
func (r *run) mustSlice(v Value) Slice {
	s, ok := r.force(v).(Slice)
	if !ok {
		panic(fmt.Sprintf("exec: a %T is no slice", v))
	}
	return s
}
