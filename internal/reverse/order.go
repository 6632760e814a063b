package reverse

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file reckons with fifo and causal, where a message waits for those that the model hands over before it.
//
// Macro-step i is tied to an earlier one, u, if its message waits for that of u and has the lesser key. S would take i
// first, and must take u. So before u the keys alone do not say what S takes. Behind all such u they do.
//
//	lemma:      let T be a class that is plain but for messages that wait, and C a beginning that holds all u to which
//	            something is tied. S makes T of C iff C holds all deviations of T. For where a message m waits, what it
//	            waits for has the lesser key, and so S would take that first under bag, too
//	source:     ours
//	differs:    of a beginning that does not hold all u, S is simulated up to where it has taken them (follow.go)
//	assumes:    steps of different actors depend on each other by messages alone. Where they do not the search doubts,
//	            and simulates S to the end
//	invariants: I1 knots[u] is the first macro-step that is tied to u, as by of must.go
//	cost:       a question to the model for each pair of pairs.go; for each message n/64 words under causal
//	checked by: order_test.go compares it with the simulation; reverse_test.go against brute force

// waits are the messages of the class that wait for others.
type waits struct {
	macroSteps
	held  []int32 // by message: what it waits for; see heldUntil
	knots []int32 // by macro-step: the first one that waits for it and has a lesser key, never if none does;
	tied  int32   // those that have one are below this
}

// holds reports whether messages wait for others.
func (c *waits) holds() bool { return c.model == trace.FIFO || c.model == trace.Causal }

// ties notes that macro-step by, with this message, is tied to macro-step u, if it is; never is the step of a message
// that is not handled.
func (c *waits) ties(u, by, message int32) bool {
	if !c.holds() || c.declared.on || !c.order.Takes(c.blocks[u].event) || !c.order.Ordered(c.blocks[u].message, message) {
		return false
	}
	if by == never {
		c.tied = max(c.tied, u+1)
	}
	c.knots[u] = min(c.knots[u], by)
	return true
}

// findTied finds the end of the macro-steps to which others are tied.
func (c *waits) findTied() {
	c.tied = 0
	for u, by := range c.knots {
		if by != never {
			c.tied = int32(u) + 1
		}
	}
}

// untied reports whether the macro-steps of begin hold all to which others are tied.
func (c *waits) untied(begin bitset.Set) bool {
	return c.tied == 0 || begin.NextAbsent(0) >= c.tied
}

// heldUntil gives the last macro-step that handles one of the messages for which message m waits: -1 if there is none,
// unhandled if one of them is not handled.
func (c *waits) heldUntil(m int32) int32 {
	if len(c.held) == 0 {
		c.findHeld()
	}
	return c.held[m]
}

// findHeld finds heldUntil of all messages. A message waits for all for which another one waits that it waits for. So
// only the last ones are looked at.
func (c *waits) findHeld() {
	c.noteHandled()
	switch {
	case c.doubt != "": // messages that were put aside, which may come in another order than they were sent in
		c.findHeldAmongAll()
	case c.model == trace.FIFO:
		c.findHeldBySender()
	default:
		c.findHeldByPast()
	}
}

// findHeldAmongAll is findHeld by asking the model of all pairs. Where messages were put aside there is no shorter way:
// they may come in another order than they were sent in.
func (c *waits) findHeldAmongAll() {
	for m := range c.tr.Messages {
		held := int32(-1)
		for o := range c.tr.Messages {
			if c.order.Ordered(int32(o), int32(m)) {
				held = max(held, c.handledAt(int32(o)))
			}
		}
		c.held = append(c.held, held)
	}
}

// findHeldBySender is findHeld under fifo.
func (c *waits) findHeldBySender() {
	last := map[[2]int32]int32{} // by sender and receiver
	for m := range c.tr.Messages {
		msg, held := &c.tr.Messages[m], int32(-1)
		if msg.Kind == trace.User {
			way := [2]int32{msg.Sender, msg.Receiver}
			if o, ok := last[way]; ok {
				held = max(c.held[o], c.handledAt(o))
			}
			last[way] = int32(m)
		}
		c.held = append(c.held, held)
	}
}

// findHeldByPast is findHeld under causal.
func (c *waits) findHeldByPast() {
	to := make([]bitset.Set, len(c.tr.Actors)) // the user messages to each actor so far
	var left bitset.Set
	for m := range int32(len(c.tr.Messages)) {
		msg, held := &c.tr.Messages[m], int32(-1)
		if msg.Kind == trace.User {
			past := c.order.PastOfSend(m)
			left = append(left[:0], past...)
			left.Keep(to[msg.Receiver])
			for w := len(left) - 1; w >= 0; w-- {
				for left[w] != 0 {
					o := int32(w<<6 + bits.Len64(left[w]) - 1)
					held = max(held, c.held[o], c.handledAt(o))
					left.Remove(o)
					left.RemoveAll(c.order.PastOfSend(o))
				}
			}
			to[msg.Receiver] = to[msg.Receiver].With(m)
		}
		c.held = append(c.held, held)
	}
}

// openFrom gives the first macro-step before which the model may let macro-step i come: before those up to there its
// message waits. It depends on them by more than the order of its actor's steps only if one of the two is odd.
func (c *waits) openFrom(i int32) int32 {
	x := &c.blocks[i]
	if !c.holds() || c.declared.on || c.doubt != "" || x.odd || !c.order.Takes(x.event) {
		return 0
	}
	return min(c.heldUntil(x.message), i-1) + 1
}
