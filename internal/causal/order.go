// Package causal holds the one definition of dependency between steps, and what follows from it: happens-before, races
// and the identity of a class of executions.
//
//	footprint.go  what a step accesses; two steps depend on each other if their accesses collide
//	access.go     the same of events alone, and of several steps together
//	order.go      happens-before of the events of a trace, built event by event and cut back with the search
//	past.go       what is asked of happens-before
//	race.go       pairs of events that could have happened the other way round
//	pending.go    the same of messages that were not handled, and of timers that did not fire
//	pass.go       user messages that pass system messages
//	cursor.go     what waits at a point of the record
//	received.go   what a receiver would have taken before one of its steps
//	collide.go    what reverse search asks of receivers, and which events depend on each other by a mailbox
//	effects.go    steps whose handlers are declared to access a part of their actor
//	ordered.go    what the delivery model orders
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
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// Order is the happens-before relation of the explored events of one execution: → of docs/algorithms.md. Of two
// dependent steps the earlier one happens before the later one, and the relation is transitive. All executions with the
// same relation are one class (L1).
type Order struct {
	model trace.Model
	async bool // timers may fire at any point
	free  bool // releases of a step to different receivers are independent; see Sends
	tr    *trace.Trace
	first int // index of event 0 in the trace

	effects *trace.EffectIndex // declared of handlers; none where they are not heeded

	events    []event
	accesses  []access
	objects   map[trace.ID]int32
	names     []trace.ID // of the objects
	heads     []int32    // by object
	boxes     []bool     // by object: it is a mailbox
	actors    []actorObjects
	last      []int32         // by actor: its last step, -1 if none
	arrival   []int32         // by message: the event by which it reached its receiver; see arrived
	system    []int32         // system messages that arrived
	hookSends []int32         // releases of what start hooks sent; see owed
	words     []bitset.Packed // memory of the pasts, by event,
	room      bitset.Packed   // and of the one that is being built
	walked    int             // accesses that were walked over; see Walked

	at      delivery.At // what waits at a point; see cursor
	reading bool        // it reads this record
}

// event is what is known of an event beyond the trace.
type event struct {
	parent    int32 // the event by which its message arrived, or that it is a part of; -1 if before all
	own       int32 // the step of the same actor before, -1 if none
	head      int32 // the first event of the macro-step that it is a part of: itself but for choices
	barrier   int32 // the last event before that all depend on, -1 if none
	advance   bool  // it is one itself; noted here since between executions the trace may hold another strategy's
	accesses  int32 // index of its first
	systems   int32 // number of system messages before
	hookSends int32 // number of such releases before
	actor     int32 // see Actor
	past      bitset.Packed
	open      bool // past is being built, and its accesses are not linked yet
	widened   bool // past was widened to that of the macro-step; upto holds what it was
	upto      bitset.Packed
	released  int32 // the message that it released, -1 if none,
	due       int32 // and when that was sent or became due
}

// access is one access of one event, linked to the one before to the same object.
type access struct {
	object int32
	event  int32
	before int32 // index of the access before to the same object, -1 if none,
	writes int32 // of the last one before that writes it,
	others int32 // and of the last one before by a step of another actor; see EachForeign
	write  bool
}

// New makes the relation of a delivery model, without events.
func New(model trace.Model, timers trace.TimerMode) *Order {
	return &Order{model: model, async: timers == trace.Async, objects: map[trace.ID]int32{}}
}

// Walked counts the accesses that were walked over so far, for tests that hold this to the length of executions.
func (o *Order) Walked() int { return o.walked }

// Len is the number of events.
func (o *Order) Len() int { return len(o.events) }

// First is the index of event 0 in the trace.
func (o *Order) First() int { return o.first }

// Extend adds the events of the trace up to index end. The trace must agree with the events that are there.
func (o *Order) Extend(tr *trace.Trace, end int) {
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

// setUp notes where the events of the order begin, and which system messages set-up left.
func (o *Order) setUp(tr *trace.Trace) {
	o.first, o.system = tr.Explored, o.system[:0]
	isSystem := func(m trace.Message) bool { return m.Kind == trace.System && int(m.SentBy) < tr.Explored }
	if !slices.ContainsFunc(tr.Messages, isSystem) {
		return
	}
	o.before(0).EachLeft(func(m int32) {
		if isSystem(tr.Messages[m]) {
			o.system = append(o.system, m)
		}
	})
}

// Truncate forgets all events from n on.
func (o *Order) Truncate(n int) {
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
func (o *Order) narrow(i int32) {
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
func (o *Order) widen(i int32) {
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
func (o *Order) add(e *trace.Event) {
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

// follow notes whose step event i is and which step of that actor came before.
func (o *Order) follow(e *trace.Event, ev *event, i int32) {
	for int(e.Step.Actor) >= len(o.last) {
		o.last = append(o.last, -1)
	}
	if i == 0 {
		for a := range o.last {
			o.last[a] = -1
		}
	}
	// An advance is taken by the driver, and is no part of what it does: it may be in the middle of a call.
	if e.Step.Kind != trace.Timer && e.Step.Kind != trace.Advance {
		ev.actor, ev.own = e.Step.Actor, o.last[e.Step.Actor]
		if ev.own >= i {
			ev.own = -1 // of another execution
		}
		o.last[e.Step.Actor] = i
	}
}

// close computes the past of event i, the union of those of its direct predecessors, and links its accesses to those
// before.
func (o *Order) close(i int32) {
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

// note keeps when messages arrive.
func (o *Order) note(e *trace.Event, i int32) {
	for _, m := range e.Sent {
		o.setArrival(m, i)
		if !delivery.Captured(o.model, &o.tr.Messages[m]) {
			o.noteSystem(m)
		}
	}
	if e.Released >= 0 {
		o.noteSystem(e.Released)
		o.events[i].released, o.events[i].due = e.Released, o.Arrival(e.Released)
		o.setArrival(e.Released, i)
		if e.Step.Kind == trace.Send && delivery.Owes(o.tr, e.Step.Actor, e.Released) {
			o.hookSends = append(o.hookSends, i)
		}
	}
	for _, m := range e.Due {
		o.setArrival(m, i)
	}
}

// noteSystem notes that message m reached its receiver, if it is a system message.
func (o *Order) noteSystem(m int32) {
	if o.tr.Messages[m].Kind == trace.System {
		o.system = append(o.system, m)
	}
}

func (o *Order) setArrival(m, i int32) {
	for int(m) >= len(o.arrival) {
		o.arrival = append(o.arrival, -1)
	}
	o.arrival[m] = i
}

// Arrival gives the event by which message m reached its receiver (or was captured, if it has not been released yet),
// -1 if that was before all.
func (o *Order) Arrival(m int32) int32 {
	sent := o.tr.Messages[m].SentBy - int32(o.first)
	sent = max(sent, -1)
	// SUBTLE: what is noted may be of a release that was truncated since, or of another message with this number.
	if int(m) < len(o.arrival) {
		if at := o.arrival[m]; at > sent && at < int32(len(o.events)) &&
			(o.Event(at).Released == m || slices.Contains(o.Event(at).Due, m)) {
			return at
		}
	}
	return sent
}

// Step is the step of event i.
func (o *Order) Step(i int32) *trace.Step { return &o.tr.Events[o.first+int(i)].Step }

// Barrier reports whether all events depend on event i, the clock's advance: those before it happen before it, and it
// before those that come later.
func (o *Order) Barrier(i int32) bool { return o.events[i].advance }

// advanced gives the last advance of the clock before event e, which may be the next one; -1 if there is none.
func (o *Order) advanced(e int32) int32 {
	if e == 0 {
		return -1
	}
	if o.Barrier(e - 1) {
		return e - 1
	}
	return o.events[e-1].barrier
}

// EachDirect calls f for the direct predecessors of event i: its parent, what its actor owed, the last barrier, and for
// each access the last colliding ones before. All that happens before i is one of them or happens before one. An event
// may come more than once.
func (o *Order) EachDirect(i int32, f func(p int32)) {
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

// owed calls f for the releases before event i of what its actor has sent in its start hook. The creator of the actor
// releases that, and until then the actor takes nothing. No access says so: then the two would be a race, and their
// order can never be the other one.
func (o *Order) owed(i int32, f func(p int32)) {
	if o.events[i].actor < 0 {
		return
	}
	for _, at := range o.hookSends[:o.events[i].hookSends] {
		if o.tr.Messages[o.events[at].released].Sender == o.events[i].actor {
			f(at)
		}
	}
}

func (o *Order) accessEnd(i int32) int32 {
	if int(i)+1 < len(o.events) {
		return o.events[i+1].accesses
	}
	return int32(len(o.accesses))
}

// eachColliding calls f for the last events before event i that collide with its access k.
func (o *Order) eachColliding(k, i int32, f func(p int32)) {
	a := &o.accesses[k]
	b := a.before
	if o.events[i].open {
		b = o.heads[a.object] // not linked yet
	}
	if !a.write {
		b = o.lastWrite(b) // those that only read in between are independent of it, however many they are
	}
	for ; b >= 0; b = o.accesses[b].before {
		o.walked++
		p := &o.accesses[b]
		f(p.event)
		if p.write {
			return
		}
	}
}

// lastWrite gives the last access that writes, of access b (-1: none) and those before it to the same object; -1 if
// there is none.
func (o *Order) lastWrite(b int32) int32 {
	if b >= 0 && !o.accesses[b].write {
		return o.accesses[b].writes
	}
	return b
}
