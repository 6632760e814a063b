package causal

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// Access is an access of a step to an object: something that decides whether steps depend on each other. Write accesses
// depend on all accesses to their object, others only on those that write.
type Access struct {
	Object trace.ID
	Write  bool
}

// Footprint is what a step accessed. It is known once the step was executed.
type Footprint []Access

// with adds an access.
func (f Footprint) with(a Access) Footprint {
	for i := range f {
		if f[i].Object == a.Object {
			f[i].Write = f[i].Write || a.Write
			return f
		}
	}
	return append(f, a)
}

// Dependent reports whether two steps depend on each other. If not, they commute (L1).
func (f Footprint) Dependent(g Footprint) bool {
	for _, x := range f {
		for _, y := range g {
			if x.Object == everything || y.Object == everything || x.Object == y.Object && (x.Write || y.Write) {
				return true
			}
		}
	}
	return false
}

// everything is the object of the clock's advance, which depends on all steps.
var everything = trace.ID{}

// Advancing is the footprint of an advance of the clock.
func Advancing() Footprint { return Footprint{{Object: everything, Write: true}} }

// Stepping is all that is known of the footprint of an actor's step before it happens.
func Stepping(actor trace.ID) Footprint { return Footprint{{Object: actor, Write: true}} }

// Firing is the footprint of the step by which a timer with timeout m fires.
func Firing(tr *trace.Trace, m int32) Footprint {
	msg := &tr.Messages[m]
	return Footprint{{Object: msg.ID, Write: true}, {Object: tr.Actors[msg.Receiver].ID.With(ofBox), Write: true}}
}

// The objects of an actor, told apart by what its identity is hashed with. A timer's object is the identity of its
// timeout.
const ofBox = 0x6d61696c626f78 // its mailbox: the order of arrival

// actorObjects are an actor's objects, interned. The chain is the sequence of its steps.
type actorObjects struct {
	id               trace.ID
	chain, box, life int32
}

// footprints is what steps accessed. Accesses to an object are linked, the last one first, and objects are numbered.
type footprints struct {
	receives
	free    bool               // releases of a step to different receivers are independent; see Sends
	effects *trace.EffectIndex // declared of handlers; none where they are not heeded

	accesses []access
	objects  map[trace.ID]int32
	names    []trace.ID // of the objects
	heads    []int32    // by object: its last access
	boxes    []bool     // by object: it is a mailbox
	actors   []actorObjects
	walked   int // accesses that were walked over; see Walked
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

// intern gives the number of an object.
func (o *footprints) intern(id trace.ID) int32 {
	n, ok := o.objects[id]
	if !ok {
		n = int32(len(o.heads))
		o.objects[id] = n
		o.heads = append(o.heads, -1)
		o.boxes = append(o.boxes, false)
		o.names = append(o.names, id)
	}
	return n
}

// of gives the objects of an actor.
func (o *footprints) of(actor int32) *actorObjects {
	for int(actor) >= len(o.actors) {
		o.actors = append(o.actors, actorObjects{})
	}
	a, id := &o.actors[actor], o.tr.Actors[actor].ID
	if a.id != id {
		*a = actorObjects{id, o.intern(id), o.intern(id.With(ofBox)), o.intern(o.tr.Actors[actor].Life())}
		o.boxes[a.box] = true
	}
	return a
}

// touch adds an access to the footprint of the event that is being added.
func (o *footprints) touch(object int32, write bool) {
	mine := o.accesses[o.events[len(o.events)-1].accesses:]
	for i := range mine {
		if mine[i].object == object {
			mine[i].write = mine[i].write || write
			return
		}
	}
	o.accesses = append(o.accesses, access{object: object, event: int32(len(o.events) - 1), write: write})
}

// place is what a step accesses: an object of an actor, or another one by its identity.
type place struct {
	of    placeKind
	actor int32
	id    trace.ID // of another one
}

type placeKind uint8

const (
	otherObject placeKind = iota
	chainOf               // the sequence of the actor's steps
	boxOf                 // its mailbox
	lifeOf
)

// object gives the identity of a place.
func (p place) object(tr *trace.Trace) trace.ID {
	switch p.of {
	case chainOf:
		return tr.Actors[p.actor].ID
	case boxOf:
		return tr.Actors[p.actor].ID.With(ofBox)
	case lifeOf:
		return tr.Actors[p.actor].Life()
	}
	return p.id
}

// number gives the number of a place's object.
func (o *footprints) number(p place) int32 {
	switch p.of {
	case chainOf:
		return o.of(p.actor).chain
	case boxOf:
		return o.of(p.actor).box
	case lifeOf:
		return o.of(p.actor).life
	}
	return o.intern(p.id)
}

// footprint collects the accesses of event e, which is being added.
func (o *footprints) footprint(e *trace.Event) {
	access := func(p place, write bool) { o.touch(o.number(p), write) }
	if effect := o.declared(e); effect != nil {
		o.within(e, effect)
	} else if o.free && o.isFree(e) {
		to := o.tr.Actors[o.tr.Messages[e.Released].Receiver].ID
		o.touch(o.of(e.Step.Actor).chain, false)
		// Those to one receiver stay in order, system messages among them.
		o.touch(o.intern(o.tr.Actors[e.Step.Actor].ID.WithID(to)), true)
	} else {
		ownAccess(o.tr, &e.Step, access)
	}
	otherAccesses(o.model, o.tr, e, access)
}

// ownAccess calls f for what a step accesses as one that may do anything with its actor. A timer's firing is a process
// of its own.
func ownAccess(tr *trace.Trace, s *trace.Step, f func(p place, write bool)) {
	if s.Kind == trace.Timer {
		f(place{id: tr.Messages[s.Message].ID}, true)
		return
	}
	f(place{of: chainOf, actor: s.Actor}, true)
}

// otherAccesses calls f for what event e accesses beside that, some more than once.
//
// Two steps depend on each other if they are steps of the same actor, unless what is declared of both (effects.go) says
// that they do not. Under Mailbox they do if both append to the same mailbox. Under MailboxSerial, if the sets of
// mailboxes that they append to meet. Under every model also:
//
//   - a system message comes before the user messages of its receiver, so its arrival depends on all steps of the
//     receiver;
//   - a send to an actor and the step in which that actor stops: a dead letter is not an orphan;
//   - a timer's firing and the step that cancels it;
//   - accesses to the same future or call, one of which writes.
func otherAccesses(model trace.Model, tr *trace.Trace, e *trace.Event, f func(p place, write bool)) {
	for _, m := range e.Sent {
		if !delivery.Captured(model, &tr.Messages[m]) {
			arrival(model, tr, &e.Step, m, f)
		}
	}
	if e.Released >= 0 {
		arrival(model, tr, &e.Step, e.Released, f)
	}
	for _, a := range e.Stopped {
		f(place{of: lifeOf, actor: a}, true)
	}
	for _, m := range e.Cancelled {
		f(place{id: tr.Messages[m].ID}, true)
	}
	for _, t := range e.Touched {
		f(place{id: t.Object}, t.Write)
	}
}

// arrival calls f for what step s accesses in that message m reaches its receiver by it.
func arrival(model trace.Model, tr *trace.Trace, s *trace.Step, m int32, f func(p place, write bool)) {
	msg := &tr.Messages[m]
	switch msg.Kind {
	case trace.System:
		f(place{of: chainOf, actor: msg.Receiver}, true)
	case trace.User:
		if msg.Receiver != s.Actor || model.Queues() {
			f(place{of: lifeOf, actor: msg.Receiver}, false)
		}
		if model.Queues() {
			f(place{of: boxOf, actor: msg.Receiver}, true)
		}
	case trace.Timeout:
		if s.Kind == trace.Send { // it waited for a release
			f(place{of: lifeOf, actor: msg.Receiver}, false)
		}
		if s.Kind == trace.Timer || s.Kind == trace.Send {
			f(place{of: boxOf, actor: msg.Receiver}, true)
		}
	}
}

// DependsOn reports whether event e depends on a step with this footprint.
func (o *footprints) DependsOn(e int32, f Footprint) bool {
	if o.Barrier(e) {
		return true
	}
	for _, a := range o.accesses[o.events[e].accesses:o.accessEnd(e)] {
		for _, x := range f {
			if x.Object == everything || (a.write || x.Write) && o.names[a.object] == x.Object {
				return true
			}
		}
	}
	return false
}

// Footprint appends what event e accessed.
func (o *footprints) Footprint(f Footprint, e int32) Footprint {
	if o.Barrier(e) {
		return append(f, Advancing()...)
	}
	for _, a := range o.accesses[o.events[e].accesses:o.accessEnd(e)] {
		f = append(f, Access{o.names[a.object], a.write})
	}
	return f
}

// freeAnswer reports whether m is a reply that was handed over in that way.
func (o *footprints) freeAnswer(m int32) bool {
	if o.tr.Messages[m].Kind != trace.Answer {
		return false
	}
	for k := o.heads[o.of(o.tr.Messages[m].Receiver).chain]; k >= 0; k = o.accesses[k].before {
		if e := o.accesses[k].event; o.Step(e).Kind == trace.Reply && o.Step(e).Message == m {
			return o.FreeReply(e)
		}
	}
	return false
}

// Stopped reports whether an actor has stopped.
func (o *footprints) Stopped(actor int32) bool {
	for k := o.heads[o.of(actor).life]; k >= 0; k = o.accesses[k].before {
		if o.accesses[k].write {
			return true
		}
	}
	return false
}
