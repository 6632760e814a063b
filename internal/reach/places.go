package reach

import "unsafe"

// place identifies memory: the same address may hold a struct and its first field.
type place struct {
	at   unsafe.Pointer
	plan *plan
	n    int // elements of a slice
}

// places numbers places in the order in which they are met. A map took most of the time of a visit.
type places struct {
	slots []slot // a power of two of them, at most half of them taken
	now   uint32 // slots of another time are free
	n     int
}

type slot struct {
	place
	number int32
	time   uint32
}

// clear forgets all places. The memory that they were stays reachable until others take their slots, or drop is called.
func (s *places) clear() {
	s.n = 0
	if s.now++; s.now == 0 {
		s.drop()
		s.now = 1
	}
}

// drop forgets all places and gives the memory back.
func (s *places) drop() { s.slots, s.n = nil, 0 }

// meet gives the number of a place, and whether it was met before.
func (s *places) meet(p place) (number int32, known bool) {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	x := s.find(p)
	if x.time == s.now {
		return x.number, true
	}
	*x = slot{p, int32(s.n), s.now}
	s.n++
	return x.number, false
}

// find gives the slot of a place, or a free one.
func (s *places) find(p place) *slot {
	mask := uint64(len(s.slots) - 1)
	i := mix(uint64(uintptr(p.at))^uint64(p.n)<<48, uint64(uintptr(unsafe.Pointer(p.plan)))) & mask
	for s.slots[i].time == s.now && s.slots[i].place != p {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

func (s *places) grow() {
	old := s.slots
	s.slots = make([]slot, max(64, 2*len(old)))
	s.now = max(s.now, 1)
	for i := range old {
		if old[i].time == s.now {
			*s.find(old[i].place) = old[i]
		}
	}
}
