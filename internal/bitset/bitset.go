// Package bitset holds sets of small numbers.
package bitset

import "math/bits"

// Set is a set of small numbers. What is beyond its end is not in it. Its methods that give a set use the memory of the receiver where that
// is large enough.
type Set []uint64

// Has reports whether i is in the set.
func (s Set) Has(i int32) bool { w := int(i >> 6); return w < len(s) && s[w]&(1<<(i&63)) != 0 }

// With adds i.
func (s Set) With(i int32) Set {
	for int(i>>6) >= len(s) {
		s = append(s, 0)
	}
	s[i>>6] |= 1 << (i & 63)
	return s
}

// Union adds what is in t.
func (s Set) Union(t Set) Set {
	for len(s) < len(t) {
		s = append(s, 0)
	}
	for i, w := range t {
		s[i] |= w
	}
	return s
}

// Beyond counts the numbers that are in s and not in t.
func (s Set) Beyond(t Set) int {
	n := 0
	for i, w := range s {
		if i < len(t) {
			w &^= t[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// NextBeyond gives the least number from low on that is in s and not in t, -1 if there is none.
func (s Set) NextBeyond(t Set, low int32) int32 {
	for w := int(low >> 6); w < len(s); w++ {
		x := s[w]
		if w < len(t) {
			x &^= t[w]
		}
		if w == int(low>>6) {
			x &= ^uint64(0) << (low & 63)
		}
		if x != 0 {
			return int32(w<<6 + bits.TrailingZeros64(x))
		}
	}
	return -1
}

// NextAbsent gives the least number from low on that is not in s.
func (s Set) NextAbsent(low int32) int32 {
	for w := int(low >> 6); w < len(s); w++ {
		x := ^s[w]
		if w == int(low>>6) {
			x &= ^uint64(0) << (low & 63)
		}
		if x != 0 {
			return int32(w<<6 + bits.TrailingZeros64(x))
		}
	}
	return max(low, int32(len(s)<<6))
}
