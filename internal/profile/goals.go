package profile

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/trace"
)

// Bounds on the goals of receives of one type, about 30,000 in all: the first receives of the first actors.
const (
	maxRivals = 256
	rivals    = 16
)

// Goals numbers what an execution can add to others. That is an order of two different message types at actors of a
// type, or an order of two messages of one type at an actor. Types mean the same in every execution; two messages of
// one type are told apart by identity.
type Goals struct {
	numbers map[trace.ID]int32
	groups  map[trace.ID]map[trace.ID]bool // receives of one type by one actor that have goals
}

// NewGoals numbers nothing yet.
func NewGoals() *Goals {
	return &Goals{numbers: map[trace.ID]int32{}, groups: map[trace.ID]map[trace.ID]bool{}}
}

// Of gives the goals that an execution achieves, and after how many of its events it has those that are not in old: 0
// if all are.
func (g *Goals) Of(tr *trace.Trace, old bitset.Set) (all bitset.Set, events int) {
	byActor := make([][]int32, len(tr.Actors)) // messages
	for e := range tr.Events {
		if !cover.Asynchronous(tr, e) {
			continue
		}
		s := &tr.Events[e].Step
		y := &tr.Messages[s.Message]
		for _, m := range byActor[s.Actor] {
			n := g.number(tr, &tr.Messages[m], y)
			if n < 0 || all.Has(n) {
				continue
			}
			if all = all.With(n); !old.Has(n) {
				events = e + 1
			}
		}
		if !g.repeats(tr, byActor[s.Actor], y) {
			byActor[s.Actor] = append(byActor[s.Actor], s.Message)
		}
	}
	return all, events
}

// repeats reports whether a receive makes no order with later ones that an earlier one of its type does not make.
func (g *Goals) repeats(tr *trace.Trace, earlier []int32, y *trace.Message) bool {
	if g.rival(tr, y) {
		return false
	}
	for _, m := range earlier {
		if tr.Messages[m].Type == y.Type {
			return true
		}
	}
	return false
}

// rival reports whether receives of this message have goals with others of its type.
func (g *Goals) rival(tr *trace.Trace, m *trace.Message) bool {
	key := tr.Actors[m.Receiver].ID.With(m.Type.Hash)
	group := g.groups[key]
	switch {
	case group[m.ID]:
		return true
	case group == nil && len(g.groups) == maxRivals || len(group) == rivals:
		return false
	case group == nil:
		group = map[trace.ID]bool{}
		g.groups[key] = group
	}
	group[m.ID] = true
	return true
}

// number gives the number of the goal that x comes before y, -1 if it is none.
func (g *Goals) number(tr *trace.Trace, x, y *trace.Message) int32 {
	var id trace.ID
	if x.Type == y.Type {
		if !g.rival(tr, x) || !g.rival(tr, y) {
			return -1
		}
		id = x.ID.WithID(y.ID)
	} else {
		id = trace.ID{}.With(tr.Actors[y.Receiver].Type.Hash).With(x.Type.Hash).With(y.Type.Hash)
	}
	n, ok := g.numbers[id]
	if !ok {
		n = int32(len(g.numbers))
		g.numbers[id] = n
	}
	return n
}

// Choose gives the indices of few sets with all that the sets have, at most so many. It always takes the one that adds
// most, the first of those that add as much. Then it leaves out those of which the others have everything.
//
//	source:     the greedy algorithm for set cover, within a factor of ln n of the fewest
//	invariants: I1 unless there are more than most, the chosen have what all have, and none of the chosen could be left
//	               out
//	checked by: goals_test.go
func Choose(sets []bitset.Set, most int) []int {
	var chosen []int
	var have bitset.Set
	for len(chosen) < most {
		best, adds := -1, 0
		for i := range sets {
			if n := sets[i].Beyond(have); n > adds {
				best, adds = i, n
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		have = have.Union(sets[best])
	}
	return needed(sets, chosen)
}

// needed leaves out of the chosen what the others have.
func needed(sets []bitset.Set, chosen []int) []int {
	for i := 0; i < len(chosen); {
		var others bitset.Set
		for j, c := range chosen {
			if j != i {
				others = others.Union(sets[c])
			}
		}
		if sets[chosen[i]].Beyond(others) == 0 {
			chosen = append(chosen[:i:i], chosen[i+1:]...)
		} else {
			i++
		}
	}
	return chosen
}
