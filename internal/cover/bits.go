package cover

import "math/bits"

// bitset is a set of small numbers; what is beyond its end is not in it.
type bitset []uint64

func (s bitset) has(i int32) bool { return int(i>>6) < len(s) && s[i>>6]&(1<<(i&63)) != 0 }

// with adds i, in the memory of s where that is large enough.
func (s bitset) with(i int32) bitset {
	for int(i>>6) >= len(s) {
		s = append(s, 0)
	}
	s[i>>6] |= 1 << (i & 63)
	return s
}

// without counts the numbers that are in s and not in t.
func (s bitset) without(t bitset) int {
	n := 0
	for i, w := range s {
		if i < len(t) {
			w &^= t[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// nextNotIn gives the least number from low on that is in s and not in t, -1 if there is none below the end of s.
func (s bitset) nextNotIn(t bitset, low int32) int32 {
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

// union adds what is in t, in the memory of s where that is large enough.
func (s bitset) union(t bitset) bitset {
	for len(s) < len(t) {
		s = append(s, 0)
	}
	for i, w := range t {
		s[i] |= w
	}
	return s
}

// nextZero gives the least number from low on that is not in s.
func (s bitset) nextZero(low int32) int32 {
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
