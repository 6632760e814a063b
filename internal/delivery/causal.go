package delivery

import "github.com/rehearse-go/rehearse/internal/bitset"

// noteSendIn notes the causal past of message m, which is sent in a handler of by (R8). An actor that by creates knows
// what by does. The copy that a fault makes is not known to its sender.
func (p *Pool) noteSendIn(by, m int32) {
	past := p.pastOf(m)
	*past = append((*past)[:0], *p.seenBy(by)...)
	p.learn(by, nil, m)
	if sender := p.tr.Messages[m].Sender; by != sender && !p.tr.Copy(m) {
		p.learn(sender, p.seen[by], m)
	}
}

// noteDelivery has the receiver of message m learn what the message tells (R8).
func (p *Pool) noteDelivery(m int32) {
	p.learn(p.tr.Messages[m].Receiver, p.past[m], Original(p.tr, m))
}

// learn has an actor know of these messages and of message m. The log gets the words that change, and not all of what
// the actor knows: that is as long as the execution.
func (p *Pool) learn(actor int32, past bitset.Set, m int32) {
	seen := p.seenBy(actor)
	for len(*seen) < max(len(past), int(m>>6)+1) {
		*seen = append(*seen, 0)
	}
	changed := int32(0)
	for i, w := range past {
		if w&^(*seen)[i] != 0 {
			p.log.addWord(i, (*seen)[i])
			(*seen)[i] |= w
			changed++
		}
	}
	if !seen.Has(m) {
		p.log.addWord(int(m>>6), (*seen)[m>>6])
		seen.Add(m)
		changed++
	}
	p.log.add(learned, 0, actor, changed, 0)
}

// pastOf gives the set of messages that precede message m, to be filled before m is sent.
func (p *Pool) pastOf(m int32) *bitset.Set {
	for int(m) >= len(p.past) {
		p.past = another(p.past)
	}
	return &p.past[m]
}

// seenBy gives the set of messages that an actor knows of.
func (p *Pool) seenBy(actor int32) *bitset.Set {
	for int(actor) >= len(p.seen) {
		p.seen = another(p.seen)
	}
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
