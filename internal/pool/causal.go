package pool

import "github.com/rehearse-go/rehearse/trace"

// noteSend keeps the causal past per send, not per step: a message does not follow what its sender sends or learns later.
func (p *Pool) noteSend(m, by int32) {
	if p.model != trace.Causal {
		return
	}
	seen := p.actorPast(by)
	past := p.pastOf(m)
	*past = append((*past)[:0], *seen...)
	seen.set(m)
}

// standIn lets m precede what old precedes, also what those send who have yet to learn of old.
func (p *Pool) standIn(m, old int32) {
	past := p.pastOf(m)
	*past = append((*past)[:0], p.past[old]...)
	p.Each(func(o int32) {
		if o != m && p.past[o].has(old) {
			p.past[o].set(m)
			p.log.add(preceded, 0, 0, o, m)
		}
	})
	for i := range p.seen {
		if p.seen[i].has(old) {
			p.actorPast(int32(i)).set(m)
		}
	}
}

// pastOf gives what precedes message m, which is about to be said.
func (p *Pool) pastOf(m int32) *bits {
	for int(m) >= len(p.past) {
		p.past = another(p.past)
	}
	return &p.past[m]
}

// actorPast gives what an actor knows of, which is about to change.
func (p *Pool) actorPast(actor int32) *bits {
	for int(actor) >= len(p.seen) {
		p.seen = another(p.seen)
	}
	p.log.addSeen(actor, p.seen[actor])
	return &p.seen[actor]
}

// another appends an empty set, in the memory of one that was there before.
func another(sets []bits) []bits {
	n := len(sets)
	if n == cap(sets) {
		return append(sets, nil)
	}
	sets = sets[:n+1]
	sets[n] = sets[n][:0]
	return sets
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

func (b bits) clear(i int32) { b[i>>6] &^= 1 << (i & 63) }

func (b *bits) or(o bits) {
	for len(o) > len(*b) {
		*b = append(*b, 0)
	}
	for i, w := range o {
		(*b)[i] |= w
	}
}
