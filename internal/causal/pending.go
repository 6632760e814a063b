package causal

import "github.com/rehearse-go/rehearse/trace"

// Pending calls f for the messages that had arrived, or were sent to an actor that had stopped, and were not handled before event
// end: they take part in races as steps that did not happen. Left out are those that the delivery model holds back behind another
// such one.
func (o *Order) Pending(end int32, f func(m int32)) {
	p := o.Sweep()
	p.Pending(end, f)
}

// Sweep answers Pending for one end after the other. Where the clock advances a thousand times, all messages would be looked at a
// thousand times.
//
//	assumes:    messages are numbered in the order in which they were sent; no event is added meanwhile
//	invariants: left holds the messages below next that were not handled before the last end
type Sweep struct {
	o       *Order
	handled []int32 // by message: the index in the trace of the event that handles it first
	left    []int32
	next    int32
	pending []int32
}

// Sweep makes a Sweep of the events that there are.
func (o *Order) Sweep() *Sweep {
	p := &Sweep{o: o, handled: make([]int32, len(o.tr.Messages))}
	for m := range p.handled {
		p.handled[m] = int32(len(o.tr.Events))
	}
	for e := range o.tr.Events[:o.first+len(o.events)] {
		s := &o.tr.Events[e].Step
		if s.Message >= 0 && s.Kind != trace.Send && s.Kind != trace.Timer && s.Fault() != trace.Duplicate {
			p.handled[s.Message] = min(p.handled[s.Message], int32(e))
		}
	}
	return p
}

// Pending is that of the Order, for an end that is not before the last one.
func (p *Sweep) Pending(end int32, f func(m int32)) {
	o, limit := p.o, int32(p.o.first)+end
	for ; int(p.next) < len(p.handled) && o.tr.Messages[p.next].SentBy < limit; p.next++ {
		p.left = append(p.left, p.next)
	}
	p.pending = p.pending[:0]
	kept := p.left[:0]
	for _, m := range p.left {
		if p.handled[m] < limit {
			continue
		}
		kept = append(kept, m)
		if o.tr.Messages[m].Class.Handled() && o.arrivedBefore(m, end) {
			p.pending = append(p.pending, m)
		}
	}
	p.left = kept
	for _, m := range p.pending {
		if !o.held(m, p.pending) {
			f(m)
		}
	}
}

// arrivedBefore reports whether message m reached its receiver before event end. A timeout reaches it when its timer may fire.
func (o *Order) arrivedBefore(m, end int32) bool {
	msg := &o.tr.Messages[m]
	at := o.Arrival(m)
	if at >= end || int(msg.SentBy) >= o.first+int(end) {
		return false
	}
	switch {
	case msg.Class == trace.Timeout && o.queues():
		return at >= 0 && o.event(at).Released == m || o.tr.Events[o.tr.StepOf(msg.SentBy)].Step.Kind == trace.Advance && !msg.Timed
	case msg.Class == trace.Timeout && !o.async:
		return at >= 0 && o.isBarrier(at)
	case o.model == trace.Mailbox && at >= 0 && at == msg.SentBy-int32(o.first):
		return o.event(at).Released == m || msg.AtOnce || msg.Renews >= 0
	}
	return true
}

// held reports whether the delivery model holds m back behind another of the messages that are left.
func (o *Order) held(m int32, left []int32) bool {
	for _, other := range left {
		if other == m {
			continue
		}
		if o.Ordered(other, m) {
			return true
		}
	}
	return false
}

// oldest makes of an acceptance one under the mailbox models, which hand over the oldest message that is accepted. Without an acceptance all are.
// SUBTLE: where nobody knows whether an older one would have been taken, nobody knows whether m was the one to take.
func (o *Order) oldest(accepts Acceptance) Acceptance {
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
		for other := range int32(len(o.tr.Messages)) {
			if !o.queuedBefore(other, m, event-int32(o.first)) {
				continue
			}
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

// queuedBefore reports whether before event i both messages were in the same mailbox, the first before the second.
func (o *Order) queuedBefore(first, second, i int32) bool {
	x, y := &o.tr.Messages[first], &o.tr.Messages[second]
	if first == second || x.Receiver != y.Receiver || !queued(x.Class) || !queued(y.Class) || !o.arrivedBefore(first, i) || o.handledBefore(first, i) {
		return false
	}
	a, b := o.Arrival(first), o.Arrival(second)
	return (a < b || a == b && first < second) && !o.lost(first)
}

// queued reports whether messages of the class pass through the mailbox, under the models that have one.
func queued(c trace.Class) bool { return c == trace.User || c == trace.Timeout }

// RacesOfPending calls f for every event that message m, one of Pending(end), could have been handled before.
func (o *Order) RacesOfPending(m, end int32, accepts Acceptance, f func(i int32) bool) {
	msg := &o.tr.Messages[m]
	access := o.heads[o.of(msg.Receiver).chain]
	for access >= 0 && o.accesses[access].event >= end {
		access = o.accesses[access].before
	}
	t := taking{m: m, e: -1, parent: o.Arrival(m), barrier: -1}
	if end > 0 {
		t.barrier = o.events[end-1].barrier
		if o.isBarrier(end - 1) {
			t.barrier = end - 1
		}
	}
	o.displaced(t, access, o.oldest(accepts), f)
}

// CancelledFirings calls f for every timer that could have fired before event i, which cancelled it: under the mailbox models firing
// is a step.
func (o *Order) CancelledFirings(i int32, f func(timeout int32)) {
	if !o.queues() {
		return
	}
	for _, m := range o.event(i).Cancelled {
		if at := o.Arrival(m); at < o.Head(i) && (at < 0 || o.Step(at).Kind != trace.Timer) {
			f(m)
		}
	}
}
