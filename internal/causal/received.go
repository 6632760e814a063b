package causal

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells what a receiver had before it at one of its steps: whether it was busy, or had a system message to
// take first.

// receives is what receivers had before them: what waits, what is ordered, and what they would have taken. The rules of
// the delivery models answer that, at a point of the record to which a cursor moves.
type receives struct {
	record
	at      delivery.At // what waits at a point; see cursor
	reading bool        // it reads this record
}

// endsCall reports whether step i ended a call, by a reply or by the call's timeout. The timeout of another timer ends
// no call: a Receive may have waited for it.
func (o *receives) endsCall(i int32) bool {
	s := o.Step(i)
	return o.inCall(i) && (s.Kind == trace.Reply || s.Message >= 0 && o.tr.Messages[s.Message].EndsCall)
}

// FreeReply reports whether event i hands a reply to an actor that does not wait for one. The reply becomes the value
// of a future, and may do so at any time.
func (o *receives) FreeReply(i int32) bool { return o.Step(i).Kind == trace.Reply && !o.inCall(i) }

// handlesSystem reports whether step i runs the handler of a system message: from its beginning, or on from a call in
// which the handler waited. A message that was overtaken waits until all of the handler is over.
func (o *receives) handlesSystem(i int32) bool {
	i = o.beginning(i)
	return i >= 0 && o.SystemStep(i)
}

// SystemStep reports whether event i handles a system message.
func (o *receives) SystemStep(i int32) bool {
	m := o.Step(i).Message
	return m >= 0 && o.tr.Messages[m].Kind == trace.System && o.Step(i).Kind == trace.Deliver
}

// Accepts reports whether the receiver of m would have accepted it right before its step next, whatever the delivery
// model says.
func (o *receives) Accepts(next, m int32, accepts Acceptance) bool {
	if accepts != nil {
		if ok, known := accepts(int32(o.first)+next, m); known {
			return ok
		}
	}
	kind := o.tr.Messages[m].Kind
	return !o.endsCall(next) || kind == trace.Answer || kind == trace.Timeout
}

// guessed reports whether nobody could tell that the receiver would have accepted m before its step next. If it does
// not accept m there, the race is with an earlier step, so that one is looked for as well.
func (o *receives) guessed(next, m int32, msg *trace.Message, accepts Acceptance) bool {
	if next < 0 || accepts == nil || !queued(msg.Kind) {
		return false
	}
	_, known := accepts(int32(o.first)+next, m)
	return !known
}

// busy reports whether an actor was in the middle of a handler before event i.
func (o *receives) busy(actor, i int32) bool {
	for i--; i >= 0; i-- {
		if o.Actor(i) == actor && o.Step(i).Kind != trace.Send {
			return !o.Completed(i)
		}
	}
	return false
}

// systemPending reports whether a system message keeps m back at its receiver before event i, if m has arrived there.
func (o *receives) systemPending(i, m int32) bool {
	return len(o.system) > 0 && o.before(i).AfterSystem(m)
}

// setUp notes where the events of the order begin, and which system messages set-up left.
func (o *receives) setUp(tr *trace.Trace) {
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
