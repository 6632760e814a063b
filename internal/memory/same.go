package memory

import (
	"bytes"
	"reflect"
	"unsafe"
)

// This file reads what was saved without going back to it: it writes single regions, and tells whether two saved states
// are the same but for where their parts lie.
//
//	source:     own
//	assumes:    both states were saved by the same Saves in the same order; strings and values inside of interfaces do
//	            not change
//	invariants: I1 Same is true only if the regions of the one correspond to those of the other one by one, with equal
//	               contents
//	            I2 what it cannot tell (maps with keys that lie elsewhere, functions) it calls different
//	cost:       one pass over both; looking regions up is linear where they are few
//	checked by: same_test.go

// Apply writes the regions from the mark from to the mark to, as they were saved, and keeps them. Where it is told the
// addresses that were written, it leaves them out and adds its own.
func (m *Memory) Apply(from, to int, written map[unsafe.Pointer]bool) {
	for i := to - 1; i >= from; i-- {
		if r := &m.regions[i]; !written[r.at] {
			m.rewrite(r)
		}
	}
	for i := from; i < to; i++ {
		written[m.regions[i].at] = true
	}
}

func (m *Memory) rewrite(r *region) {
	switch {
	case r.words == direct:
		copy(unsafe.Slice((*byte)(r.at), r.plan.size), m.bytes[r.bytes:])
	case r.plan == nil:
		m.refill(&m.maps[r.words])
	default:
		m.restore(r)
	}
}

// Drop forgets what was saved since the mark, without writing it.
func (m *Memory) Drop(mark int) {
	for i := len(m.regions) - 1; i >= mark; i-- {
		r := &m.regions[i]
		switch {
		case r.words == direct:
			m.bytes = m.bytes[:r.bytes]
		case r.plan == nil:
			m.forget(&m.maps[r.words])
			m.maps = m.maps[:r.words]
		default:
			m.bytes, m.words = m.bytes[:r.bytes], m.words[:r.words]
		}
		r.at = nil
	}
	m.regions = m.regions[:mark]
}

// Meets reports whether two saves have memory in common: that from the mark a to the mark b, and that from the mark b
// on. Memory that was saved from the mark old to the mark a does not count.
func (m *Memory) Meets(old, a, b int) bool {
	known := map[unsafe.Pointer]bool{}
	for i := old; i < a; i++ {
		known[m.regions[i].at] = true
	}
	fresh := map[unsafe.Pointer]bool{}
	for i := a; i < b; i++ {
		fresh[m.regions[i].at] = !known[m.regions[i].at]
	}
	for i := b; i < len(m.regions); i++ {
		if fresh[m.regions[i].at] {
			return true
		}
	}
	return false
}

// Same reports whether what was saved from the mark a to the mark b is the same as what was saved from b to the mark c.
// It is if there are as many regions, with the same contents. A pointer to a region of the one counts as the same as a
// pointer to its counterpart.
func (m *Memory) Same(a, b, c int) bool {
	if b-a != c-b {
		return false
	}
	s := &m.same
	s.m, s.a, s.b = m, side{m: m, from: a, to: b}, side{m: m, from: b, to: c}
	s.pairs, s.back = append(s.pairs[:0], make([]int, b-a)...), append(s.back[:0], make([]int, b-a)...)
	// The first regions are those of what was to be saved: the others are found from there. Where a pointer leads does not
	// depend on the order in which the entries of a map were met.
	for i := a; i < b; i++ {
		ra, rb := &m.regions[i], &m.regions[b+i-a]
		if s.pairs[i-a] > 0 {
			continue
		}
		if ra.plan != rb.plan || s.back[i-a] > 0 || !s.regions(i, b+i-a) {
			return false
		}
	}
	return true
}

// same is one comparison.
type same struct {
	m     *Memory
	a, b  side
	pairs []int // of the regions of a: their counterpart plus one
	back  []int // the other way round
}

// side is one of the two states.
type side struct {
	m        *Memory
	from, to int
	index    map[visit]int // if they are many: the longest
}

// find gives the region at an address with n elements at least, -1 if there is none.
func (s *side) find(at unsafe.Pointer, p *plan, n int) int {
	const few = 16
	if s.to-s.from <= few {
		for i := s.from; i < s.to; i++ {
			if r := &s.m.regions[i]; r.at == at && r.plan == p && r.n >= n {
				return i
			}
		}
		return -1
	}
	if s.index == nil {
		s.index = map[visit]int{}
		for i := s.from; i < s.to; i++ {
			r := &s.m.regions[i]
			v := visit{r.at, r.plan}
			if old, ok := s.index[v]; !ok || s.m.regions[old].n < r.n {
				s.index[v] = i
			}
		}
	}
	if i, ok := s.index[visit{at, p}]; ok && s.m.regions[i].n >= n {
		return i
	}
	return -1
}

// regions compares two regions and what they lead to.
func (s *same) regions(i, j int) bool {
	pa, pb := &s.pairs[i-s.a.from], &s.back[j-s.b.from]
	if *pa > 0 || *pb > 0 {
		return *pa == j+1 && *pb == i+1
	}
	*pa, *pb = j+1, i+1
	ra, rb := &s.m.regions[i], &s.m.regions[j]
	if ra.plan == nil {
		return s.maps(&s.m.maps[ra.words], &s.m.maps[rb.words])
	}
	if ra.n != rb.n {
		return false
	}
	return s.contents(ra.plan, ra.n, s.m.contentOf(ra), s.m.contentOf(rb))
}

// content is a copy of memory: all its bytes, and its pointers.
type content struct {
	bytes []byte
	words []unsafe.Pointer
}

func (m *Memory) contentOf(r *region) content {
	c := content{bytes: m.bytes[r.bytes : r.bytes+int(r.plan.size)*r.n]}
	if r.words != direct {
		c.words = m.words[r.words : r.words+len(r.plan.words)*r.n]
	}
	return c
}

// contentAt copies one element.
func contentAt(p *plan, at unsafe.Pointer) content {
	var c content
	c.bytes = append(c.bytes, unsafe.Slice((*byte)(at), p.size)...)
	for _, off := range p.words {
		c.words = append(c.words, *(*unsafe.Pointer)(unsafe.Add(at, off)))
	}
	return c
}

func (s *same) contents(p *plan, n int, a, b content) bool {
	if p.pure {
		return bytes.Equal(a.bytes, b.bytes)
	}
	for i := range n {
		first := uintptr(i) * p.size
		for _, r := range p.rest {
			if !bytes.Equal(a.bytes[first+r.from:first+r.to], b.bytes[first+r.from:first+r.to]) {
				return false
			}
		}
		wa, wb := a.words[i*len(p.words):(i+1)*len(p.words)], b.words[i*len(p.words):(i+1)*len(p.words)]
		if !s.words(p, wa, wb, a.bytes[first:]) {
			return false
		}
	}
	return true
}

// words compares the pointers of an element, whose other bytes are equal.
func (s *same) words(p *plan, a, b []unsafe.Pointer, rest []byte) bool {
	for j := 0; j < len(p.words); j++ {
		off, kind := p.words[j], p.kinds[j]
		ok := false
		switch kind {
		case reflect.String:
			n := wordOf(rest[off+wordSize:])
			ok = a[j] == b[j] || unsafe.String((*byte)(a[j]), n) == unsafe.String((*byte)(b[j]), n)
		case reflect.Interface:
			ok = s.interfaces(p.refAt(off), [2]unsafe.Pointer(a[j:]), [2]unsafe.Pointer(b[j:]))
			j++
		case reflect.Slice:
			ok = s.pointers(p.refAt(off).elem, a[j], b[j], wordOf(rest[off+2*wordSize:]))
		case reflect.Pointer:
			ok = s.pointers(p.refAt(off).elem, a[j], b[j], 1)
		case reflect.Map:
			ok = s.pointers(nil, a[j], b[j], 1)
		default:
			ok = a[j] == b[j]
		}
		if !ok {
			return false
		}
	}
	return true
}

// wordOf reads a number, wherever it lies.
func wordOf(b []byte) int {
	var w [wordSize]byte
	copy(w[:], b)
	return *(*int)(unsafe.Pointer(&w))
}

// pointers compares where two pointers lead: to n elements.
func (s *same) pointers(p *plan, a, b unsafe.Pointer, n int) bool {
	if a == nil || b == nil || n == 0 || p != nil && p.size == 0 {
		return (a == nil) == (b == nil)
	}
	i, j := s.a.find(a, p, n), s.b.find(b, p, n)
	return i >= 0 && j >= 0 && s.regions(i, j)
}

func (s *same) interfaces(r *ref, a, b [2]unsafe.Pointer) bool {
	if a[0] != b[0] {
		return false
	}
	if a[0] == nil {
		return true
	}
	return s.values(reflect.NewAt(r.t, unsafe.Pointer(&a)).Elem().Elem(),
		reflect.NewAt(r.t, unsafe.Pointer(&b)).Elem().Elem())
}

// values compares two values of one type.
func (s *same) values(a, b reflect.Value) bool {
	p := s.m.planOf(a.Type())
	x, y := reflect.New(a.Type()), reflect.New(a.Type())
	x.Elem().Set(a)
	y.Elem().Set(b)
	return s.contents(p, 1, contentAt(p, x.UnsafePointer()), contentAt(p, y.UnsafePointer()))
}

func (s *same) maps(a, b *savedMap) bool {
	if a.store != b.store || a.to-a.from != b.to-b.from {
		return false
	}
	st := a.store
	at := make(map[any]int, b.to-b.from)
	for i := b.from; i < b.to; i++ {
		at[st.keys.Index(i).Interface()] = i
	}
	for i := a.from; i < a.to; i++ {
		j, ok := at[st.keys.Index(i).Interface()]
		if !ok || !s.values(st.values.Index(i), st.values.Index(j)) {
			return false
		}
	}
	return true
}
