package causal

import "github.com/rehearse-go/rehearse/internal/bitset"

// This file answers what is asked of happens-before: the past of events.

// Before reports whether event i happens before event e.
func (o *pasts) Before(i, e int32) bool { return o.events[e].past.Has(i) }

// InOrder reports whether event i of the trace happens before event j, as explore.ClassRepresentative wants to know it.
// Events of the set-up come in their order.
func (o *pasts) InOrder(i, j int32) bool {
	first := int32(o.first)
	if i < first || j < first {
		return i < j
	}
	return int(j-first) < o.Len() && o.Before(i-first, j-first)
}

// Past is the set of events that happen before event e. It is valid until the next Extend or Truncate.
func (o *pasts) Past(e int32) *bitset.Packed { return &o.events[e].past }

// Upto is the set of events that happen before event e, or before an earlier part of its macro-step. Past has those too
// that happen before what the macro-step does later. It is valid until the next Extend or Truncate.
func (o *pasts) Upto(e int32) *bitset.Packed {
	if o.events[e].widened {
		return &o.events[e].upto
	}
	return &o.events[e].past
}

// Common gives the events before event from that happen before all of the events [from, end), in the memory of room.
func (o *pasts) Common(from, end int32, room bitset.Packed) bitset.Packed {
	s := room.Emptied(int(from))
	s.AddBelow(from)
	for k := from; k < end; k++ {
		s.Keep(&o.events[k].past)
	}
	return s
}
