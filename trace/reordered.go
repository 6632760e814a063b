package trace

import "slices"

// This file compares the orders in which a step has sent, where that counts for what may happen next. Identities do not
// tell it: they are the same in each order.

// Reordering says how two orders of the same sends differ.
type Reordering uint8

// The differences, the greatest last.
const (
	Alike  Reordering = iota // not at all, or the model does not keep it
	Among                    // among sends to different receivers
	Within                   // among those to one receiver, or of what is no message of the program's
)

// Reordered says how event e, with the same effects in two executions, has sent in orders that the model tells apart.
// What actors of the same program may handle then differs.
func Reordered(a, b *Trace, e int, model Model) Reordering {
	if len(a.Events[e].Sent) < 2 {
		return Alike
	}
	x, y := a.sentInOrder(e, model), b.sentInOrder(e, model)
	if slices.Equal(x, y) {
		return Alike
	}
	keeps := model == Causal || model == Mailbox
	if keeps && a.othersSent(e) || !slices.Equal(a.byReceiver(e, model), b.byReceiver(e, model)) {
		return Within
	}
	if keeps {
		return Among
	}
	return Alike
}

// sentInOrder gives what event e has sent; under Bag system messages only, since others come in any order.
func (t *Trace) sentInOrder(e int, model Model) []ID { return t.ordered(t.Events[e].Sent, model) }

// byReceiver gives the same, receiver by receiver.
func (t *Trace) byReceiver(e int, model Model) []ID {
	sent := slices.Clone(t.Events[e].Sent)
	slices.SortStableFunc(sent, func(a, b int32) int {
		return t.Actors[t.Messages[a].Receiver].ID.Compare(t.Actors[t.Messages[b].Receiver].ID)
	})
	return t.ordered(sent, model)
}

// ordered gives those of the messages that come in an order under the model.
func (t *Trace) ordered(sent []int32, model Model) (ids []ID) {
	for _, m := range sent {
		if model != Bag || t.Messages[m].Kind == System {
			ids = append(ids, t.Messages[m].ID)
		}
	}
	return ids
}

// othersSent reports whether event e has sent what has its place among what a step sends, under the models that keep an
// order.
func (t *Trace) othersSent(e int) bool {
	return slices.ContainsFunc(t.Events[e].Sent, func(m int32) bool { return !t.Messages[m].Unordered() })
}
