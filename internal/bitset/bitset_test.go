package bitset

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgainstMaps compares with maps.
func TestAgainstMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var s, u Set
		in, other := map[int32]bool{}, map[int32]bool{}
		for range r.IntN(20) {
			i, k := r.Int32N(200), r.Int32N(200)
			s, in[i] = s.With(i), true
			u, other[k] = u.With(k), true
		}
		beyond := 0
		for i := range in {
			if !other[i] {
				beyond++
			}
		}
		if got := s.Beyond(u); got != beyond {
			t.Fatalf("%v beyond %v: %d, want %d", in, other, got, beyond)
		}
		low := r.Int32N(250)
		next, absent := int32(-1), low
		for i := int32(249); i >= low; i-- {
			if in[i] && !other[i] {
				next = i
			}
		}
		for in[absent] {
			absent++
		}
		if got := s.NextBeyond(u, low); got != next {
			t.Fatalf("%v beyond %v from %d: %d, want %d", in, other, low, got, next)
		}
		if got := s.NextAbsent(low); got != absent {
			t.Fatalf("absent from %v from %d: %d, want %d", in, low, got, absent)
		}
		both := s.Union(u)
		for i := range int32(260) {
			if both.Has(i) != (in[i] || other[i]) {
				t.Fatalf("%d in the union of %v and %v: %v", i, in, other, both.Has(i))
			}
		}
	}
}

// draw gives some numbers below n, as a set with a word to spare and as a map. Runs of them are likely.
func draw(r *rand.Rand, n int32) (Set, map[int32]bool) {
	s, in := make(Set, (n+63)/64+1), map[int32]bool{}
	for range r.IntN(4) {
		for from, i := r.Int32N(n), int32(0); i < r.Int32N(n) && from+i < n; i++ {
			s.Add(from + i)
			in[from+i] = true
		}
	}
	return s, in
}

// some gives the numbers of a packed set from low up as Each tells them, at most so many.
func some(s *Packed, low int32, most int) (list []int32) {
	s.Each(low, func(i int32) bool {
		list = append(list, i)
		return len(list) < most
	})
	return list
}

// TestInPlace compares what changes a set in place with maps.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + r.Int32N(300)
		s, in := draw(r, n)
		u, other := draw(r, n)
		within, meets := true, false
		for i := range in {
			within, meets = within && other[i], meets || other[i]
		}
		if s.Within(u) != within || s.Meets(u) != meets || s.Within(nil) != (len(in) == 0) || s.Meets(nil) {
			t.Fatalf("%v, %v: within %v, meets %v", in, other, s.Within(u), s.Meets(u))
		}
		kept, left := slices.Clone(s), slices.Clone(s)
		kept.Keep(u)
		left.RemoveAll(u)
		for i := range int32(400) {
			if kept.Has(i) != (in[i] && other[i]) || left.Has(i) != (in[i] && !other[i]) {
				t.Fatalf("%d of %v, %v: kept %v, left %v", i, in, other, kept.Has(i), left.Has(i))
			}
		}
		s.AddAll(u)
		maps.Copy(in, other)
		below, gone := r.Int32N(n+1), r.Int32N(n)
		s.AddBelow(below)
		for i := range below {
			in[i] = true
		}
		s.Remove(gone)
		delete(in, gone)
		low, list := r.Int32N(n), []int32(nil)
		s.Each(low, func(i int32) { list = append(list, i) })
		holds(t, s, in, low, list)
		if s.Has(-1) || s.Has(1<<20) {
			t.Fatal("a number beyond the end is in the set")
		}
	}
}

// holds compares a set, and the numbers that were told of it from low up, with a map.
func holds(t *testing.T, s interface{ Has(i int32) bool }, in map[int32]bool, low int32, told []int32) {
	t.Helper()
	want := slices.DeleteFunc(slices.Sorted(maps.Keys(in)), func(i int32) bool { return i < low })
	if !slices.Equal(told, want) {
		t.Fatalf("%v from %d: %v, want %v", in, low, told, want)
	}
	for i := int32(-70); i < 500; i++ {
		if s.Has(i) != in[i] {
			t.Fatalf("%d in %v: %v", i, in, s.Has(i))
		}
	}
}

// packed gives a packed set, and it as a map. Half of them begin with full words.
func packed(r *rand.Rand, n int32) (Packed, map[int32]bool) {
	_, in := draw(r, n)
	p := Packed{}.Emptied(int(n))
	if r.IntN(2) == 0 {
		below := r.Int32N(n + 1)
		p.AddBelow(below)
		for i := range below {
			in[i] = true
		}
	}
	for i := range in {
		p.Add(i)
	}
	return p.Pack(Packed{}), in
}

// TestPacked compares sets that do not hold their full words with maps.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var room Packed
	short := 0
	for range 2000 {
		n := 1 + r.Int32N(400)
		p, in := packed(r, n)
		low, most := r.Int32N(n), 1+r.IntN(300)
		holds(t, &p, in, low, some(&p, low, 1000))
		if first, all := some(&p, low, most), some(&p, low, 1000); !slices.Equal(first, all[:min(most, len(all))]) {
			t.Fatalf("the first %d of %v are %v", most, all, first)
		}
		if len(p.words) < (int(n)+63)/64 {
			short++
		}
		q, other := packed(r, n)
		all := p.Unpack()
		all.AddAll(&q)
		union := maps.Clone(in)
		maps.Copy(union, other)
		holds(t, &all, union, 0, some(&all, 0, 1000))

		limit := r.Int32N(n + 1)
		part := p.Unpack()
		part.AddFrom(&q, limit)
		for i := range union {
			if !in[i] && i >= limit {
				delete(union, i)
			}
		}
		room = part.Pack(room)
		holds(t, &room, union, 0, some(&room, 0, 1000))

		both := p.Unpack()
		both.Keep(&q)
		maps.DeleteFunc(in, func(i int32, _ bool) bool { return !other[i] })
		holds(t, &both, in, 0, some(&both, 0, 1000))
	}
	if short < 200 {
		t.Errorf("only %d sets have full words", short)
	}
}
