package delivery

import "github.com/rehearse-go/rehearse/trace"

// This file finds the steps that may be taken: of each actor, under each delivery model.

// Enabled appends the steps that may be taken now.
func (p *Pool) Enabled(steps []trace.Step, host Host) []trace.Step {
	next := int32(0)
	for a := p.active.first; a >= 0; a = next {
		b := &p.boxes[a]
		next = b.next
		if b.n == 0 {
			p.drop(a, b) // until something comes: most of many actors have nothing to do
			continue
		}
		if !b.fresh {
			if b.fresh = p.steady != nil && p.steady.Steady(a); !b.fresh {
				steps = p.steps(steps, a, b, host)
				continue
			}
			p.refresh(b, a, host)
		}
		if b.some {
			if n := len(steps); n < cap(steps) {
				steps = steps[:n+1]
				steps[n].Set(&b.first)
			} else {
				steps = append(steps, b.first)
			}
			if len(b.steps) > 0 {
				steps = append(steps, b.steps...)
			}
		}
	}
	return steps
}

// refresh works out what an actor may do that accepts everything.
func (p *Pool) refresh(b *box, a int32, host Host) {
	b.some, b.steps = false, b.steps[:0]
	users := b.queues[User]
	simple := p.model == trace.Bag || p.model.Queues() || len(users) == 1
	if simple && b.n == int32(len(users)) && b.owed == 0 {
		if b.stopped {
			return
		}
		b.some = true
		p.tr.PutDelivery(&b.first, users[0])
		if p.model == trace.Bag {
			for _, m := range users[1:] {
				b.steps = append(b.steps, trace.Step{})
				p.tr.PutDelivery(&b.steps[len(b.steps)-1], m)
			}
		}
		return
	}
	p.scratch = p.steps(p.scratch[:0], a, b, host)
	if len(p.scratch) > 0 {
		b.some, b.first = true, p.scratch[0]
		b.steps = append(b.steps, p.scratch[1:]...)
	}
}

// steps appends what the actor may do.
func (p *Pool) steps(steps []trace.Step, a int32, b *box, host Host) []trace.Step {
	if s := b.queues[held]; len(s) > 0 { // R1
		release := p.tr.ReleaseOf(s[0])
		release.Actor = a
		return append(steps, release)
	}
	if b.owed > 0 { // R2
		return steps
	}
	for _, m := range b.queues[Exempt] { // R3
		if host.Accepts(a, m) {
			steps = append(steps, p.tr.DeliveryOf(m))
		}
	}
	if s := b.queues[System]; len(s) > 0 { // R4
		if host.Accepts(a, s[0]) {
			steps = append(steps, p.tr.DeliveryOf(s[0]))
		}
		if b.saw || p.model != trace.Mailbox {
			return steps
		}
		from := len(steps) // R5
		steps = p.users(steps, a, b, host)
		p.late(steps[from:], s[0])
		return steps
	}
	return p.users(steps, a, b, host)
}

// users adds the deliveries of user messages that actor a may be given next (R6, R7). Under models with a queue that is
// the first acceptable one alone.
func (p *Pool) users(steps []trace.Step, a int32, b *box, host Host) []trace.Step {
	if p.closer != nil && len(b.queues[User]) > 1 && p.closer.Closed(a) {
		return steps
	}
	p.round++
	p.meet(b)
	for _, m := range b.queues[User] {
		// behind first: fifo has to see every message.
		if p.behind(b, m) || !host.Accepts(a, m) {
			continue
		}
		steps = append(steps, p.tr.DeliveryOf(m))
		if p.model.Queues() { // R7
			break
		}
	}
	return steps
}

// crowd is how many user messages of one receiver are compared pair by pair. Of more, each is compared with the set of
// all.
const crowd = 4

// meet prepares for behind where many user messages wait in b: under Causal each would be compared with each.
func (p *Pool) meet(b *box) {
	if p.model != trace.Causal || len(b.queues[User]) <= crowd {
		return
	}
	p.waiting = p.waiting[:0]
	for _, m := range b.queues[User] {
		p.waiting = p.waiting.With(Original(p.tr, m))
	}
}

// behind reports whether the model holds user message m of b back (R6): whether another one of b is Ordered before
// it. Under fifo it is asked of the messages in order, once in a round. So the first one of a sender that is met is
// the one that all others of that sender wait for.
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
		if len(b.queues[User]) > crowd {
			return p.past[m].Meets(p.waiting)
		}
		for _, o := range b.queues[User] {
			if Ordered(p.model, p.tr, o, m, p.past[m]) {
				return true
			}
		}
	}
	return false
}

// Oldest gives the message that was sent first among those that may be delivered: the order of set-up. -1 if none.
//
// In set-up thousands of actors may have something before them. They are listed in the order in which they got it, so
// that those behind the oldest that was found have nothing older.
func (p *Pool) Oldest(host Host) int32 {
	best := int32(-1)
	consider := func(a int32, queue []int32) {
		for _, m := range queue {
			if (best < 0 || m < best) && host.Accepts(a, m) {
				best = m
			}
		}
	}
	next := int32(0)
	for a := p.active.first; a >= 0; a = next {
		b := &p.boxes[a]
		next = b.next
		if b.n == 0 {
			p.drop(a, b)
			continue
		}
		if best >= 0 && best < b.since && !p.disordered {
			break
		}
		consider(a, b.queues[Exempt])
		if s := b.queues[System]; len(s) > 0 {
			consider(a, s[:1])
		} else {
			consider(a, b.queues[User])
		}
	}
	return best
}
