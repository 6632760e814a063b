// Package bitset holds sets of small numbers.
//
//	bitset.go  Set, 64 numbers a word
//	packed.go  Packed, which does not hold its first words while they are full
package bitset

import "math/bits"

// Set is a set of small numbers. Numbers beyond its end are not in it. Methods that give a set use the memory of the
// receiver where that is large enough. Methods that give none change the set in place; what they add has to be below
// its end.
type Set []uint64

// Has reports whether i is in the set.
func (s Set) Has(i int32) bool {
	w := uint(i >> 6)
	return w < uint(len(s)) && s[w]&(1<<(i&63)) != 0
}

// Add adds i in place.
func (s Set) Add(i int32) { s[i>>6] |= 1 << (i & 63) }

// Remove takes i out in place.
func (s Set) Remove(i int32) { s[i>>6] &^= 1 << (i & 63) }

// AddAll adds what is in t in place.
func (s Set) AddAll(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}

// RemoveAll takes out in place what is in t.
func (s Set) RemoveAll(t Set) {
	for i := range min(len(s), len(t)) {
		s[i] &^= t[i]
	}
}

// Keep takes out in place what is not in t.
func (s Set) Keep(t Set) {
	n := min(len(s), len(t))
	for i := range n {
		s[i] &= t[i]
	}
	clear(s[n:])
}

// AddBelow adds all numbers below n in place.
func (s Set) AddBelow(n int32) {
	w := n >> 6
	for i := range w {
		s[i] = ^uint64(0)
	}
	if n&63 != 0 {
		s[w] |= 1<<(n&63) - 1
	}
}

// Within reports whether all of s is in t.
func (s Set) Within(t Set) bool {
	for i, w := range s {
		if i < len(t) {
			w &^= t[i]
		}
		if w != 0 {
			return false
		}
	}
	return true
}

// Meets reports whether something is in both s and t.
func (s Set) Meets(t Set) bool {
	for i, w := range t {
		if i < len(s) && s[i]&w != 0 {
			return true
		}
	}
	return false
}

// Each calls f for the numbers from low up, in ascending order. It is small enough to be inlined, with f.
func (s Set) Each(low int32, f func(i int32)) {
	for w := int(low >> 6); w < len(s); w++ {
		word := s[w]
		if w == int(low>>6) {
			word &= ^uint64(0) << (low & 63)
		}
		for ; word != 0; word &= word - 1 {
			f(int32(w<<6 + bits.TrailingZeros64(word)))
		}
	}
}

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
