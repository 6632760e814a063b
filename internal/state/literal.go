package state

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// literal is the comparison of [Basset11] 3.5.1: sorts sets, then linearises.
func (u *units) literal() State {
	flat := sum{color: make([]trace.ID, len(u.words))}
	shallow := make([]trace.ID, len(u.words))
	for i, w := range u.words {
		shallow[i] = flat.of(w)
	}
	order := make([]int, len(u.words))
	for i := range order {
		order[i] = i
	}
	sort := func(part []int) {
		slices.SortStableFunc(part, func(a, b int) int { return compareIDs(shallow[a], shallow[b]) })
	}
	sort(order[:u.actors])
	sort(order[u.actors : u.actors+len(u.messages)])
	return u.state(inOrder(u.words, order), order)
}
