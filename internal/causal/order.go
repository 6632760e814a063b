// Package causal holds the one definition of dependency between steps, and what follows from it: happens-before, races
// and the identity of a class of executions.
//
//	record.go     what happened, event by event; fault.go: whether a handler was left in its middle
//	cursor.go     what waits at a point of the record
//	ordered.go    what the delivery model orders
//	received.go   what a receiver had before it, and what ends a call
//	pass.go       user messages that pass system messages
//	pending.go    messages that were not handled, and timers that did not fire
//	footprint.go  what a step accesses; two steps depend on each other if their accesses collide
//	effects.go    steps whose handlers are declared to access a part of their actor
//	collide.go    which events collide: the walk over accesses
//	access.go     footprints of events alone, and of several steps together
//	order.go      happens-before of the events of a trace, built event by event and cut back with the search
//	past.go       what is asked of happens-before
//	race.go       pairs of events that could have happened the other way round, also with messages that were not handled
//	sends.go      where the order of a step's sends to different receivers counts
//	knowledge.go  the same under Causal
//	class.go      the identity of a class
//
// Happens-before is the closure of parent -> child (the event by which a message arrives and the one that handles it)
// and of dependent pairs in the order of execution. Classes are the Mazurkiewicz traces of this dependency.
//
//	source:     [Lam78]; [AAJS14] section 4 for the axioms, which are properties of the tests; the relation of each
//	            delivery model is ours (docs/decisions/0007)
//	assumes:    isolation: actors share nothing but what trace.Event.Touched names
//	invariants: I1 events are numbered as in the trace, from its first explored event on
//	            I2 past(e) is transitively closed and holds only smaller numbers
//	            I3 past(e) is that of the macro-step of e, a step with the choices in its middle, once that is over
//	            I4 heads[x] is the last access to object x among the events, and accesses link back per object
//	cost:       n/64 words an event, a walk over its direct predecessors. Of the accesses that only read an object
//	            the last write is known, so that a thousand sends to one actor are not walked over for the next
//	checked by: order_test.go and class_test.go against the definition, internal/dpor against brute force
package causal

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// Order is the happens-before relation of the explored events of one execution: → of docs/algorithms.md. Of two
// dependent steps the earlier one happens before the later one, and the relation is transitive. All executions with the
// same relation are one class (L1).
//
// It is five objects, each of which knows only those before it. They are what happened (record), what receivers had
// before them (receives), and what steps accessed (footprints). Then come what happens before what (pasts), and races.
type Order struct{ pasts }

// pasts is happens-before: of each event those that happen before it.
type pasts struct {
	footprints
	words []bitset.Packed // memory of the pasts, by event,
	room  bitset.Packed   // and of the one that is being built
}

// New makes the relation of a delivery model, without events.
func New(model trace.Model, timers trace.TimerMode) *Order {
	o := &Order{}
	o.model, o.async, o.objects = model, timers == trace.Async, map[trace.ID]int32{}
	return o
}

// Extend adds the events of the trace up to index end. The trace must agree with the events that are there.
func (o *pasts) Extend(tr *trace.Trace, end int) {
	o.tr = tr
	o.at.Reads(tr)
	if len(o.events) == 0 {
		o.reading = false
		o.setUp(tr)
		if len(o.heads) > 1<<16 {
			// Identities of other executions; those of this one come again.
			o.objects, o.names, o.heads, o.boxes, o.actors = map[trace.ID]int32{}, nil, nil, nil, nil
		}
	}
	for i := o.first + len(o.events); i < end; i++ {
		o.add(&tr.Events[i])
	}
}

// Truncate forgets all events from n on.
func (o *pasts) Truncate(n int) {
	if o.reading {
		o.at.Cut(o.first + n)
	}
	for len(o.events) > n {
		i := len(o.events) - 1
		e := &o.events[i]
		for k := len(o.accesses) - 1; k >= int(e.accesses); k-- {
			o.heads[o.accesses[k].object] = o.accesses[k].before
		}
		o.accesses = o.accesses[:e.accesses]
		o.system = o.system[:e.systems]
		o.hookSends = o.hookSends[:e.hookSends]
		if e.actor >= 0 {
			o.last[e.actor] = e.own
		}
		if e.released >= 0 {
			o.arrival[e.released] = e.due
		}
		o.events = o.events[:i]
	}
	if n > 0 && n == len(o.events) {
		o.narrow(int32(n - 1))
	}
}

// narrow takes back what events that were truncated since added to the past of the macro-step of event i, now the last.
func (o *pasts) narrow(i int32) {
	for j := o.events[i].head; j <= i; j++ {
		if e := &o.events[j]; e.widened {
			e.past, e.widened = e.upto, false
		}
	}
	if o.events[i].head < i {
		o.widen(i)
	}
}

// widen adds the past of event i, which is in the middle of a macro-step, to that of the whole macro-step. No other
// actor takes a step within one, so a macro-step is ordered as a whole.
func (o *pasts) widen(i int32) {
	head := o.events[i].head
	for j := head; j < i; j++ {
		e := &o.events[j]
		if !e.widened {
			e.widened, e.upto = true, e.past
			e.past = e.past.Unpack()
		}
		e.past.AddFrom(&o.events[i].past, head)
	}
}

// add extends happens-before by an event. The event directly follows two kinds of others: the one that sent its
// message, and the last ones that accessed one of its objects, where that collides. Its past is those with their pasts.
// So the order is the transitive closure of dependence in the order of the record, which is how [AAJS14] defines it
// (L1).
//
// A choice in the middle of a step belongs to the event that began the step (head). The past of the whole macro-step is
// that of all its events, since classes are of macro-steps.
func (o *pasts) add(e *trace.Event) {
	i := int32(len(o.events))
	ev := event{advance: e.Step.Kind == trace.Advance, actor: -1, released: -1, parent: -1, own: -1, head: i,
		barrier: o.advanced(i), accesses: int32(len(o.accesses)), systems: int32(len(o.system)),
		hookSends: int32(len(o.hookSends))}
	o.follow(e, &ev, i)
	switch {
	case e.Step.Kind.Chooses():
		ev.parent = i - 1
		ev.head = o.events[i-1].head
		ev.advance = o.events[ev.head].advance // what chooses while the clock advances is a part of that
	case e.Step.Message >= 0:
		ev.parent = o.Arrival(e.Step.Message)
	}
	for int(i) >= len(o.words) {
		o.words = append(o.words, bitset.Packed{})
	}
	o.room = o.room.Emptied(int(i))
	ev.past, ev.open = o.room, true
	o.events = append(o.events, ev)
	o.footprint(e)
	o.close(i)
	o.words[i] = o.room.Pack(o.words[i])
	o.events[i].past = o.words[i]
	if ev.head < i {
		o.widen(i)
	}
	o.note(e, i)
}

// close computes the past of event i, the union of those of its direct predecessors, and links its accesses to those
// before.
func (o *pasts) close(i int32) {
	ev := &o.events[i]
	if o.Barrier(i) {
		ev.past.AddBelow(i)
	} else {
		o.EachDirect(i, func(p int32) {
			if !ev.past.Has(p) {
				ev.past.AddAll(&o.events[p].past)
				ev.past.Add(p)
			}
		})
	}
	for k := int(ev.accesses); k < len(o.accesses); k++ {
		a := &o.accesses[k]
		a.before = o.heads[a.object]
		a.writes, a.others = o.lastWrite(a.before), o.lastOther(a.before, i)
		o.heads[a.object] = int32(k)
	}
	ev.open = false
}

// EachDirect calls f for the direct predecessors of event i: its parent, what its actor owed, the last barrier, and for
// each access the last colliding ones before. All that happens before i is one of them or happens before one. An event
// may come more than once.
func (o *pasts) EachDirect(i int32, f func(p int32)) {
	ev := &o.events[i]
	if ev.parent >= 0 {
		f(ev.parent)
	}
	if ev.barrier >= 0 {
		f(ev.barrier)
	}
	o.owed(i, f)
	for k := ev.accesses; k < o.accessEnd(i); k++ {
		o.eachColliding(k, i, f)
	}
}
