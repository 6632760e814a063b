package profile

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/trace"
)

// This file notices that two receives of one type came in both orders.
//
//	source:     [Bita13] section III-B, pairs by the identity of their messages
//	differs:    what is known of a pair is a bit, since only whether both orders were seen counts; bounds on what is kept
//	invariants: I1 bit j of after[i] is set once receive i came before receive j in an execution
//	            I2 what is beyond the bounds is not seen, and never taken for seen
//	cost:       a receive is a few operations on words, and a search for its place where the order is a new one
//	checked by: collect_test.go, against the definitions and at the bounds

// Bounds on what is kept of receives of one type, 2 KiB a group: the first receives of the first actors.
const (
	maxGroups = 4096
	groupSize = 64
)

// reversals knows in which orders the receives of one type came at an actor, by the identity of their messages
// ([Bita13] section III-B), until two of them came in both. What is beyond the bounds is not seen.
type reversals struct {
	groups map[groupKey]*group
}

type groupKey struct {
	actor trace.ID
	of    *actorType
	typ   int32
}

// group is the receives of one type at one actor in all executions.
type group struct {
	ids   [groupSize]trace.ID
	n     int
	after [groupSize]uint64 // those that came after it in some execution
	known [groupSize]uint64 // those that came before it, as after has it
}

// row is the receives of a group in one execution.
type row struct {
	group *group
	seen  uint64
	next  int // where in the group the next one was last time, probably
}

// reverses adds a receive of a type that was met before, and reports whether it came after one that it came before in
// another execution.
func (r *reversals) reverses(tr *trace.Trace, of *actorType, m *met, message int32) bool {
	if m.group == nil {
		actor := tr.Actors[tr.Messages[message].Receiver].ID
		if m.group = r.group(groupKey{actor, of, m.typ}); m.group == nil {
			return false
		}
		m.put(tr.Messages[m.message].ID)
	}
	return m.put(tr.Messages[message].ID)
}

// group gives the group, nil if it is one too many.
func (r *reversals) group(k groupKey) *group {
	g := r.groups[k]
	if g == nil && len(r.groups) < maxGroups {
		g = &group{}
		r.groups[k] = g
	}
	return g
}

func (r *row) put(id trace.ID) (reversed bool) {
	i := r.find(id)
	if i < 0 {
		return false
	}
	g := r.group
	r.next = i + 1
	reversed = g.after[i]&r.seen != 0
	for x := r.seen &^ g.known[i]; x != 0; x &= x - 1 {
		g.after[bits.TrailingZeros64(x)] |= 1 << i
	}
	g.known[i] |= r.seen
	r.seen |= 1 << i
	return reversed
}

// find gives the place of a receive in the group, -1 if it is one too many.
func (r *row) find(id trace.ID) int {
	g := r.group
	if r.next < g.n && g.ids[r.next] == id {
		return r.next
	}
	for i := range g.n {
		if g.ids[i] == id {
			return i
		}
	}
	if g.n == groupSize {
		return -1
	}
	g.ids[g.n] = id
	g.n++
	return g.n - 1
}
