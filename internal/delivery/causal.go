package delivery

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// noteSend keeps the causal past per send, not per step: a message does not follow what its sender sends or learns later.
func (p *Pool) noteSend(m, by int32) {
	if p.model != trace.Causal {
		return
	}
	seen := p.actorPast(by)
	past := p.pastOf(m)
	*past = append((*past)[:0], *seen...)
	*seen = seen.With(m)
}

// standIn lets m precede what old precedes, also what those send who have yet to learn of old.
func (p *Pool) standIn(m, old int32) {
	past := p.pastOf(m)
	*past = append((*past)[:0], p.past[old]...)
	p.Each(func(o int32) {
		if o != m && p.past[o].Has(old) {
			p.past[o] = p.past[o].With(m)
			p.log.add(preceded, 0, 0, o, m)
		}
	})
	for i := range p.seen {
		if p.seen[i].Has(old) {
			seen := p.actorPast(int32(i))
			*seen = seen.With(m)
		}
	}
}

// pastOf gives what precedes message m, which is about to be said.
func (p *Pool) pastOf(m int32) *bitset.Set {
	for int(m) >= len(p.past) {
		p.past = another(p.past)
	}
	return &p.past[m]
}

// actorPast gives what an actor knows of, which is about to change.
func (p *Pool) actorPast(actor int32) *bitset.Set {
	for int(actor) >= len(p.seen) {
		p.seen = another(p.seen)
	}
	p.log.addSeen(actor, p.seen[actor])
	return &p.seen[actor]
}

// another appends an empty set, in the memory of one that was there before.
func another(sets []bitset.Set) []bitset.Set {
	n := len(sets)
	if n == cap(sets) {
		return append(sets, nil)
	}
	sets = sets[:n+1]
	sets[n] = sets[n][:0]
	return sets
}
