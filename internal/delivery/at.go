package delivery

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// At is a cursor over a record: a point between two of its events, with what has arrived there and was not handled.
// It moves event by event and takes moves back, so that questions about points near each other cost little. It writes
// nothing to the record.
//
// What waits at a point is a function of the record: of what its events have sent, released, handled and cancelled.
//
//	source:     the rules of rules.go, applied to events
//	differs:    the record does not tell when an actor takes no more messages, nor whether somebody still waits for an
//	            answer. A Host tells both. A message that was captured out of turn (Pool.SendNext, Pool.Behind) counts
//	            as the last one of its sender until it is released
//	assumes:    an event is taken after those that happen before it
//	invariants: I1 a move and its undoing leave all as it was
//	            I2 Enabled gives the steps that the pool gave there, if its Host is the one that the pool had. What is
//	            left out: asynchronous timers that were cancelled in set-up, which no event tells
//	cost:       a move: the messages of the event. Memory: what waits, and 16 bytes a change
//	checked by: at_test.go; internal/tests/agree (at_test.go) against the pools of random programs
type At struct {
	pool    Pool
	async   bool // timeouts may be handled as soon as their timers are set
	moves   []move
	inOrder int     // so many of the moves, from the first, are in the order of the record
	known   int     // the pasts of what the first so many events have sent are there
	open    []bool  // by actor: it is in the middle of a handler
	gone    []int32 // messages that waited and were cancelled
}

// move is what there was before an event, beyond what the pool knows.
type move struct {
	mark  int
	gone  int
	actor int32 // whose state it changed, -1 if none
	open  bool  // what that was
}

// Reset puts the cursor at the beginning of a record.
func (a *At) Reset(model trace.Model, timers trace.TimerMode, tr *trace.Trace) {
	a.pool.Reset(model, tr)
	a.pool.Remember()
	a.async = timers == trace.Async && !model.Queues()
	a.moves, a.open, a.gone, a.inOrder, a.known = a.moves[:0], a.open[:0], a.gone[:0], 0, 0
}

// Reads says where the record is from now on. It agrees with the one before up to the cursor.
func (a *At) Reads(tr *trace.Trace) { a.pool.tr = tr }

// To moves the cursor to before the event with this index, behind all those before it and no others.
func (a *At) To(index int) {
	for len(a.moves) > min(index, a.inOrder) {
		a.Back()
	}
	for len(a.moves) < index {
		a.Take(int32(len(a.moves)))
	}
	a.known = max(a.known, index)
}

// Cut forgets the event with this index and those behind it, since they have changed. The cursor goes back to before
// them.
func (a *At) Cut(index int) {
	for len(a.moves) > min(index, a.inOrder) {
		a.Back()
	}
	a.known = min(a.known, index)
}

// Back takes the last move back.
func (a *At) Back() {
	m := &a.moves[len(a.moves)-1]
	a.pool.Back(m.mark)
	a.gone = a.gone[:m.gone]
	if m.actor >= 0 {
		a.open[m.actor] = m.open
	}
	a.moves = a.moves[:len(a.moves)-1]
	a.inOrder = min(a.inOrder, len(a.moves))
}

// Take moves the cursor over an event, which need not be the next one of the record. Nothing that happens before it
// is left out.
func (a *At) Take(event int32) {
	p, e := &a.pool, &a.pool.tr.Events[event]
	s := &e.Step
	if int(event) == len(a.moves) && a.inOrder == len(a.moves) {
		a.inOrder++
	}
	a.moves = append(a.moves, move{mark: p.Mark(), gone: len(a.gone), actor: -1})
	for int(s.Actor) >= len(a.open) {
		a.open = append(a.open, false)
	}
	switch {
	case s.Kind == trace.Send:
		a.release(s.Actor, e.Released)
	case s.Kind == trace.Timer:
		a.post(e.Released)
	case s.Kind.Handles():
		p.Deliver(s.Message)
		if a.open[s.Actor] {
			p.Look(s.Actor) // the handler goes on, also after an answer
		}
	case s.Fault() == trace.Drop:
		p.take(s.Message)
	}
	a.effects(event, e)
	a.settle(e)
	if int(event) == p.tr.Explored-1 {
		a.explore()
	}
}

// release takes what actor releases.
func (a *At) release(actor, m int32) {
	p := &a.pool
	if by := p.Holder(m); by >= 0 {
		p.release(by, slices.Index(p.boxes[by].queues[held], m))
	} else {
		a.post(m)
	}
	p.Look(actor)
}

// post has a message arrive that no handler sends.
func (a *At) post(m int32) {
	if a.pool.model == trace.Causal {
		a.pool.noteSendIn(a.pool.tr.Messages[m].Sender, m)
	}
	a.pool.post(m)
}

// effects applies what an event does besides taking its message: the messages that it sends, the timers that become due
// in it, and those that it cancels.
func (a *At) effects(event int32, e *trace.Event) {
	p := &a.pool
	for _, m := range e.Sent {
		if p.tr.Messages[m].Renews < 0 {
			a.send(event, m)
		}
	}
	for i := len(e.Sent) - 1; i >= 0; i-- {
		if m := e.Sent[i]; p.tr.Messages[m].Renews >= 0 {
			p.putBack(m)
		}
	}
	if !p.model.Queues() { // else their timers fire in a step
		for _, m := range e.Due {
			a.post(m)
		}
	}
	for _, m := range e.Cancelled {
		if p.take(m) {
			a.gone = append(a.gone, m)
		}
	}
}

// send applies one send of an event. The message is captured, or it arrives at once.
func (a *At) send(event, m int32) {
	p := &a.pool
	msg, by := &p.tr.Messages[m], Knower(p.tr, m)
	if msg.Kind == trace.Timeout && !msg.Timed {
		fired := p.tr.Events[p.tr.StepOf(event)].Step.Kind == trace.Advance
		if fired || a.async && int(event) >= p.tr.Explored {
			a.post(m)
		}
		return
	}
	if p.model == trace.Causal {
		p.noteSendIn(by, m)
	}
	if Captured(p.model, msg) {
		p.hold(by, m, -1)
	} else {
		p.post(m)
	}
}

// settle notes whether the actor of an event is in the middle of a handler after it.
func (a *At) settle(e *trace.Event) {
	switch e.Step.Kind {
	case trace.Send, trace.Timer, trace.Advance:
		return
	}
	switch e.Step.Fault() {
	case trace.Drop, trace.Duplicate:
		return
	}
	actor := e.Step.Actor
	m := &a.moves[len(a.moves)-1]
	m.actor, m.open = actor, a.open[actor]
	a.open[actor] = !e.Completed
}

// explore ends set-up: all actors are at rest (R5), and timers that were set may fire.
func (a *At) explore() {
	p := &a.pool
	p.rest(p.tr.Explored)
	if !a.async {
		return
	}
	over := make([]bool, len(p.tr.Messages))
	for e := range p.tr.Explored {
		ev := &p.tr.Events[e]
		if ev.Step.Kind.Handles() {
			over[ev.Step.Message] = true
		}
		for _, m := range ev.Cancelled {
			over[m] = true
		}
	}
	for m := range p.tr.Messages {
		if msg := &p.tr.Messages[m]; msg.Kind == trace.Timeout && int(msg.SentBy) < p.tr.Explored && !over[m] {
			a.post(int32(m))
		}
	}
}

// Enabled appends the steps that may be taken at the cursor.
func (a *At) Enabled(steps []trace.Step, host Host) []trace.Step { return a.pool.Enabled(steps, host) }

// Ordered reports whether the model hands over message first before message second (R6).
func (a *At) Ordered(first, second int32) bool {
	var past bitset.Set
	if a.pool.model == trace.Causal && a.pool.tr.Messages[second].Kind == trace.User {
		past = a.Past(second)
	}
	return Ordered(a.pool.model, a.pool.tr, first, second, past)
}

// Past gives the messages whose sends precede that of user message m under Causal (R8). For a message that was put
// aside its Original counts. The cursor moves to that send if it was never behind it.
func (a *At) Past(m int32) bitset.Set {
	m = Original(a.pool.tr, m)
	if sent := int(a.pool.tr.Messages[m].SentBy) + 1; sent > a.known {
		a.To(sent)
	}
	return a.pool.past[m]
}

// EachLeft calls f for every message that has arrived and was not handled, in the order of the record. Cancelled
// messages are among them, and those whose receiver had stopped.
func (a *At) EachLeft(f func(m int32)) {
	left := slices.Clone(a.gone)
	for actor := a.pool.active.first; actor >= 0; actor = a.pool.boxes[actor].next {
		for _, q := range a.pool.boxes[actor].queues[:held] {
			left = append(left, q...)
		}
	}
	slices.Sort(left)
	for _, m := range left {
		f(m)
	}
}

// lane gives what waits in the lane of a message, before its receiver.
func (a *At) lane(m int32, lane Lane) []int32 {
	if r := int(a.pool.tr.Messages[m].Receiver); r < len(a.pool.boxes) {
		return a.pool.boxes[r].queues[lane]
	}
	return nil
}

// Behind reports whether another message waits that the model hands over before message m (R6). Message m itself may
// arrive later.
func (a *At) Behind(m int32) bool {
	return slices.ContainsFunc(a.lane(m, User), func(o int32) bool { return a.Ordered(o, m) })
}

// AfterSystem reports whether a system message waits that comes before message m (R4). Message m itself may arrive
// later.
func (a *At) AfterSystem(m int32) bool {
	waiting := a.lane(m, System)
	switch LaneOf(a.pool.model, &a.pool.tr.Messages[m]) {
	case System:
		return len(waiting) > 0 && waiting[0] != m
	case User:
		return len(waiting) > 0
	}
	return false
}

// Passes reports whether message m passes the system messages that wait (R5). It may arrive later.
func (a *At) Passes(m int32) bool {
	msg := &a.pool.tr.Messages[m]
	return a.pool.model == trace.Mailbox && LaneOf(a.pool.model, msg) == User && !a.pool.Overdue(msg.Receiver)
}

// Older gives the messages of a mailbox that wait before message m (R7): all of them if m arrives later. They are valid
// until the cursor moves.
func (a *At) Older(m int32) []int32 {
	if LaneOf(a.pool.model, &a.pool.tr.Messages[m]) != User {
		return nil
	}
	waiting := a.lane(m, User)
	if i := slices.Index(waiting, m); i >= 0 {
		return waiting[:i]
	}
	return waiting
}
