package trace

import "slices"

// This file compares the orders in which a step has sent, where that counts for what may happen next. Identities do not tell it: they are the same in each order.

// Reordered reports whether event e, with the same effects in two executions, has sent in orders that the model tells apart. What actors of the same
// program may handle then differs. Under Mailbox the order of captured sends to different receivers is compared where they are released.
func Reordered(a, b *Trace, e int, model Model) bool {
	x, y := a.ordered(e, model), b.ordered(e, model)
	return !slices.Equal(x, y)
}

// ordered gives what event e has sent as the model keeps it in order: under Causal one row, else a row for each receiver; under Bag system messages only, since
// others come in any order.
func (t *Trace) ordered(e int, model Model) []ID {
	sent := t.Events[e].Sent
	if len(sent) < 2 {
		return nil
	}
	kept := make([]int32, 0, len(sent))
	for _, m := range sent {
		if model != Bag || t.Messages[m].Class == System {
			kept = append(kept, m)
		}
	}
	if model != Causal {
		slices.SortStableFunc(kept, func(a, b int32) int {
			return compareIDs(t.Actors[t.Messages[a].Receiver].ID, t.Actors[t.Messages[b].Receiver].ID)
		})
	}
	ids := make([]ID, len(kept))
	for i, m := range kept {
		ids[i] = t.Messages[m].ID
	}
	return ids
}
