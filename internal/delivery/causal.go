package delivery

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// noteSend keeps the causal past of a send (R8).
func (p *Pool) noteSend(m, by int32) {
	if p.model != trace.Causal {
		return
	}
	seen := p.actorPast(by)
	past := p.pastOf(m)
	*past = append((*past)[:0], *seen...)
	*seen = seen.With(m)
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
