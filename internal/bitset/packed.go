package bitset

import "math/bits"

// Packed is a set that does not hold its first words while they are full. Of the events that happen before one in a long
// execution most of the early ones are in the set. So where the events follow each other the set takes a few words, and
// not one for every 64 events.
//
// A set is built unpacked: all its words are held, and it has an end. Then it is packed, and not changed any more.
//
//	invariants: a number is in it if it is below 64*full, or in words, which begin at word full
//	checked by: bitset_test.go, against maps
type Packed struct {
	full  int32 // so many words before words hold all numbers
	words Set
}

// Emptied gives an empty set for numbers below n, unpacked, in the memory of s.
func (s Packed) Emptied(n int) Packed {
	w := (n + 63) / 64
	if cap(s.words) < w {
		s.words = make(Set, w, w+w/2+1)
	}
	s.words = s.words[:w]
	clear(s.words)
	s.full = 0
	return s
}

// Pack gives a packed copy in the memory of room.
func (s *Packed) Pack(room Packed) Packed {
	full := 0
	for full < len(s.words) && s.words[full] == ^uint64(0) {
		full++
	}
	return Packed{full: s.full + int32(full), words: append(room.words[:0], s.words[full:]...)}
}

// Unpack gives an unpacked copy.
func (s *Packed) Unpack() Packed {
	c := Packed{words: make(Set, int(s.full)+len(s.words))}
	for i := range c.words {
		c.words[i] = s.word(i)
	}
	return c
}

// word gives word i of the set, which is below its end.
func (s *Packed) word(i int) uint64 {
	if i -= int(s.full); i >= 0 {
		return s.words[i]
	}
	return ^uint64(0)
}

// Has reports whether i is in the set.
func (s *Packed) Has(i int32) bool {
	w := i>>6 - s.full
	return i >= 0 && (w < 0 || int(w) < len(s.words) && s.words[w]&(1<<(i&63)) != 0)
}

// Add adds i to an unpacked set.
func (s *Packed) Add(i int32) { s.words.Add(i) }

// AddAll adds what is in t to an unpacked set.
func (s *Packed) AddAll(t *Packed) {
	s.words.AddBelow(t.full << 6)
	s.words[t.full:].AddAll(t.words)
}

// AddFrom adds to an unpacked set what is in t below limit, as far as the set reaches.
func (s *Packed) AddFrom(t *Packed, limit int32) {
	for i := range min(len(s.words), int(t.full)+len(t.words)) {
		w := t.word(i)
		if low := int32(i) << 6; low+64 > limit {
			if low >= limit {
				return
			}
			w &= 1<<(limit-low) - 1
		}
		s.words[i] |= w
	}
}

// AddBelow adds all numbers below n to an unpacked set.
func (s *Packed) AddBelow(n int32) { s.words.AddBelow(n) }

// Keep takes out of an unpacked set what is not in t, whose end is not below that of the set.
func (s *Packed) Keep(t *Packed) {
	for i := int(t.full); i < len(s.words); i++ {
		s.words[i] &= t.word(i)
	}
}

// Each calls f for the numbers from low up, in ascending order, until f says false.
func (s *Packed) Each(low int32, f func(i int32) bool) {
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
