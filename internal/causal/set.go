package causal

import "math/bits"

// Set is a set of events.
type Set struct {
	words []uint64
	open  bool // being built
}

// resized gives an empty set for numbers below n, in the memory of s.
func (s Set) resized(n int) Set {
	w := (n + 63) / 64
	if cap(s.words) < w {
		s.words = make([]uint64, w, w+w/2+1)
	}
	s.words = s.words[:w]
	clear(s.words)
	s.open = true
	return s
}

// Has reports whether i is in the set.
func (s *Set) Has(i int32) bool {
	w := int(i >> 6)
	return i >= 0 && w < len(s.words) && s.words[w]&(1<<(i&63)) != 0
}

// add adds event p and its past.
func (s *Set) add(past Set, p int32) {
	for i, w := range past.words {
		s.words[i] |= w
	}
	s.words[p>>6] |= 1 << (p & 63)
}

// addBelow adds what is in from below limit, a number that is not above the size of s.
func (s *Set) addBelow(from Set, limit int32) {
	for i := range min(len(s.words), len(from.words)) {
		w := from.words[i]
		if low := int32(i) << 6; low+64 > limit {
			if low >= limit {
				return
			}
			w &= 1<<(limit-low) - 1
		}
		s.words[i] |= w
	}
}

// fill adds all numbers below n.
func (s *Set) fill(n int) {
	for i := range n {
		s.words[i>>6] |= 1 << (i & 63)
	}
}

// Each calls f for the numbers from low up, in ascending order, until f says false.
func (s *Set) Each(low int32, f func(i int32) bool) {
	for w := int(low >> 6); w < len(s.words); w++ {
		word := s.words[w]
		if w == int(low>>6) {
			word &= ^uint64(0) << (low & 63)
		}
		for ; word != 0; word &= word - 1 {
			if !f(int32(w<<6 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// Common gives the events before event from that happen before all of the events [from, end), in the memory of room.
func (o *Order) Common(from, end int32, room Set) Set {
	s := room.resized(int(from))
	s.fill(int(from))
	for k := from; k < end; k++ {
		for i, w := range o.events[k].past.words[:len(s.words)] {
			s.words[i] &= w
		}
	}
	s.open = false
	return s
}
