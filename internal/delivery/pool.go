// Package delivery decides which of the messages that were sent and not handled may be delivered next, under each of
// the five delivery models. It is the one place that knows the models.
//
//	rules.go    the rules, as functions of a record
//	pool.go     the messages of an execution that runs, with caches and undo
//	enabled.go  the steps that may be taken next
//	active.go   the actors that have something before them, in their order
//	wide.go     the first of the steps, and one of an actor, where nobody wants all
//	look.go     user messages that pass system messages
//	causal.go   what sends know of
//	at.go       the same at any point of a record
//	fault.go    which faults may be injected
//
// In short:
//
//	bag             any message that its receiver accepts
//	fifo            ... and no earlier one from the same sender to the same receiver is pending
//	causal          ... and none to the same receiver whose send causally precedes its own
//	mailbox         the oldest acceptable message of the mailbox; an actor with captured sends, answers among them, may
//	                only release the next
//	mailbox-serial  the oldest acceptable message of the mailbox
package delivery

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// Host knows what its actors accept.
type Host interface {
	// Accepts reports whether actor would handle message now: it is neither stopped nor in the middle of a handler,
	// and its constraints allow it.
	Accepts(actor, message int32) bool
}

// Steady is a Host that knows actors which accept every system and user message, and nothing else. An actor is one
// until it takes a step or Touch names it. After Stop it accepts none at all. The pool asks nothing of such actors, and
// keeps what it found out about them.
type Steady interface {
	Host
	Steady(actor int32) bool
}

// Closer knows which actors accept no message of the user lane now, whatever the message is. The pool skips their
// queues: an actor that waits for a reply may have thousands of messages before it, at each of its steps.
type Closer interface {
	Closed(actor int32) bool
}

// Pool is the pool of one execution.
type Pool struct {
	model   trace.Model
	tr      *trace.Trace
	steady  Steady // nil: nothing stays
	closer  Closer // nil: each message is asked for
	boxes   []box
	active  active       // boxes that may hold something
	past    []bitset.Set // Causal: of each message, those whose sends precede its send (R8), each by its Original
	seen    []bitset.Set // Causal: of each actor, the messages whose sends it knows of
	round   uint64       // FIFO: counts the calls of users
	sent    []uint64     // FIFO: of each actor, the round in which a message of its was met
	waiting bitset.Set   // Causal: the user messages of the box that is looked at, each by its Original; see meet
	log     changes
	wide    wide
	// Whether lanes got their messages in the order of their numbers, and the last one: see Oldest.
	disordered bool
	newest     int32

	scratch []trace.Step
}

// box is what an actor has before it.
type box struct {
	next    int32 // in active
	prev    int32
	listed  bool
	stopped bool
	saw     bool         // Mailbox: no user message passes the system messages that wait (look.go)
	fresh   bool         // steps are those that may be taken
	stale   bool         // wide.stale has it
	owed    int32        // what another one has captured and releases (R2): sends of this actor's start hook, or its start
	n       int32        // messages in all queues
	since   int32        // its lanes have got no message with a smaller number, unless some got them disordered
	queues  [4][]int32   // oldest first
	steps   []trace.Step // all but the first
	first   trace.Step   // if some
	some    bool
}

// queue is an index of box.queues: a lane, or held.
type queue = Lane

const held = User + 1 // captured sends of this actor, not yet released (R1)

// Reset makes the pool empty for a new execution, recorded in tr.
func (p *Pool) Reset(model trace.Model, tr *trace.Trace) {
	p.model, p.tr = model, tr
	for i := range p.boxes {
		b := &p.boxes[i]
		// One that holds something is listed. What is fresh is not when something comes.
		if b.listed || b.stopped || b.owed != 0 || b.saw {
			b.listed, b.stopped, b.saw, b.owed, b.n = false, false, false, 0, 0
			for q := range b.queues {
				b.queues[q] = b.queues[q][:0]
			}
		}
	}
	p.active, p.past, p.seen = none, p.past[:0], p.seen[:0]
	p.log.reset()
	p.wide.reset()
	p.disordered, p.newest = false, -1
}

// Trust lets the pool keep what it worked out for the actors that s calls steady. It stays across Reset.
func (p *Pool) Trust(s Steady) { p.steady = s }

// Skip lets the pool pass over the users' messages of actors that c calls closed. It stays across Reset.
func (p *Pool) Skip(c Closer) { p.closer = c }

// Touch says that what the actor accepts may have changed.
func (p *Pool) Touch(actor int32) {
	if int(actor) < len(p.boxes) {
		p.stir(actor, &p.boxes[actor])
	}
}

// stir notes that what the actor may do has to be worked out again.
func (p *Pool) stir(actor int32, b *box) {
	b.fresh = false
	if p.wide.on && !b.stale {
		b.stale = true
		p.wide.stale = append(p.wide.stale, actor)
	}
}

// box gives what is before an actor, which is about to change.
func (p *Pool) box(actor int32) *box {
	for int(actor) >= len(p.boxes) {
		p.boxes = append(p.boxes, box{})
	}
	b := &p.boxes[actor]
	p.stir(actor, b)
	if !b.listed {
		b.since = p.newest + 1
		p.list(actor, b)
		p.log.add(listed, 0, actor, 0, 0)
	}
	return b
}

// put appends message m to a queue.
func (p *Pool) put(b *box, actor int32, q queue, m int32) {
	b.queues[q] = append(b.queues[q], m)
	p.got(q, m)
	b.n++
	p.log.addPut(q, actor, m)
}

// got notes that a lane has got a message.
func (p *Pool) got(q queue, m int32) {
	if q != held {
		p.disordered = p.disordered || m <= p.newest
		p.newest = max(p.newest, m)
	}
}

// putAt puts message m before the i-th of a queue.
func (p *Pool) putAt(b *box, actor int32, q queue, i int, m int32) {
	insert(&b.queues[q], i, m)
	p.got(q, m)
	b.n++
	p.log.add(putAt, q, actor, int32(i), m)
}

// takeAt takes the i-th message out of a queue.
func (p *Pool) takeAt(b *box, actor int32, q queue, i int) {
	s := b.queues[q]
	p.log.add(taken, q, actor, int32(i), s[i])
	b.queues[q] = cut(s, i)
	b.n--
}

// take takes message m out of the queue that it is in. It reports whether it was there.
func (p *Pool) take(m int32) bool {
	msg := &p.tr.Messages[m]
	b, q := p.box(msg.Receiver), LaneOf(p.model, msg)
	for i, o := range b.queues[q] {
		if o == m {
			p.takeAt(b, msg.Receiver, q, i)
			return true
		}
	}
	return false
}

// Send takes what a handler sent or did to let another actor go on: a message, an answer, the start of an actor.
// Under Mailbox it is captured until the sender releases it; under the other models it is pending at once. It reports
// false if the receiver has stopped: the message is a dead letter.
func (p *Pool) Send(m int32) bool { return p.SendIn(p.tr.Messages[m].Sender, m) }

// SendIn is Send for a message sent in a handler of by. The sender is another actor than by in the start hook of an
// actor that by created. Under Mailbox by releases the message, and under Causal what follows in by's handler follows
// it.
func (p *Pool) SendIn(by, m int32) bool {
	switch p.model {
	case trace.Mailbox:
		p.hold(by, m, -1)
		return true
	case trace.Causal:
		p.noteSendIn(by, m)
	}
	return p.post(m)
}

// SendNext is SendIn under Mailbox, out of turn: by releases the message after the first at of those that it has
// captured, and before the others.
func (p *Pool) SendNext(by, m int32, at int) { p.hold(by, m, at) }

// hold captures message m in a handler of by (R1, R2), before all but the first at that are captured there; behind
// all if at is -1.
func (p *Pool) hold(by, m int32, at int) {
	if at < 0 {
		p.put(p.box(by), by, held, m)
	} else {
		p.putAt(p.box(by), by, held, at, m)
	}
	msg := &p.tr.Messages[m]
	if Owes(p.tr, by, m) {
		p.owe(msg.Sender, 1)
	}
	if msg.Starts {
		p.owe(msg.Receiver, 1)
	}
}

// Post takes a message that no handler sends: a timeout, a task. It is pending at once; false if the receiver has
// stopped.
func (p *Pool) Post(m int32) bool { return p.PostIn(p.tr.Messages[m].Sender, m) }

// PostIn is SendIn for a message whose sends are not explored, one of set-up: it is pending at once.
func (p *Pool) PostIn(by, m int32) bool {
	p.tr.Messages[m].AtOnce = true
	if p.model == trace.Causal {
		p.noteSendIn(by, m)
	}
	return p.post(m)
}

// post puts a message before its receiver. It reports whether that is there to take it: what comes after the receiver
// has stopped is a dead letter.
func (p *Pool) post(m int32) bool {
	msg := &p.tr.Messages[m]
	b := p.box(msg.Receiver)
	switch {
	case b.stopped && msg.Kind != trace.Answer: // an actor may wait for one in the handler in which it stops
		return false
	case msg.Starts:
		p.putAt(b, msg.Receiver, System, 0, m) // others may have sent to the name that it was given
		p.setSaw(msg.Receiver, b, p.model == trace.Mailbox)
	default:
		p.put(b, msg.Receiver, LaneOf(p.model, msg), m)
	}
	return true
}

func (p *Pool) owe(actor, n int32) {
	p.box(actor).owed += n
	p.log.add(owed, 0, actor, n, 0)
}

// Return puts message m, which stands for one that its receiver had taken and put aside (old), before all user
// messages of its receiver. Return several the last one first.
func (p *Pool) Return(m, old int32) {
	p.tr.Messages[m].Renews = old
	p.putBack(m)
}

// putBack puts message m, which stands for another, before all user messages of its receiver.
func (p *Pool) putBack(m int32) {
	msg := &p.tr.Messages[m]
	b := p.box(msg.Receiver)
	if p.model == trace.Causal {
		past := p.pastOf(m)
		*past = append((*past)[:0], p.past[msg.Renews]...)
	}
	p.putAt(b, msg.Receiver, User, 0, m)
}

// Stop says that the actor takes no more messages. What is before it stays, as orphans; what it captured is still
// released.
func (p *Pool) Stop(actor int32) {
	b := p.box(actor)
	if !b.stopped {
		b.stopped = true
		p.log.add(stopped, 0, actor, 0, 0)
	}
}

// Deliver takes message m out, to be handled by its receiver.
func (p *Pool) Deliver(m int32) {
	p.take(m)
	if msg := &p.tr.Messages[m]; Looks(msg) {
		p.Look(msg.Receiver)
	}
	if p.model == trace.Causal {
		p.noteDelivery(m)
	}
}

// Release appends a captured send of the actor to its receiver's mailbox and gives it, -1 if the actor has none: the
// oldest, or the one named by first. ordered is false if that was not the oldest: the program had chosen another
// order. dead: the receiver has stopped, the message is a dead letter.
func (p *Pool) Release(actor int32, first trace.ID) (m int32, ordered, dead bool) {
	b := p.box(actor)
	sends := b.queues[held]
	if len(sends) == 0 {
		return -1, true, false
	}
	i := 0
	if first != (trace.ID{}) { // else there may be very many to be looked through for nothing
		i = max(0, slices.IndexFunc(sends, func(h int32) bool { return p.tr.Messages[h].ID == first }))
	}
	m = sends[i]
	dead = p.release(actor, i)
	p.Look(actor)
	return m, i == 0, dead
}

// release is the release of the i-th captured send of an actor. It reports whether the message is a dead letter.
func (p *Pool) release(actor int32, i int) (dead bool) {
	b := p.box(actor)
	m := b.queues[held][i]
	p.takeAt(b, actor, held, i)
	msg := &p.tr.Messages[m]
	if Owes(p.tr, actor, m) {
		p.owe(msg.Sender, -1)
	}
	if msg.Starts {
		p.owe(msg.Receiver, -1)
	}
	return msg.Kind.Handled() && !p.post(m)
}

// Cancel takes message m out without handling it, if it is still pending. It reports whether it was.
func (p *Pool) Cancel(m int32) bool { return p.take(m) }

// Each calls f for every message that was sent and not handled, captured ones included.
func (p *Pool) Each(f func(m int32)) {
	for a := p.active.first; a >= 0; a = p.boxes[a].next {
		for _, queue := range p.boxes[a].queues {
			for _, m := range queue {
				f(m)
			}
		}
	}
}
