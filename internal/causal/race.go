package causal

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// Races calls f for every event i that is in a race with the later event e: lines S5 and O3. The two depend on each
// other, and nothing lies between them in happens-before that could not be left out. Further e does not need i, and e
// could have been taken before i. So the reversal is a beginning of an execution (L2).
//
// A step that hands a user message over could be taken before an earlier step of its receiver if its message had
// arrived. The delivery model must let it, and the receiver would have accepted it then. Where the receiver refuses,
// the race is with an earlier step. (In the mailbox models the order of arrival decides, so races are between
// arrivals.)
//
// f reports whether e can indeed be moved there; if not, an earlier step of the receiver is looked for. It may be
// called for an advance of the clock that was no choice.
func (o *Order) Races(e int32, accepts Acceptance, f func(i int32) bool) {
	s := o.Step(e)
	ev := &o.events[e]
	if s.Kind == trace.Advance {
		if !o.Event(e).Auto {
			o.maximal(e, f)
		}
		return
	}
	k := ev.accesses
	if o.Takes(e) { // its first access is to its actor's sequence of steps
		o.displaced(handling{m: s.Message, e: e, parent: ev.parent, barrier: ev.barrier}, o.accesses[k].before, accepts, f)
		k++
	}
	for ; k < o.accessEnd(e); k++ {
		o.eachColliding(k, e, func(i int32) {
			if !o.own(i, e) && o.immediate(i, e) {
				f(o.events[i].head)
			}
		})
	}
	if b := ev.barrier; b >= 0 {
		if b = o.events[b].head; b != ev.head && o.immediate(b, e) {
			f(b)
		}
	}
}

// handling is that of message m, whether it happened (as event e) or not (e is -1).
type handling struct {
	m, e, parent int32
	barrier      int32 // the last advance of the clock before; nothing moves over it
}

// displaced finds the steps of m's receiver that m could have been handled before. It walks back along the receiver's
// chain from an access. Steps of an actor depend on each other, so there is one, the latest that will do. Where effects
// are declared there may be several, of which none happens before another.
//
//	invariants: settled holds steps that m is not moved over, so no step that happens before one of them is looked at.
//	            passed holds steps that m is moved over on the way to an earlier one
func (o *Order) displaced(t handling, access int32, accepts Acceptance, f func(i int32) bool) {
	msg := &o.tr.Messages[t.m]
	var room [2][4]int32
	settled, passed := room[0][:0], room[1][:0]
	next := int32(-1) // the step of the receiver after the one that is looked at
	for ; access >= 0; access = o.accesses[access].before {
		o.walked++
		at := &o.accesses[access]
		i := o.events[at.event].head
		mine := o.Actor(i) == msg.Receiver
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
		case t.parent >= 0 && (i == o.events[t.parent].head || o.Before(i, t.parent)), t.e >= 0 && !o.beforeAny(i, passed) &&
			o.belowOther(i, t.e):
		case mine && o.unrelated(i, t): // the call that m could have ended was over by then
			over = true
		case mine && o.renewed(i) && o.ordered(i, t.m): // but it was not there all the time
			over = true
		case mine && msg.Kind == trace.System && o.goesOnPast(i, t.m): // the question is where its handler began
			over = true
		case mine && (msg.Kind == trace.User || msg.Kind == trace.System) && o.goesOnFromTask(i):
			// here, too: a task is taken beside m
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

// belowOther reports whether i, the step of e's actor before e, also happens before another direct predecessor of e.
// Then that one's race comes first. SUBTLE: a step that e cannot be moved before may hide the other's race. Then i's is
// the only one.
func (o *Order) belowOther(i, e int32) bool {
	chain, below := o.of(o.Step(e).Actor).chain, false
	for k := o.events[e].accesses; k < o.accessEnd(e) && !below; k++ {
		if o.accesses[k].object != chain {
			o.eachColliding(k, e, func(p int32) { below = below || o.events[p].head != i && o.Before(i, p) })
		}
	}
	return below
}

// fixed reports whether the order between step i of an actor and the handling of m is not decided by the order of the
// two. That is about two steps in all executions of a class, and not about what waits at one point, so package delivery
// has no rule for it (docs/decisions/0029).
func (o *Order) fixed(i, m int32) bool {
	if !o.queues() || o.Step(i).Kind == trace.Resume || o.FreeReply(i) {
		return false // what is exempt is taken beside others
	}
	switch o.tr.Messages[m].Kind {
	case trace.System:
		// Other messages were taken because it had not arrived, or passed it. Another system message that was taken first
		// had arrived first. Where it waits m is not accepted (systemPending), so that its step needs no word here.
		return !o.passed(i, m)
	case trace.Task:
		return false
	case trace.Answer, trace.Timeout:
		// Both may end a call.
		return !o.endsCall(i) && !o.handlesSystem(i) && !o.freeAnswer(m)
	}
	return !o.handlesSystem(i)
}

// unrelated reports whether step i of an actor, in a mailbox model, says nothing about when the actor could have taken
// m. Here m is a reply or a timeout that came too late for its call.
func (o *Order) unrelated(i int32, t handling) bool {
	if !o.queues() || t.e >= 0 || o.SystemStep(i) {
		return false
	}
	switch o.tr.Messages[t.m].Kind {
	case trace.Answer:
		return !o.endsCall(i) && !o.FreeReply(i)
	case trace.Timeout:
		by := o.cancelledBy(t.m)
		return by >= 0 && o.events[by].head != i
	}
	return false
}

// Reorders reports whether reversing the race of i and e changes the order of the steps of e's actor. Then the actor is
// in another state where e is moved to, and nobody knows what e does there.
func (o *Order) Reorders(i, e int32) bool {
	if !o.Takes(e) {
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

// immediate reports whether nothing lies between the macro-steps of i and e in happens-before, and e does not need i. i
// is a direct predecessor of e. Only what the macro-step of e did up to e counts.
func (o *Order) immediate(i, e int32) bool {
	mine, head := o.events[i].head, o.events[e].head
	if parent := o.events[head].parent; parent >= 0 && o.events[parent].head == mine {
		return false
	}
	ok := true
	for g := head; g <= e && ok; g++ {
		o.EachDirect(g, func(p int32) {
			if h := o.events[p].head; h != mine && h != head {
				ok = ok && !o.Before(mine, p)
			}
		})
	}
	return ok
}

// maximal calls f for the events before e that happen before no other one before e.
func (o *Order) maximal(e int32, f func(i int32) bool) {
	below := bitset.Packed{}.Emptied(int(e)) // the maximal ones so far and what happens before them
	for i := e - 1; i >= 0; i-- {
		if !below.Has(i) {
			below.AddAll(&o.events[i].past)
			below.Add(i)
			f(o.events[i].head)
		}
	}
}

// Fixed reports whether the order between step i of an actor and the handling of message m by it is decided by the
// order in which messages arrive. Then the two are no race: the arrivals are.
func (o *Order) Fixed(i, m int32) bool { return o.fixed(i, m) || o.ordered(i, m) }

// KeepsBack reports whether m could not be handled before step i of its receiver although it had arrived.
func (o *Order) KeepsBack(i, m int32) bool {
	return o.Actor(i) == o.tr.Messages[m].Receiver &&
		(o.SystemStep(i) && o.lane(m) != delivery.Exempt && !o.passes(i, m) || o.endsCall(i) || o.fixed(i, m))
}

// WouldTake reports whether the receiver of m would have handled it right before event i, its own step or the arrival
// of a system message. Next is its first own step from there on, -1 if there is none.
func (o *Order) WouldTake(i, next, m int32, accepts Acceptance) bool {
	return o.wouldAccept(i, next, m, &o.tr.Messages[m], accepts)
}

// apart reports whether a step of t's receiver, at an access of its chain that only reads that, is independent of t.
func (o *Order) apart(at *access, t *handling) bool {
	switch {
	case at.write:
		return false
	case t.e >= 0:
		return !o.Collide(at.event, at.event+1, t.e, t.e+1)
	}
	return !o.DependsOn(at.event, o.Handling(t.m))
}

// Passing reports whether event e takes a user message and could have come before a step of its actor that takes a
// system message, or the other way round.
func (o *Order) Passing(e int32, accepts Acceptance) bool {
	found := false
	if s := o.Step(e); s.Kind == trace.Deliver && len(o.system) > 0 {
		system := o.SystemStep(e)
		o.Races(e, accepts, func(i int32) bool {
			found = found || o.own(i, e) && o.Step(i).Kind == trace.Deliver && o.SystemStep(i) != system
			return true
		})
	}
	return found
}

// CouldPass reports whether message m, which was not handled, could have passed a system message.
func (o *Order) CouldPass(m int32, accepts Acceptance) bool {
	found := false
	if queued(o.tr.Messages[m].Kind) && len(o.system) > 0 {
		o.RacesOfPending(m, int32(len(o.events)), accepts, func(i int32) bool {
			found = found || o.SystemStep(i) && o.Step(i).Actor == o.tr.Messages[m].Receiver
			return true
		})
	}
	return found
}

// RacesOfPending calls f for every event that message m, one of Pending(end), could have been handled before.
func (o *Order) RacesOfPending(m, end int32, accepts Acceptance, f func(i int32) bool) {
	msg := &o.tr.Messages[m]
	access := o.heads[o.of(msg.Receiver).chain]
	for access >= 0 && o.accesses[access].event >= end {
		access = o.accesses[access].before
	}
	t := handling{m: m, e: -1, parent: o.Arrival(m), barrier: o.advanced(end)}
	o.displaced(t, access, o.oldest(accepts), f)
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
