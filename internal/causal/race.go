package causal

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Acceptance tells whether the receiver of message m would have handled it right before the event with this index in the trace, a
// step of that actor. known is false if nobody can tell.
type Acceptance func(event, m int32) (accepts, known bool)

// Races calls f for every event i that could have come after event e instead of before: the two depend on each other, nothing lies
// between them in happens-before that could not be left out, e does not need i, and e could have been taken before i.
//
// A step that hands a user message over could be taken before an earlier step of its receiver if its message had arrived, the
// delivery model lets it, and the receiver would have accepted it then; where the receiver refuses, the race is with an earlier
// step. (In the mailbox models the order of arrival decides, so races are between arrivals.)
//
// f reports whether e can indeed be moved there; if not, an earlier step of the receiver is looked for.
func (o *Order) Races(e int32, accepts Acceptance, f func(i int32) bool) {
	s := o.Step(e)
	ev := &o.events[e]
	if s.Kind == trace.Advance {
		if !o.event(e).Auto {
			o.maximal(e, f)
		}
		return
	}
	chain := int32(-1)
	if o.takes(e) {
		chain = o.of(s.Actor).chain
		k := ev.accesses
		for o.accesses[k].object != chain {
			k++
		}
		o.displaced(taking{m: s.Message, e: e, parent: ev.parent, barrier: ev.barrier}, o.accesses[k].before, accepts, f)
	}
	for k := ev.accesses; k < o.accessEnd(e); k++ {
		if o.accesses[k].object == chain {
			continue
		}
		o.eachColliding(k, e, func(i int32) {
			if !o.own(i, e) && o.immediate(i, e) {
				f(o.events[i].head)
			}
		})
	}
	if b := ev.barrier; b >= 0 && !o.event(b).Auto && o.immediate(b, e) {
		f(b)
	}
}

// taking is the handling of message m, whether it happened (as event e) or not (e is -1).
type taking struct {
	m, e, parent int32
	barrier      int32 // the last advance of the clock before; nothing moves over it
}

// displaced finds the steps of m's receiver that m could have been handled before, walking back along the receiver's chain from an
// access. Of two of them neither happens before the other; but where steps are declared, each depends on all before it, and there is one.
//
//	invariants: settled holds steps that m is not moved over, so that no step before one of them is looked at; passed those that m is
//	            moved over though it is not before them that it is moved
func (o *Order) displaced(t taking, access int32, accepts Acceptance, f func(i int32) bool) {
	msg := &o.tr.Messages[t.m]
	var room [2][4]int32
	settled, passed := room[0][:0], room[1][:0]
	next := int32(-1) // the step of the receiver after the one that is looked at
	for ; access >= 0; access = o.accesses[access].before {
		at := &o.accesses[access]
		i := o.events[at.event].head
		mine := o.Step(i).Actor == msg.Receiver && o.Step(i).Kind != trace.Timer
		if mine {
			next = i
		}
		if i <= t.barrier {
			return
		}
		if o.beforeAny(i, settled) || o.apart(at, &t) {
			continue
		}
		over := false
		switch {
		case t.parent >= 0 && (i == o.events[t.parent].head || o.Before(i, t.parent)), t.e >= 0 && !o.beforeAny(i, passed) && o.belowOther(i, t.e):
		case mine && o.unrelated(i, t): // the call that m could have ended was over by then
			over = true
		case mine && o.renewed(i) && o.ordered(i, t.m): // but it was not there all the time
			over = true
		case mine && msg.Class == trace.System && o.goesOnPast(i, t.m): // the question is where its handler began
			over = true
		case mine && o.Step(i).Kind == trace.Send: // of a handler; whether m could have come before that is the question
			over = true
		case mine && (o.fixed(i, t.m) || o.ordered(i, t.m)):
		default:
			over = !(next < 0 && t.e >= 0 && (!o.systemPending(i, t.m) || o.passes(i, t.m)) && f(i) || // as it did later
				o.wouldAccept(i, next, t.m, msg, accepts) && f(i) && !o.guessed(next, t.m, msg, accepts))
		}
		if over {
			passed = append(passed, i)
		} else if at.write {
			return // all others are before it
		} else {
			settled = append(settled, i)
		}
	}
}

// beforeAny reports whether step i is, or happens before, one of the others.
func (o *Order) beforeAny(i int32, others []int32) bool {
	for _, k := range others {
		if i == k || o.Before(i, k) {
			return true
		}
	}
	return false
}

// belowOther reports whether i, the step of e's actor before e, also happens before another direct predecessor of e: then that one's race
// comes first. SUBTLE: behind a step that e cannot be moved before, the other's race may be hidden by that step, and i's is the only one.
func (o *Order) belowOther(i, e int32) bool {
	chain, below := o.of(o.Step(e).Actor).chain, false
	for k := o.events[e].accesses; k < o.accessEnd(e) && !below; k++ {
		if o.accesses[k].object != chain {
			o.eachColliding(k, e, func(p int32) { below = below || o.events[p].head != i && o.Before(i, p) })
		}
	}
	return below
}

// fixed reports whether the order between step i of an actor and the handling of m is not decided by the order of the two.
func (o *Order) fixed(i, m int32) bool {
	s, msg := o.Step(i), &o.tr.Messages[m]
	switch {
	case msg.Class == trace.System:
		// What is exempt is taken beside it; other messages were taken because it had not arrived, or passed it.
		return o.systemStep(i) || o.queues() && s.Kind != trace.Resume && !o.freeReply(i) && !o.passed(i, m)
	case !o.queues() || o.handlesSystem(i):
		return false
	case s.Kind == trace.Resume || msg.Class == trace.Task, o.freeReply(i), o.freeAnswer(m):
		return false
	case msg.Class == trace.Answer || msg.Class == trace.Timeout:
		// Both may end a call.
		return !o.endsCall(i)
	}
	return true
}

// unrelated reports whether step i of an actor, in a mailbox model, has nothing to do with when the actor could have taken m, a reply or a
// timeout that came too late for its call.
func (o *Order) unrelated(i int32, t taking) bool {
	if !o.queues() || t.e >= 0 || o.systemStep(i) {
		return false
	}
	switch o.tr.Messages[t.m].Class {
	case trace.Answer:
		return !o.endsCall(i) && !o.freeReply(i) && !o.freeAnswer(t.m)
	case trace.Timeout:
		by := o.cancelledBy(t.m)
		return by >= 0 && o.events[by].head != i
	}
	return false
}

// cancelledBy gives the event that took timeout m back, -1 if none did.
func (o *Order) cancelledBy(m int32) int32 {
	for e := range o.events {
		if slices.Contains(o.event(int32(e)).Cancelled, m) {
			return int32(e)
		}
	}
	return -1
}

// endsCall reports whether step i ended a call, by a reply or its timeout; another timer's timeout may be what a Receive waited for.
func (o *Order) endsCall(i int32) bool {
	s := o.Step(i)
	return o.inCall(i) && (s.Kind == trace.Reply || s.Message >= 0 && o.tr.Messages[s.Message].EndsCall)
}

// freeReply reports whether event i hands a reply to an actor that does not wait for one: it becomes the value of a future, at any time.
func (o *Order) freeReply(i int32) bool { return o.Step(i).Kind == trace.Reply && !o.inCall(i) }

// freeAnswer reports whether m is a reply that was handed over in that way.
func (o *Order) freeAnswer(m int32) bool {
	if o.tr.Messages[m].Class != trace.Answer {
		return false
	}
	for k := o.heads[o.of(o.tr.Messages[m].Receiver).chain]; k >= 0; k = o.accesses[k].before {
		if e := o.accesses[k].event; o.Step(e).Kind == trace.Reply && o.Step(e).Message == m {
			return o.freeReply(e)
		}
	}
	return false
}

// handlesSystem reports whether step i runs the handler of a system message, from its beginning or on from a call in which that waited: what
// it overtook waits for all of it.
func (o *Order) handlesSystem(i int32) bool {
	for i >= 0 && (o.Step(i).Kind == trace.Send || o.endsCall(i)) {
		i = o.events[i].own
	}
	return i >= 0 && o.systemStep(i)
}

func (o *Order) systemStep(i int32) bool {
	m := o.Step(i).Message
	return m >= 0 && o.tr.Messages[m].Class == trace.System && o.Step(i).Kind == trace.Deliver
}

// wouldAccept reports whether the receiver would have taken m right before event i, which is its own step or the arrival of a system
// message; next is its first own step from there on, -1 if there is none.
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
	if accepts != nil {
		if ok, known := accepts(int32(o.first)+next, m); known {
			return ok
		}
	}
	return !o.endsCall(next) || msg.Class == trace.Answer || msg.Class == trace.Timeout
}

// guessed reports whether nobody could tell that the receiver would have accepted m before its step next: if it refuses, the race is with an
// earlier step, which is looked for as well.
func (o *Order) guessed(next, m int32, msg *trace.Message, accepts Acceptance) bool {
	if next < 0 || accepts == nil || !queued(msg.Class) {
		return false
	}
	_, known := accepts(int32(o.first)+next, m)
	return !known
}

// busy reports whether an actor was in the middle of a handler before event i.
func (o *Order) busy(actor, i int32) bool {
	for i--; i >= 0; i-- {
		if s := o.Step(i); s.Actor == actor && s.Kind != trace.Timer && s.Kind != trace.Send && s.Kind != trace.Advance {
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

// systemPending reports whether a system message kept m back at its receiver before event i: one that had arrived, before m if m is one
// too, and was not handled then.
func (o *Order) systemPending(i, m int32) bool {
	msg := &o.tr.Messages[m]
	if o.exempt(msg) {
		return false
	}
	for _, other := range o.system {
		if other == m || o.tr.Messages[other].Receiver != msg.Receiver || msg.Class == trace.System && o.arrivedAfter(other, m) {
			continue
		}
		if o.Arrival(other) < i && !o.handledBefore(other, i) {
			return true
		}
	}
	return false
}

// exempt reports whether a message is handed over without regard to system messages that arrived.
func (o *Order) exempt(msg *trace.Message) bool {
	return msg.EndsCall || msg.Class != trace.User && msg.Class != trace.System && !(msg.Class == trace.Timeout && o.queues())
}

// arrivedAfter reports whether message m reached its receiver after message n; of two of one step the one that was sent later.
func (o *Order) arrivedAfter(m, n int32) bool {
	x, y := o.Arrival(m), o.Arrival(n)
	return x > y || x == y && m > n
}

func (o *Order) handledBefore(m, i int32) bool {
	receiver := o.tr.Messages[m].Receiver
	for k := o.heads[o.of(receiver).chain]; k >= 0; k = o.accesses[k].before {
		if e := o.accesses[k].event; e < i && o.Step(e).Message == m && o.Step(e).Kind == trace.Deliver {
			return true
		}
	}
	return false
}

// Reorders reports whether turning the race of i and e round changes the order of the steps of e's actor, and so what e does.
func (o *Order) Reorders(i, e int32) bool {
	if !o.takes(e) {
		return false
	}
	chain := o.of(o.Step(e).Actor).chain
	for _, a := range o.accesses[o.events[i].accesses:o.accessEnd(i)] {
		if a.object == chain {
			return true
		}
	}
	return false
}

// takes reports whether event e takes a message out of what its actor has before it.
func (o *Order) takes(e int32) bool {
	k := o.Step(e).Kind
	return k == trace.Deliver || k == trace.Reply || k == trace.Resume
}

// own reports whether event i is a step of the actor of event e.
func (o *Order) own(i, e int32) bool {
	s, t := o.Step(i), o.Step(e)
	return s.Actor == t.Actor && s.Kind != trace.Timer && t.Kind != trace.Timer
}

// immediate reports whether the macro-step of i, a direct predecessor of e, is below no other one of the macro-step of e up to there, and
// not what e needs.
func (o *Order) immediate(i, e int32) bool {
	mine, head := o.events[i].head, o.events[e].head
	if parent := o.events[head].parent; parent >= 0 && o.events[parent].head == mine {
		return false
	}
	ok := true
	for g := head; g <= e && ok; g++ {
		o.eachDirect(g, func(p int32) {
			if h := o.events[p].head; h != mine && h != head {
				ok = ok && !o.Before(mine, p)
			}
		})
	}
	return ok
}

// maximal calls f for the events before e that happen before no other one before e.
func (o *Order) maximal(e int32, f func(i int32) bool) {
	for i := e - 1; i >= 0; i-- {
		top := true
		for k := i + 1; k < e && top; k++ {
			top = !o.Before(i, k)
		}
		if top {
			f(o.events[i].head)
		}
	}
}

func (o *Order) event(i int32) *trace.Event { return &o.tr.Events[o.first+int(i)] }

// EachCollision calls f for every event before e that depends on it.
func (o *Order) EachCollision(e int32, f func(u int32)) {
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		for b := o.accesses[k].before; b >= 0; b = o.accesses[b].before {
			if o.accesses[k].write || o.accesses[b].write {
				f(o.accesses[b].event)
			}
		}
	}
}

// Collide reports whether one of the events [a, b) depends on one of the events [c, d).
func (o *Order) Collide(a, b, c, d int32) bool {
	for _, x := range o.accesses[o.events[a].accesses:o.accessEnd(b-1)] {
		for _, y := range o.accesses[o.events[c].accesses:o.accessEnd(d-1)] {
			if x.object == y.object && (x.write || y.write) {
				return true
			}
		}
	}
	return false
}

// EachBeforeOnChain calls f for the steps of the receiver of m, which was not handled, and the arrivals of its system messages.
func (o *Order) EachBeforeOnChain(m int32, f func(u int32)) {
	for k := o.heads[o.of(o.tr.Messages[m].Receiver).chain]; k >= 0; k = o.accesses[k].before {
		f(o.accesses[k].event)
	}
}

// Takes reports whether event e takes a message out of what its actor has before it.
func (o *Order) Takes(e int32) bool { return o.takes(e) }

// Event is event i of the trace.
func (o *Order) Event(i int32) *trace.Event { return o.event(i) }

// Fixed reports whether the order between step i of an actor and the handling of message m by it is decided otherwise: by the order
// in which messages arrive.
func (o *Order) Fixed(i, m int32) bool { return o.fixed(i, m) || o.ordered(i, m) }

// KeepsBack reports whether m could not be handled before step i of its receiver although it had arrived.
func (o *Order) KeepsBack(i, m int32) bool {
	s, msg := o.Step(i), &o.tr.Messages[m]
	return s.Actor == msg.Receiver && s.Kind != trace.Timer && (o.systemStep(i) && !o.exempt(msg) && !o.passes(i, m) || o.endsCall(i) || o.fixed(i, m))
}

// WouldTake reports whether the receiver of m would have handled it right before event i, its own step or the arrival of a system
// message; next is its first own step from there on, -1 if there is none.
func (o *Order) WouldTake(i, next, m int32, accepts Acceptance) bool {
	return o.wouldAccept(i, next, m, &o.tr.Messages[m], accepts)
}

// SystemStep reports whether event i handles a system message.
func (o *Order) SystemStep(i int32) bool { return o.systemStep(i) }

// OnChain reports whether one of the events [a, b) is a step of the actor or brings it a system message.
func (o *Order) OnChain(a, b, actor int32) bool {
	chain := o.of(actor).chain
	for _, x := range o.accesses[o.events[a].accesses:o.accessEnd(b-1)] {
		if x.object == chain {
			return true
		}
	}
	return false
}

// EachForeign calls f for every event before e that depends on it, is a step of another actor, and is the same for it wherever a message
// arrives in its mailbox: one of the two sends the other's actor a system message, or stops and so makes the other's send a dead letter,
// or both reach the same object and one changes it. An event may come more than once.
func (o *Order) EachForeign(e int32, f func(u int32)) {
	if o.Step(e).Kind == trace.Timer {
		return
	}
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		if o.queues() && o.isBox(o.accesses[k].object) {
			continue
		}
		for b := o.accesses[k].before; b >= 0; b = o.accesses[b].before {
			u := o.accesses[b].event
			if (o.accesses[k].write || o.accesses[b].write) && o.Step(u).Kind != trace.Timer && o.Step(u).Actor != o.Step(e).Actor {
				f(u)
			}
		}
	}
}

func (o *Order) isBox(object int32) bool {
	for i := range o.actors {
		if a := &o.actors[i]; a.box == object && a.id != (trace.ID{}) {
			return true
		}
	}
	return false
}
