package causal

import "github.com/rehearse-go/rehearse/internal/bitset"

// This file answers what is asked of happens-before: the past of events, and what they did.

// Before reports whether event i happens before event e.
func (o *Order) Before(i, e int32) bool { return o.events[e].past.Has(i) }

// InOrder reports whether event i of the trace happens before event j, as explore.ClassRepresentative wants to know it.
// Events of the set-up come in their order.
func (o *Order) InOrder(i, j int32) bool {
	first := int32(o.first)
	if i < first || j < first {
		return i < j
	}
	return int(j-first) < o.Len() && o.Before(i-first, j-first)
}

// Past is the set of events that happen before event e. It is valid until the next Extend or Truncate.
func (o *Order) Past(e int32) *bitset.Packed { return &o.events[e].past }

// Upto is the set of events that happen before event e, or before an earlier part of its macro-step. Past has those too
// that happen before what the macro-step does later. It is valid until the next Extend or Truncate.
func (o *Order) Upto(e int32) *bitset.Packed {
	if o.events[e].widened {
		return &o.events[e].upto
	}
	return &o.events[e].past
}

// Head is the first event of the macro-step of event e: e itself, unless e is a choice in the middle of a step.
func (o *Order) Head(e int32) int32 { return o.events[e].head }

// Parent is the event by which the message of event e arrived, -1 if that was before all.
func (o *Order) Parent(e int32) int32 { return o.events[e].parent }

// Actor is the actor whose step event e is. It is -1 for the firing of a timer and for an advance of the clock, which
// are no steps of actors.
func (o *Order) Actor(e int32) int32 { return o.events[e].actor }

// Own is the step of the same actor before event e, -1 if there is none.
func (o *Order) Own(e int32) int32 { return o.events[e].own }

// Footprint appends what event e accessed.
func (o *Order) Footprint(f Footprint, e int32) Footprint {
	if o.Barrier(e) {
		return append(f, Advancing()...)
	}
	for _, a := range o.accesses[o.events[e].accesses:o.accessEnd(e)] {
		f = append(f, Access{o.names[a.object], a.write})
	}
	return f
}

// Last is the last step of an actor, -1 if there is none.
func (o *Order) Last(actor int32) int32 {
	if len(o.events) == 0 || int(actor) >= len(o.last) || o.last[actor] >= int32(len(o.events)) {
		return -1
	}
	return o.last[actor]
}

// Common gives the events before event from that happen before all of the events [from, end), in the memory of room.
func (o *Order) Common(from, end int32, room bitset.Packed) bitset.Packed {
	s := room.Emptied(int(from))
	s.AddBelow(from)
	for k := from; k < end; k++ {
		s.Keep(&o.events[k].past)
	}
	return s
}
