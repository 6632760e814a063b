// Package pool holds the messages that were sent and not handled, and decides which may be delivered next under each
// of the five delivery models. It is the one place that knows their enabled sets.
//
//	bag             any message that its receiver accepts
//	fifo            ... and no earlier one from the same sender to the same receiver is pending
//	causal          ... and none to the same receiver whose send causally precedes its own
//	mailbox         the oldest acceptable message of the mailbox; an actor with captured sends may only release the next
//	mailbox-serial  the oldest acceptable message of the mailbox
//
// System messages precede user messages, in the order of their arrival, in every model. Answers, tasks and (but for the
// mailbox models) timeouts are exempt from the order rules.
package pool

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Host knows what its actors accept.
type Host interface {
	// Accepts reports whether actor would handle message now: it is neither stopped nor in the middle of a handler,
	// and its constraints allow it.
	Accepts(actor, message int32) bool
}

// Pool is the pool of one execution.
type Pool struct {
	model  trace.Model
	tr     *trace.Trace
	boxes  []box
	active []int32  // boxes that may hold something
	past   []bits   // Causal: of each message, the messages whose sends precede its send
	seen   []bits   // Causal: of each actor, the messages whose sends it knows of
	round  uint64   // FIFO: counts the calls of users
	sent   []uint64 // FIFO: of each actor, the round in which a message of its was met
}

// box is what an actor has before it.
type box struct {
	listed  bool
	stopped bool
	system  []int32 // oldest first
	user    []int32 // oldest first
	exempt  []int32 // answers, tasks, and timeouts outside of the mailbox models
	held    []int32 // captured sends of this actor, not yet released
	owed    int     // captured sends of this actor that another one releases: of its start hook
}

func (b *box) empty() bool {
	return len(b.system)+len(b.user)+len(b.exempt)+len(b.held) == 0
}

// Reset makes the pool empty for a new execution, recorded in tr.
func (p *Pool) Reset(model trace.Model, tr *trace.Trace) {
	p.model, p.tr = model, tr
	for i := range p.boxes {
		b := &p.boxes[i]
		*b = box{system: b.system[:0], user: b.user[:0], exempt: b.exempt[:0], held: b.held[:0]}
	}
	p.active, p.past, p.seen = p.active[:0], p.past[:0], p.seen[:0]
}

func (p *Pool) box(actor int32) *box {
	for int(actor) >= len(p.boxes) {
		p.boxes = append(p.boxes, box{})
	}
	b := &p.boxes[actor]
	if !b.listed {
		b.listed = true
		p.active = append(p.active, actor)
	}
	return b
}

// Send takes a message that a handler sent. Under Mailbox it is captured until the sender releases it; under the
// other models it is pending at once. It reports false if the receiver has stopped: the message is a dead letter.
func (p *Pool) Send(m int32) bool { return p.SendIn(p.tr.Messages[m].Sender, m) }

// SendIn is Send for a message sent in a handler of by, which differs from its sender in the start hook of an actor that by
// created: under Mailbox by releases it, and under Causal what follows in by's handler follows it.
func (p *Pool) SendIn(by, m int32) bool {
	msg := &p.tr.Messages[m]
	p.noteSend(m, by)
	if p.model == trace.Causal && by != msg.Sender {
		p.actorPast(by) // may move what the next one points to
		p.actorPast(msg.Sender).or(p.seen[by])
	}
	if p.model == trace.Mailbox {
		b := p.box(by)
		b.held = append(b.held, m)
		if by != msg.Sender {
			// It takes no message before what its start hook sent is out, or its later sends might overtake that.
			p.box(msg.Sender).owed++
		}
		return true
	}
	return p.post(m)
}

// Post takes a message that is no send of a handler: a spawn's first message, an answer, a timeout, a task, a message of
// set-up. It is pending at once; false if the receiver has stopped.
func (p *Pool) Post(m int32) bool {
	p.noteSend(m, p.tr.Messages[m].Sender)
	return p.post(m)
}

func (p *Pool) post(m int32) bool {
	msg := &p.tr.Messages[m]
	b := p.box(msg.Receiver)
	if b.stopped {
		return false
	}
	switch {
	case msg.Class == trace.System:
		b.system = append(b.system, m)
	case msg.Class == trace.User, msg.Class == trace.Timeout && p.queues():
		b.user = append(b.user, m)
	default:
		b.exempt = append(b.exempt, m)
	}
	return true
}

// Return puts message m, which stands for one that its receiver had taken and put aside (old), before all user messages of
// its receiver. Return several the last one first.
func (p *Pool) Return(m, old int32) {
	b := p.box(p.tr.Messages[m].Receiver)
	if p.model == trace.Causal {
		p.standIn(b, m, old)
	}
	b.user = slices.Insert(b.user, 0, m)
}

// standIn lets m precede what old precedes.
func (p *Pool) standIn(b *box, m, old int32) {
	for int(m) >= len(p.past) {
		p.past = append(p.past, nil)
	}
	p.past[m] = append(bits(nil), p.past[old]...)
	for _, o := range b.user {
		if p.past[o].has(old) {
			p.past[o].set(m)
		}
	}
	for i := range p.seen {
		if p.seen[i].has(old) {
			p.seen[i].set(m)
		}
	}
}

// queues reports whether the model delivers in mailbox order.
func (p *Pool) queues() bool { return p.model == trace.Mailbox || p.model == trace.MailboxSerial }

// Stop says that the actor takes no more messages. What is before it stays, as orphans; what it captured is still
// released.
func (p *Pool) Stop(actor int32) { p.box(actor).stopped = true }

// Enabled appends the steps that may be taken now.
func (p *Pool) Enabled(steps []trace.Step, host Host) []trace.Step {
	active := p.active[:0]
	for _, a := range p.active {
		b := &p.boxes[a]
		if b.empty() {
			b.listed = false // until something comes: most of many actors have nothing to do
			continue
		}
		active = append(active, a)
		if len(b.held) > 0 {
			s := p.tr.ReleaseOf(b.held[0])
			s.Actor = a
			steps = append(steps, s)
			continue
		}
		if b.owed > 0 {
			continue
		}
		for _, m := range b.exempt {
			if host.Accepts(a, m) {
				steps = append(steps, p.tr.DeliveryOf(m))
			}
		}
		if len(b.system) > 0 {
			if host.Accepts(a, b.system[0]) {
				steps = append(steps, p.tr.DeliveryOf(b.system[0]))
			}
			continue
		}
		steps = p.users(steps, a, b, host)
	}
	p.active = active
	return steps
}

func (p *Pool) users(steps []trace.Step, a int32, b *box, host Host) []trace.Step {
	p.round++
	for _, m := range b.user {
		// behind first: fifo has to see every message.
		if p.behind(b, m) || !host.Accepts(a, m) {
			continue
		}
		steps = append(steps, p.tr.DeliveryOf(m))
		if p.queues() {
			break
		}
	}
	return steps
}

// behind reports whether the model holds user message m of b back. Under fifo and causal also an earlier message that
// is not acceptable holds it back. Under fifo it has to be asked of the messages in order, once in a round.
func (p *Pool) behind(b *box, m int32) bool {
	switch p.model {
	case trace.FIFO:
		sender := int(p.tr.Messages[m].Sender)
		for sender >= len(p.sent) {
			p.sent = append(p.sent, 0)
		}
		earlier := p.sent[sender] == p.round
		p.sent[sender] = p.round
		return earlier
	case trace.Causal:
		for _, o := range b.user {
			if o != m && p.past[m].has(o) {
				return true
			}
		}
	}
	return false
}

// Oldest gives the message that was sent first among those that may be delivered: the order of set-up. -1 if none.
func (p *Pool) Oldest(host Host) int32 {
	best := int32(-1)
	consider := func(a int32, queue []int32) {
		for _, m := range queue {
			if (best < 0 || m < best) && host.Accepts(a, m) {
				best = m
			}
		}
	}
	for _, a := range p.active {
		b := &p.boxes[a]
		consider(a, b.exempt)
		if len(b.system) > 0 {
			consider(a, b.system[:1])
		} else {
			consider(a, b.user)
		}
	}
	return best
}

// Deliver takes message m out, to be handled by its receiver.
func (p *Pool) Deliver(m int32) {
	msg := &p.tr.Messages[m]
	b := p.box(msg.Receiver)
	remove(&b.exempt, m)
	remove(&b.system, m)
	remove(&b.user, m)
	if p.model == trace.Causal {
		p.actorPast(msg.Receiver).or(p.past[m])
		p.seen[msg.Receiver].set(m)
	}
}

// Release appends a captured send of the actor to its receiver's mailbox and gives it, -1 if the actor has none: the oldest, or
// the one named by first. ordered is false if that was not the oldest: the program had chosen another order.
// dead: the receiver has stopped, the message is a dead letter.
func (p *Pool) Release(actor int32, first trace.ID) (m int32, ordered, dead bool) {
	b := p.box(actor)
	if len(b.held) == 0 {
		return -1, true, false
	}
	i := 0
	for j, h := range b.held {
		if p.tr.Messages[h].ID == first {
			i = j
		}
	}
	m = b.held[i]
	b.held = slices.Delete(b.held, i, i+1)
	if by := p.tr.Messages[m].Sender; by != actor {
		p.box(by).owed--
	}
	return m, i == 0, !p.post(m)
}

// Cancel takes message m out without handling it, if it is still pending. It reports whether it was.
func (p *Pool) Cancel(m int32) bool {
	b := p.box(p.tr.Messages[m].Receiver)
	return remove(&b.exempt, m) || remove(&b.system, m) || remove(&b.user, m)
}

// Each calls f for every message that was sent and not handled, captured ones included.
func (p *Pool) Each(f func(m int32)) {
	for _, a := range p.active {
		b := &p.boxes[a]
		for _, queue := range [][]int32{b.exempt, b.system, b.user, b.held} {
			for _, m := range queue {
				f(m)
			}
		}
	}
}

func remove(queue *[]int32, m int32) bool {
	i := slices.Index(*queue, m)
	if i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
	}
	return i >= 0
}

// noteSend keeps the causal past per send, not per step: a message does not follow what its sender sends or learns later.
func (p *Pool) noteSend(m, by int32) {
	if p.model != trace.Causal {
		return
	}
	for int(m) >= len(p.past) {
		p.past = append(p.past, nil)
	}
	seen := p.actorPast(by)
	p.past[m] = append(bits(nil), *seen...)
	seen.set(m)
}

func (p *Pool) actorPast(actor int32) *bits {
	for int(actor) >= len(p.seen) {
		p.seen = append(p.seen, nil)
	}
	return &p.seen[actor]
}

// bits is a set of message indices.
type bits []uint64

func (b bits) has(i int32) bool { w := int(i >> 6); return w < len(b) && b[w]&(1<<(i&63)) != 0 }

func (b *bits) set(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b *bits) or(o bits) {
	for len(o) > len(*b) {
		*b = append(*b, 0)
	}
	for i, w := range o {
		(*b)[i] |= w
	}
}
