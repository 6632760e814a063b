package delivery

import "github.com/rehearse-go/rehearse/internal/bitset"

// noteSendIn keeps the causal past of message m, which is sent in a handler of by (R8). An actor that by creates
// knows what by does; of a copy that a fault makes its sender does not know.
func (p *Pool) noteSendIn(by, m int32) {
	p.noteSend(m, by)
	if sender := p.tr.Messages[m].Sender; by != sender && !p.tr.Copy(m) {
		seen := p.actorPast(sender)
		*seen = seen.Union(p.seen[by])
	}
}

func (p *Pool) noteSend(m, by int32) {
	seen := p.actorPast(by)
	past := p.pastOf(m)
	*past = append((*past)[:0], *seen...)
	*seen = seen.With(m)
}

// noteDelivery has the receiver of message m know what it tells (R8).
func (p *Pool) noteDelivery(m int32) {
	seen := p.actorPast(p.tr.Messages[m].Receiver)
	*seen = seen.Union(p.past[m]).With(Original(p.tr, m))
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
