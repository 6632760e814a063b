package reverse

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds what is kept of a class while its children are visited, and the macro-steps that it is made of.
//
//	source:     ours
//	invariants: I1 a record suffices to execute the children: the class itself is not needed any more
//	            I2 macro-steps are of the class at hand; the next class overwrites them
//	cost:       memory: what the class does not share with its parent (path.go), and the children that are left
//	checked by: heap_test.go, which measures; divide_test.go, which executes children from their records alone

// record is what is kept of a class while its children are visited.
type record struct {
	path     *path     // its choices
	children []child   // still to be visited
	spreads  []*spread // more of them, not made yet
	outline  *outline  // for these
	share    int       // children that are given away together, 0 if none were
}

// displaced is what a deviation came before.
type displaced struct {
	t  trace.ID // the step that S would have taken
	at int32    // choice of the step that came instead
}

// child is a class that differs from its parent by one more deviation.
type child struct {
	at   int32    // so many choices are the parent's
	past []int32  // then these of the parent's choices,
	same []int32  // then these, which are the step that deviates and what it chose; or, where what it does is another now,
	x    trace.ID // this step
	t    trace.ID // in the place of this one

	deviates int32 // with same: the macro-step
}

// plan appends the choices that lead to the child, and their labels.
func (rec *record) plan(c child, ids []trace.ID, labels []stepLabel) ([]trace.ID, []stepLabel) {
	ids, labels = rec.path.first(int(c.at), ids, labels)
	for _, k := range c.past {
		ids = append(ids, rec.path.at(k))
		labels = append(labels, deviating)
	}
	for _, k := range c.same {
		ids = append(ids, rec.path.at(k))
		labels = append(labels, deviation)
	}
	if len(c.same) > 0 {
		return ids, labels
	}
	return append(ids, c.x), append(labels, deviation)
}

// displacedBy appends what the deviations of the child came before.
func (rec *record) displacedBy(c child, ds []displaced) []displaced {
	ds = rec.path.displaced(int(c.at), ds)
	return append(ds, displaced{c.t, c.at + int32(len(c.past))})
}

// block is a macro-step of the class at hand.
type block struct {
	lo, hi   int32 // its choices
	event    int32 // its first event
	end      int32 // after its last event
	depth    int32
	base     int32 // with declared effects: but for what its actor did before,
	floor    int32 // and what that makes it at least
	shares   bool  // its actor's sequence of steps, which it does not write
	id       trace.ID
	actor    int32
	message  int32
	barriers int32 // advances of the clock before it
	due      int32 // of them those before it became possible: it may have been refused since
	idle     int32 // of them those before its actor had nothing else in hand; see idleFor
	label    stepLabel
	least    bool // S would have made all its choices so
	odd      bool // it does more than to send user messages
	past     bitset.Set
}

// before orders the keys of S.
func (b *block) before(depth int32, id trace.ID) bool {
	return b.depth < depth || b.depth == depth && b.id.Less(id)
}
