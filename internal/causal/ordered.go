package causal

import "github.com/rehearse-go/rehearse/internal/bitset"

// ordered reports whether the delivery model hands the message of step i over before m.
func (o *receives) ordered(i, m int32) bool {
	b := o.Step(i).Message
	return b >= 0 && o.Ordered(b, m)
}

// Ordered reports whether the delivery model orders two messages to the same receiver, the first before the second.
func (o *receives) Ordered(first, second int32) bool { return o.cursor().Ordered(first, second) }

// PastOfSend is the messages that the model hands over before user message m under Causal, and those to other
// receivers whose sends precede its send too. It is valid until the cursor moves.
func (o *receives) PastOfSend(m int32) bitset.Set { return o.cursor().Past(m) }

// renewed reports whether step i handles a message that its actor had put aside.
func (o *receives) renewed(i int32) bool {
	m := o.Step(i).Message
	return m >= 0 && o.tr.Messages[m].Renews >= 0
}
