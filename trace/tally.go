package trace

// This file counts what an event has sent and created so far, for the ordinals that identities need.

// few is how many messages or children of an event are looked through. Of more a table is made: looking through all for
// each takes the square of their number.
const few = 32

// sentTo tells messages of an event apart that need no ordinal.
type sentTo struct {
	ty       *Type
	receiver int32
}

// child tells children of an event apart that need no ordinal.
type child struct {
	ty   *Type
	name string // "" where it does not count
}

// tally counts the first so many effects of an event by what they are.
//
//	invariant: counts are those of the first n effects of the event. SUBTLE: nobody tells of an event that was taken back
//	           and replaced. It shows all the same: they are counted before each that is added, so n is below their
//	           number, and the new event begins at few.
type tally[K comparable] struct {
	event  int32
	n      int
	counts map[K]int32
}

// of gives how many of the event's effects are of that kind.
func (t *tally[K]) of(event int32, effects []int32, kind K, kindOf func(effect int32) K) int32 {
	if t.event != event || t.n >= len(effects) || t.counts == nil {
		t.event, t.n, t.counts = event, 0, map[K]int32{}
	}
	for _, e := range effects[t.n:] {
		t.counts[kindOf(e)]++
	}
	t.n = len(effects)
	return t.counts[kind]
}

// alike is how many messages of that type the event has sent to that receiver, if it has sent more than a few.
func (t *Trace) alike(e *Event, event int32, ty *Type, receiver int32) int32 {
	return t.sent.of(event, e.Sent, sentTo{ty, receiver}, func(m int32) sentTo {
		return sentTo{t.Messages[m].Type, t.Messages[m].Receiver}
	})
}

// siblings is how many such children the event has created, if it has created more than a few.
func (t *Trace) siblings(e *Event, event int32, kind child) int32 {
	by := t.Origin(event)
	return t.created.of(event, e.Created, kind, func(a int32) child { return t.childOf(by, a) })
}
