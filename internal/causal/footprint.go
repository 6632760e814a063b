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

// Dependent reports whether the order of two steps matters.
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

// Taking is all that is known of the footprint of an actor's step before it happens.
func Taking(actor trace.ID) Footprint { return Footprint{{Object: actor, Write: true}} }

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

// intern gives the number of an object.
func (o *Order) intern(id trace.ID) int32 {
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
func (o *Order) of(actor int32) *actorObjects {
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
func (o *Order) touch(object int32, write bool) {
	mine := o.accesses[o.events[len(o.events)-1].accesses:]
	for i := range mine {
		if mine[i].object == object {
			mine[i].write = mine[i].write || write
			return
		}
	}
	o.accesses = append(o.accesses, access{object: object, event: int32(len(o.events) - 1), write: write})
}

// footprint collects the accesses of event e, which is being added.
//
// Two steps depend on each other if they are steps of the same actor, unless what is declared of both (effects.go) says
// that they do not. Under Mailbox they do if both append to the same mailbox. Under MailboxSerial, if the sets of
// mailboxes that they append to meet. Under every model also:
//
//   - a system message comes before the user messages of its receiver, so its arrival depends on all steps of the receiver;
//   - a send to an actor and the step in which that actor stops: a dead letter is not an orphan;
//   - a timer's firing and the step that cancels it;
//   - accesses to the same future or call, one of which writes.
func (o *Order) footprint(e *trace.Event) {
	if e.Step.Kind == trace.Timer {
		o.touch(o.intern(o.tr.Messages[e.Step.Message].ID), true)
	} else if effect := o.declared(e); effect != nil {
		o.within(e, effect)
	} else {
		free := o.free && o.isFree(e)
		if o.touch(o.of(e.Step.Actor).chain, !free); free {
			to := o.tr.Actors[o.tr.Messages[e.Released].Receiver].ID
			o.touch(o.intern(o.tr.Actors[e.Step.Actor].ID.WithID(to)), true) // those to one receiver stay in order, system messages among them
		}
	}
	for _, m := range e.Sent {
		if !delivery.Captured(o.model, &o.tr.Messages[m]) {
			o.arrives(e, m)
		}
	}
	if e.Released >= 0 {
		o.arrives(e, e.Released)
	}
	for _, a := range e.Stopped {
		o.touch(o.of(a).life, true)
	}
	for _, m := range e.Cancelled {
		o.touch(o.intern(o.tr.Messages[m].ID), true)
	}
	for _, t := range e.Touched {
		o.touch(o.intern(t.Object), t.Write)
	}
}

// arrives notes that a message reaches its receiver in event e.
func (o *Order) arrives(e *trace.Event, m int32) {
	msg := &o.tr.Messages[m]
	receiver := o.of(msg.Receiver)
	switch msg.Class {
	case trace.System:
		o.touch(receiver.chain, true)
		o.system = append(o.system, m)
	case trace.User:
		if msg.Receiver != e.Step.Actor || o.queues() {
			o.touch(receiver.life, false)
		}
		if o.queues() {
			o.touch(receiver.box, true)
		}
	case trace.Timeout:
		if e.Step.Kind == trace.Send { // it waited for a release
			o.touch(receiver.life, false)
		}
		if e.Step.Kind == trace.Timer || e.Step.Kind == trace.Send {
			o.touch(receiver.box, true)
		}
	}
}

func (o *Order) queues() bool { return o.model.Queues() }

// DependsOn reports whether event e depends on a step with this footprint.
func (o *Order) DependsOn(e int32, f Footprint) bool {
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
