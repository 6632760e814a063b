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
	// first picks a step at a new node (S2, S3, O9); -1: all of them sleep, so the execution is of a known class (L4).
	first(n *node, tr *trace.Trace, enabled []trace.Step) int
	// alternatives reports whether this value is to be explored too, of a choice that was already made otherwise. The
	// choice is at node n, in the middle of the macro-step of node m, and none of its values is prescribed.
	alternatives(m, n *node, value *label) bool
	// next picks the next step of a node whose chosen step is done; false: none is left.
	next(n *node) (label, bool)
	// remaining counts the steps that are still to be explored from a node besides the chosen one, as far as they are
	// known.
	remaining(n *node) int
	// skips reports whether choices that begin with path need not be explored in the middle of the macro-step of node m.
	skips(m *node, path []trace.ID) bool
	// postpones reports whether step l must wait for what other processes execute. Then it has put the last node back,
	// with what is left there. In the middle of a macro-step l is a value.
	postpones(n *node, l *label) bool
	// executed takes in what the chosen step of a node did under the choices of a leaf.
	executed(n *node, l *leaf)
	// repeats reports whether the execution that is over is of a class that was executed before.
	repeats() bool
	// races reverses the races of the execution that is over, whose events are [0, end), and adds to nodes what that
	// gives.
	races(end int32)
}

// branches are what is to be explored from a node besides its chosen step.
type branches struct {
	todo   []label   // source: backtrack set, without what was explored
	wakeup []*branch // optimal: the wakeup tree; its first branch is being explored
}
