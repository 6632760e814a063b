package causal

import "math/bits"

// Set is a set of events. Of a past most of what is long ago is there. So its first words that are full are not held.
// Take an execution of ten thousand steps whose events follow each other: a past takes a few words, and not a hundred
// and more.
type Set struct {
	full  int32 // so many words before words hold all numbers
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
	s.full, s.open = 0, true
	return s
}

// trimmed gives a copy that is not built on, in the memory of room.
func (s *Set) trimmed(room Set) Set {
	full := 0
	for full < len(s.words) && s.words[full] == ^uint64(0) {
		full++
	}
	return Set{full: s.full + int32(full), words: append(room.words[:0], s.words[full:]...)}
}

// whole gives a copy that can be built on.
func (s *Set) whole() Set {
	c := Set{words: make([]uint64, int(s.full)+len(s.words))}
	for i := range c.words {
		c.words[i] = s.word(i)
	}
	return c
}

// word gives word i of the set, which is below its size.
func (s *Set) word(i int) uint64 {
	if i -= int(s.full); i >= 0 {
		return s.words[i]
	}
	return ^uint64(0)
}

// Has reports whether i is in the set.
func (s *Set) Has(i int32) bool {
	w := i>>6 - s.full
	return i >= 0 && (w < 0 || int(w) < len(s.words) && s.words[w]&(1<<(i&63)) != 0)
}

// add adds event p and its past to a set that is built on.
func (s *Set) add(past Set, p int32) {
	for i := range past.full {
		s.words[i] = ^uint64(0)
	}
	for i, w := range past.words {
		s.words[int(past.full)+i] |= w
	}
	s.words[p>>6] |= 1 << (p & 63)
}

// addBelow adds what is in from below limit, a number that is not above the size of s.
func (s *Set) addBelow(from Set, limit int32) {
	for i := range min(len(s.words), int(from.full)+len(from.words)) {
		w := from.word(i)
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
	for i := range n >> 6 {
		s.words[i] = ^uint64(0)
	}
	if n&63 != 0 {
		s.words[n>>6] |= 1<<(n&63) - 1
	}
}

// Each calls f for the numbers from low up, in ascending order, until f says false.
func (s *Set) Each(low int32, f func(i int32) bool) {
	for w := int(low >> 6); w < int(s.full)+len(s.words); w++ {
		word := s.word(w)
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
		past := &o.events[k].past
		for i := int(past.full); i < len(s.words); i++ {
			s.words[i] &= past.word(i)
		}
	}
	s.open = false
	return s
}
