package flow

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file follows middleware: a function of the program that stands before what the framework does, and calls it as
// the next one. Several stand before each other in an order that is not followed: the next of one may be any other, and
// what comes after all.

// Apply is the call of the next function by middleware, or of an option by the program. points.Actors.
func (b *builder) Apply(c *points.Call, l points.Loc) {
	o := b.operation(c, model.Row{Framework: model.Protoactor})
	what := b.solver.Object(l)
	if what.Kind == kindOption {
		o.configure(o.arg(0), points.One(l))
		return
	}
	if what.Kind != kindNext {
		return
	}
	slot := what.Tag.(string)
	switch slot {
	case "receiverMiddlewareChain":
		o.context = o.arg(0)
		o.others(slot)
		if o.self.framework == model.Hollywood {
			o.handedOn()
			return
		}
		o.handled(o.arg(1))
	case "senderMiddlewareChain":
		o.context = o.arg(0)
		o.others(slot)
		o.sent(o.arg(1), o.arg(2))
	case "spawnMiddlewareChain":
		o.context = o.arg(3)
		o.give(o.others(slot).Union(o.spawnBy(o.arg(2), o.calledAs(o.arg(1)))))
	case "spawner":
		o.context = o.arg(3)
		for _, props := range o.arg(2) {
			o.give(o.produce(props, o.calledAs(o.arg(1)), o.owner(), o.in))
		}
	case "contextDecoratorChain":
		o.context = o.arg(0)
		o.give(o.others(slot).Union(o.arg(0)))
	}
}

// others calls the other layers with what the next one was called with.
func (o *operation) others(slot string) points.Set {
	layers := o.layers(slot)
	if len(layers) < 2 {
		return nil
	}
	return o.apply(layers, o.call.Args...)
}

// calledAs gives the name in a value, Anything if there is none.
func (o *operation) calledAs(v points.Set) string {
	if len(v) == 1 {
		if name, ok := o.solver.Object(v[0]).Tag.(string); ok && o.solver.Object(v[0]).Kind == kindName {
			return name
		}
	}
	return points.Anything
}

// envelopeField is a field of the framework's envelopes.
func (b *builder) envelopeField(l points.Loc, name string) points.Loc {
	return b.solver.Part(l, b.field(protoactor, "MessageEnvelope", name))
}

// handled has the messages in envelopes handled, by the Receive of the context if that is the program's own.
func (o *operation) handled(envelopes points.Set) {
	s, m := o.solver, o.in
	all := len(o.context) == 0
	for _, ctx := range o.context {
		own := o.row.Op != model.Handle &&
			s.CallMethod(o.call.By, o.call.Site, ctx, "Receive", []points.Set{envelopes}, func(int, points.Set) {})
		all = all || !own
	}
	if !all {
		return
	}
	for _, l := range envelopes {
		if u := s.Object(l); u.Kind == points.Unknown {
			o.note(o.at(), "what is handled here is unknown%s", why(u))
			continue
		}
		before := m.facts(s)
		s.Write(m.handled, s.Read(o.call.By, o.envelopeField(l, "Message")))
		s.Write(m.senders, s.Read(o.call.By, o.envelopeField(l, "Sender")))
		m.class.touched = m.class.touched || m.facts(s) != before
	}
}

// made lists the messages that handlers of an actor get from middleware instead of those that have come.
func (b *builder) made(c *class) []string {
	found := map[string]bool{}
	for _, m := range c.machines {
		mailbox := b.solver.Read(nil, m.mailbox)
		for _, box := range b.solver.Read(nil, m.handled) {
			if !mailbox.Has(box) && b.solver.Object(box).Kind == points.Box {
				found[b.shown(b.messageName(box))] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// sent sends what is in envelopes to whom middleware says. An envelope that the framework has made knows the send that
// it is for; others are the middleware's own.
func (o *operation) sent(to, envelopes points.Set) {
	s := o.solver
	for _, l := range envelopes {
		e := s.Object(l)
		if e.Kind == points.Unknown {
			o.note(o.at(), "what is sent here is unknown%s", why(e))
			continue
		}
		d := delivery{kind: Send, by: o.call}
		if of, ok := e.Tag.(*delivery); ok {
			d = *of
		}
		d.from, d.in, d.senders = o.sender(), o.in, s.Read(o.call.By, o.envelopeField(l, "Sender"))
		o.messages(s.Read(o.call.By, o.envelopeField(l, "Message")), func(box points.Loc) { o.post(to, box, d) })
	}
}

// envelop puts messages into an envelope for a send, those that are in one already excepted, and gives the envelopes.
func (o *operation) envelop(v points.Set, d delivery) points.Set {
	s := o.solver
	made := s.Made(points.Memory, o.call)
	if made.Tag == nil {
		made.Type, made.Tag, made.Full = o.declared(protoactor, "MessageEnvelope"), &d, true
	}
	var out points.Set
	for _, l := range v {
		if o.enveloped(l) && !d.wrapped {
			out = out.Union(s.Unboxed(o.call.By, l))
			continue
		}
		s.Write(o.envelopeField(made.Root, "Message"), points.One(l))
		s.Write(o.envelopeField(made.Root, "Sender"), d.senders)
		out = out.Union(points.One(made.Root))
	}
	return out
}

// enveloped reports whether a message is an envelope of the framework.
func (b *builder) enveloped(box points.Loc) bool {
	o := b.solver.Object(box)
	return o.Kind == points.Box && o.Type != nil && b.messageName(box) == "*actor.MessageEnvelope" &&
		b.declared(protoactor, "MessageEnvelope") != nil
}

// envelope puts a message into an envelope, or takes it out.
func (o *operation) envelope() {
	s, v := o.solver, o.arg(o.row.Msg)
	if o.row.Op == model.Wrap {
		o.give(o.envelop(v, delivery{kind: Send, by: o.call, from: o.self}))
		return
	}
	fields := []string{o.row.Slot}
	if o.row.Op == model.UnwrapHeader {
		fields = []string{"", "Message", "Sender"}
	}
	for i, name := range fields {
		var out points.Set
		for _, l := range v {
			switch {
			case name == "":
				out = s.Opaque()
			case o.enveloped(l):
				for _, e := range s.Unboxed(o.call.By, l) {
					out = out.Union(s.Read(o.call.By, o.envelopeField(e, name)))
				}
			case o.call.Callee.Signature().Recv() != nil: // of one of the framework's messages
				out = out.Union(s.Read(o.call.By, s.Part(l, o.fieldOfReceiver(name))))
			case name == "Message":
				out = out.Union(points.One(l))
			}
		}
		o.call.Give(i, out)
	}
}

// fieldOfReceiver gives the number of a field of the struct whose method is called.
func (o *operation) fieldOfReceiver(name string) int {
	return fieldOf(deref(o.call.Callee.Signature().Recv().Type()), name)
}
