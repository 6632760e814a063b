package causal

import "github.com/rehearse-go/rehearse/trace"

// Pending calls f for the messages that had arrived, or were sent to an actor that had stopped, and were not handled
// before event end. They take part in races as steps that did not happen. A message is left out if the delivery model
// holds it back behind another pending one.
func (o *receives) Pending(end int32, f func(m int32)) {
	var pending []int32
	at := o.before(end)
	at.EachLeft(func(m int32) {
		if !at.Behind(m) {
			pending = append(pending, m)
		}
	})
	for _, m := range pending { // f may move the cursor
		f(m)
	}
}

// oldest wraps an acceptance for the mailbox models, which hand over the oldest message that is accepted. So m is
// accepted only if no older message is. Without an acceptance every message counts as accepted. SUBTLE: where nobody
// knows whether an older one would have been taken, nobody knows whether m was the one to take.
func (o *receives) oldest(accepts Acceptance) Acceptance {
	if !o.queues() {
		return accepts
	}
	if accepts == nil {
		accepts = func(int32, int32) (bool, bool) { return true, true }
	}
	return func(event, m int32) (bool, bool) {
		ok, known := accepts(event, m)
		if known && !ok {
			return false, true
		}
		for _, other := range o.before(event - int32(o.first)).Older(m) {
			switch older, sure := accepts(event, other); {
			case !sure:
				known = false
			case older:
				return false, true
			}
		}
		return true, known
	}
}

// queued reports whether messages of the class pass through the mailbox, under the models that have one.
func queued(c trace.MessageKind) bool { return c == trace.User || c == trace.Timeout }

// CancelledFirings calls f for every timer that could have fired before event i, which cancelled it: under the mailbox
// models firing is a step.
func (o *receives) CancelledFirings(i int32, f func(timeout int32)) {
	if !o.queues() {
		return
	}
	for _, m := range o.Event(i).Cancelled {
		if at := o.Arrival(m); at < o.Head(i) && (at < 0 || o.Step(at).Kind != trace.Timer) {
			f(m)
		}
	}
}
