package flow

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file follows what becomes of messages between sending and handling, in the step of who sends: batches, and
// messages to nobody.

// members delivers what a batch has in it: protoactor-go posts the members before the batch, each as what it is or as
// its envelope says.
func (o *operation) members(ref points.Loc, d *delivery) {
	if o.row.Framework != model.Protoactor || o.call.Site == nil {
		return
	}
	var lists points.Set
	if !o.solver.CallMethod(o.call.By, o.call.Site, d.message, "GetMessages", nil, func(i int, v points.Set) {
		if i == 0 {
			lists = lists.Union(v)
		}
	}) {
		return
	}
	one := *d
	one.wrapped, one.senders, one.asked = false, nil, nil
	o.messages(o.solver.ReadAll(o.call.By, o.solver.Parts(lists, points.Elem)), func(box points.Loc) {
		if box != d.message {
			o.post(points.One(ref), box, one)
		}
	})
}

// lost is what happens where a message may find nobody: at an actor that may have stopped, or at none (to is nil). The
// framework tells who wants an answer, and the functions that are subscribed to its events.
func (o *operation) lost(ref points.Loc, to *class, d *delivery) {
	s := o.solver
	if o.row.Framework == model.Hollywood && (to == nil || len(s.Read(o.call.By, to.ended)) > 0) {
		s.Write(s.Part(o.stream.Root, lostPart), points.One(d.message))
	}
	if o.row.Framework != model.Protoactor || to != nil && (to.environment || len(s.Read(o.call.By, to.ended)) == 0) {
		return
	}
	for _, l := range d.senders {
		if c, ok := s.Object(l).Tag.(*class); ok && s.Object(l).Kind == kindRef {
			o.tell(c, "DeadLetterResponse", nil)
		}
	}
	if o.call.Site != nil {
		o.publish(o.eventOf(model.Protoactor, "DeadLetterEvent", o.in,
			map[string]points.Set{"PID": points.One(ref), "Message": points.One(d.message), "Sender": d.senders}))
	}
}

// pointer makes a pointer to a value of a type, in an interface, and gives also what it points to. site tells it from
// others.
func (b *builder) pointer(site any, typ types.Type) (box, body points.Loc) {
	s := b.solver
	body = s.Special(points.Memory, site, 0, typ).Root
	box = s.NewBox(site, 0, types.NewPointer(typ))
	s.Write(s.Part(box, points.Content), points.One(body))
	return box, body
}

// capture keeps what a context is at, in the framework's envelope, or has that handled: by the actor, as a part of what
// it handles now.
func (o *operation) capture() {
	s := o.solver
	typ := o.declared(protoactor, "CapturedContext")
	if typ == nil {
		return
	}
	envelope, context := fieldOf(typ, "MessageEnvelope"), fieldOf(typ, "Context")
	if o.row.Op == model.Capture {
		made := s.Made(points.Memory, o.call)
		made.Type = typ
		within := s.Special(points.Memory, made.Root, 0, o.declared(protoactor, "MessageEnvelope"))
		within.Full = true
		s.Write(o.envelopeField(within.Root, "Message"), o.mail())
		s.Write(o.envelopeField(within.Root, "Sender"), o.senders())
		s.Write(s.Part(made.Root, envelope), points.One(within.Root))
		s.Write(s.Part(made.Root, context), o.context)
		o.give(points.One(made.Root))
		return
	}
	o.row.Op = model.Handle
	for _, l := range o.arg(o.row.Msg) {
		o.handled(s.Read(o.call.By, s.Part(l, envelope)))
	}
}
