package causal

import "github.com/rehearse-go/rehearse/trace"

// This file tells what a receiver would have taken before one of its steps: whether it was busy, had stopped, or had a
// system message to take first.

// endsCall reports whether step i ended a call, by a reply or by the call's timeout. The timeout of another timer ends
// no call: a Receive may have waited for it.
func (o *Order) endsCall(i int32) bool {
	s := o.Step(i)
	return o.inCall(i) && (s.Kind == trace.Reply || s.Message >= 0 && o.tr.Messages[s.Message].EndsCall)
}

// FreeReply reports whether event i hands a reply to an actor that does not wait for one. The reply becomes the value
// of a future, and may do so at any time.
func (o *Order) FreeReply(i int32) bool { return o.Step(i).Kind == trace.Reply && !o.inCall(i) }

// freeAnswer reports whether m is a reply that was handed over in that way.
func (o *Order) freeAnswer(m int32) bool {
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

// handlesSystem reports whether step i runs the handler of a system message: from its beginning, or on from a call in
// which the handler waited. A message that was overtaken waits until all of the handler is over.
func (o *Order) handlesSystem(i int32) bool {
	i = o.beginning(i)
	return i >= 0 && o.SystemStep(i)
}

// SystemStep reports whether event i handles a system message.
func (o *Order) SystemStep(i int32) bool {
	m := o.Step(i).Message
	return m >= 0 && o.tr.Messages[m].Kind == trace.System && o.Step(i).Kind == trace.Deliver
}

// wouldAccept reports whether the receiver would have taken m right before event i, which is its own step or the
// arrival of a system message. Next is its first own step from there on, -1 if there is none.
func (o *Order) wouldAccept(i, next, m int32, msg *trace.Message, accepts Acceptance) bool {
	if o.systemPending(i, m) {
		if !o.passes(i, m) {
			return false
		}
		accepts = o.oldest(accepts)
	}
	if next < 0 {
		// Refused to the end, unless only a system message that was not handled kept it back.
		return !o.Stopped(msg.Receiver) && o.systemPending(int32(len(o.events)), m) && !o.busy(msg.Receiver, i)
	}
	return o.Accepts(next, m, accepts)
}

// Accepts reports whether the receiver of m would have accepted it right before its step next, whatever the delivery
// model says.
func (o *Order) Accepts(next, m int32, accepts Acceptance) bool {
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
func (o *Order) guessed(next, m int32, msg *trace.Message, accepts Acceptance) bool {
	if next < 0 || accepts == nil || !queued(msg.Kind) {
		return false
	}
	_, known := accepts(int32(o.first)+next, m)
	return !known
}

// busy reports whether an actor was in the middle of a handler before event i.
func (o *Order) busy(actor, i int32) bool {
	for i--; i >= 0; i-- {
		if o.Actor(i) == actor && o.Step(i).Kind != trace.Send {
			return !o.Completed(i)
		}
	}
	return false
}

// inCall reports whether the actor of step i was in the middle of a handler before it.
func (o *Order) inCall(i int32) bool {
	own := o.events[i].own
	return own >= 0 && !o.Completed(own)
}

// Stopped reports whether an actor has stopped.
func (o *Order) Stopped(actor int32) bool {
	for k := o.heads[o.of(actor).life]; k >= 0; k = o.accesses[k].before {
		if o.accesses[k].write {
			return true
		}
	}
	return false
}

// systemPending reports whether a system message keeps m back at its receiver before event i, if m has arrived there.
func (o *Order) systemPending(i, m int32) bool {
	return len(o.system) > 0 && o.before(i).AfterSystem(m)
}
