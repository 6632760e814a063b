// Package guide holds the strategy that follows an order given by names: receives, timeouts, chosen values and injected
// faults.
//
//	match.go   which steps an entry names
//	guide.go   the strategy: execution after execution, until one follows the order
//	tree.go    what was tried, as a tree of choices; which of them to try next
//	learn.go   what failed tries teach: what leads to an entry, and what came too early
//	key.go     beginnings that are equivalent
//	why.go     in words, why an order could not be followed
//
// An execution follows an order if its steps from the first to the one of the last entry are of two kinds. There are
// the steps that the entries name, in their order. And there are fillers, none of which an entry still to come names.
// So the first step that an entry names is its step. Which fillers there are to be is searched for: fewer are tried
// before more, as far as the causes of the entries are known.
//
//	invariants: I1 no filler is a step that an entry still to come names, and none is a fault
//	            I2 a choice is given up only if everything below it was tried, or an equivalent beginning was
//	cost:       an execution for each try; a tree of the choices that were met
//	checked by: twin_test.go against an enumeration of all executions
package guide
