package dpor

import "github.com/rehearse-go/rehearse/trace"

// This file: all that tells source and optimal apart. The walk asks it and never which of the two it is.
//
//	source:     [AAJS14], where algorithm 2 differs from algorithm 1
//	differs:    source                                       optimal
//	            a node keeps steps to begin with             a wakeup tree of sequences
//	            what is next there: the next of them         the tree's next branch
//	            a step sleeps under all its choices          under those that were explored,
//	            or none, so some classes come twice          so none does
//	            a step may be begun whenever it is open      when all that it relies on is done (divide_wait.go)
//	checked by: twin_test.go and small_test.go, against brute force, for both

// brancher is what tells the strategies apart.
type brancher interface {
	// first picks a step at a new node, -1 if there is none that is worth it.
	first(n *node, tr *trace.Trace, enabled []trace.Step) int
	// alternatives reports whether this value is to be explored, besides another, of the choice at node n in the middle of
	// the macro-step of m, where none is prescribed.
	alternatives(m, n *node, value *label) bool
	// next picks the next step of a node whose chosen step is done; false: none is left.
	next(n *node) (label, bool)
	// remaining counts the steps that are still to be explored from a node besides the chosen one, as far as they are
	// known.
	remaining(n *node) int
	// skips reports whether the macro-step of m is not to be explored from there with choices that begin with path.
	skips(m *node, path []trace.ID) bool
	// postpones puts the last node back, with what is left there, if step l must not be begun before what others execute
	// is over. In the middle of a macro-step l is a value.
	postpones(n *node, l *label) bool
	// executed takes in what the chosen step of a node did under the choices of a leaf.
	executed(n *node, l *leaf)
	// repeats reports whether an execution of the class of the present one came before.
	repeats() bool
	// races looks for what to explore besides the execution that is over; its events are [0, end).
	races(end int32)
}

// branches are what is to be explored from a node besides its chosen step.
type branches struct {
	todo   []label   // source: backtrack set, without what was explored
	wakeup []*branch // optimal: the wakeup tree; its first branch is being explored
}
