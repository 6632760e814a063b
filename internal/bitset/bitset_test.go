package bitset

import (
	"math/rand/v2"
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
