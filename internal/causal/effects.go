package causal

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: what is declared of handlers. A step that kept to its declaration reads its actor's sequence of steps
// instead of writing it, and accesses fields of its actor. So two such steps depend on each other only by their fields,
// and any other step of the actor, which writes the sequence, depends on both.
//
//	source:     the reads and writes of tasks of [ASTS], checked when they happen; the rest is ours (docs/decisions/0007)
//	differs:    a step that does more than change fields and send is a step like any other
//	assumes:    handlers read no field but those that were declared (trace.Event.Effect vouches for the rest)
//	invariants: a step accesses the same of its actor wherever it happens, but if it panics
//	checked by: effects_test.go against toy.ClassKey, internal/dpor against brute force

// For makes the relation for given conditions, without events.
func For(c explore.Conditions) *Order {
	o := New(c.Model, c.Timers)
	if c.HeedsEffects() {
		o.effects = c.Effects.Index()
	}
	return o
}

// What an actor's objects for declared steps are hashed with.
const (
	ofField = 0x6669656c64
	ofInput = 0x696e707574 // fifo: what an actor gets from another, in its order
	ofSends = 0x73656e6473 // fifo: what an actor sends, in its order
	handing = 0x68616e64   // causal: a message is handed over
)

// declared gives what the handler of event e was declared to do. It is nil if the step did more with its actor, such as
// to panic.
func (o *footprints) declared(e *trace.Event) *trace.Effect {
	if e.Effect == nil || !o.commutes(e.Effect) || e.Step.Kind != trace.Deliver || !e.Completed ||
		e.Changes || e.Registered > 0 ||
		len(e.Created)+len(e.Stopped)+len(e.Cancelled) > 0 {
		return nil
	}
	for _, m := range e.Sent {
		if kind := o.tr.Messages[m].Kind; kind != trace.User && kind != trace.Answer {
			return nil
		}
	}
	return e.Effect
}

// commutes reports whether a declared handler may commute with others. Under causal a send tells what its actor has
// handled, so those that send do not.
func (o *footprints) commutes(effect *trace.Effect) bool {
	return o.effects.Len() > 0 && !(o.model == trace.Causal && effect.Sends)
}

// Heeds reports whether declared effects count: then the steps of an actor are no chain.
func (o *footprints) Heeds() bool { return o.effects.Len() > 0 }

// Shares reports whether event e only reads its actor's sequence of steps: its handler kept to what is declared.
func (o *footprints) Shares(e int32) bool {
	k := o.events[e].accesses // of what it accesses the sequence is noted first
	return k < o.accessEnd(e) && !o.accesses[k].write
}

// Strays reports whether the handler of event e was declared and did more with its actor, such as to panic.
func (o *footprints) Strays(e int32) bool {
	ev := o.Event(e)
	return ev.Effect != nil && o.commutes(ev.Effect) && o.declared(ev) == nil
}

// within notes what a declared step accesses of its actor.
func (o *footprints) within(e *trace.Event, effect *trace.Effect) {
	for _, a := range o.handlingAccesses(nil, e.Step.Message, effect) {
		o.touch(o.intern(a.Object), a.Write)
	}
	if o.model != trace.Causal {
		return
	}
	for i := o.events[len(o.events)-1].own; i >= 0; i = o.events[i].own {
		if o.ordered(i, e.Step.Message) {
			o.touch(o.intern(o.tr.Messages[o.Step(i).Message].ID.With(handing)), false)
		}
	}
}

// handlingAccesses appends what the handling of message m accesses of its receiver, which is known before it happens
// and the same wherever it happens.
//
// SUBTLE: so under fifo two handlers that send depend on each other, though they may send to different receivers. They
// do not if both only reply: to the senders of their messages, who are known too, and different if the messages may
// come in either order. Optimal DPOR believes a step that it has not executed at some place to be independent of others
// there, and loses classes if two of those vouch for each other.
func (o *footprints) handlingAccesses(f Footprint, m int32, effect *trace.Effect) Footprint {
	msg := &o.tr.Messages[m]
	me := o.tr.Actors[msg.Receiver].ID
	f = append(f, Access{Object: me})
	for _, name := range effect.Reads {
		f = append(f, Access{me.With(trace.HashString(name)).With(ofField), false})
	}
	for _, name := range effect.Writes {
		f = append(f, Access{me.With(trace.HashString(name)).With(ofField), true})
	}
	switch o.model {
	case trace.FIFO:
		f = append(f, Access{me.WithID(o.tr.Actors[msg.Sender].ID).With(ofInput), true})
		if effect.Sends {
			f = append(f, Access{me.With(ofSends), !effect.Replies})
		}
	case trace.Causal:
		f = append(f, Access{msg.ID.With(handing), true})
	}
	return f
}

// Handling is all that is known of the footprint of the step that handles message m before it happens, or where it has
// not happened.
func (o *footprints) Handling(m int32) Footprint {
	if effect := o.effectOf(m); effect != nil {
		return o.handlingAccesses(nil, m, effect)
	}
	return Stepping(o.tr.Actors[o.tr.Messages[m].Receiver].ID)
}

// Declares reports whether the handling of message m is declared to leave its actor's sequence of steps alone.
func (o *footprints) Declares(m int32) bool { return o.effectOf(m) != nil }

// effectOf gives what is declared of the handling of message m, nil if that does not commute with anything.
func (o *footprints) effectOf(m int32) *trace.Effect {
	msg := &o.tr.Messages[m]
	if o.effects.Len() == 0 || msg.Kind != trace.User {
		return nil
	}
	if effect := o.effects.Of(o.tr.Actors[msg.Receiver].Type, msg.Type); effect != nil && o.commutes(effect) {
		return effect
	}
	return nil
}

// Repeating is all that is known of the footprint of event e where it comes earlier than it did, and its actor may
// stand otherwise.
func (o *footprints) Repeating(e int32) Footprint {
	if o.declared(o.Event(e)) != nil {
		return o.Handling(o.Step(e).Message)
	}
	return Stepping(o.tr.Actors[o.Step(e).Actor].ID)
}
