package delivery

import "slices"

// Holder gives the actor whose captured send the message is, -1 if it is in its receiver's mailbox.
// explore.Arrangement.
func (p *Pool) Holder(message int32) int32 {
	for a := p.active.first; a >= 0; a = p.boxes[a].next {
		if slices.Contains(p.boxes[a].queues[held], message) {
			return a
		}
	}
	return -1
}

// Holds reports whether the actor has captured sends that are not yet released.
func (p *Pool) Holds(actor int32) bool {
	return int(actor) < len(p.boxes) && len(p.boxes[actor].queues[held]) > 0
}

// Follows reports whether, under Causal, the send of message follows that of earlier. explore.Arrangement.
func (p *Pool) Follows(message, earlier int32) bool {
	return int(message) < len(p.past) && p.past[message].Has(Original(p.tr, earlier))
}

// Knows reports whether, under Causal, what the actor sends next follows the send of message. explore.Arrangement.
func (p *Pool) Knows(actor, message int32) bool {
	return int(actor) < len(p.seen) && p.seen[actor].Has(Original(p.tr, message))
}
