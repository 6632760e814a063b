// Package reverse holds reverse search, the reduction that walks a tree of classes which its parent function alone
// defines. It applies [AF96] to classes of executions. docs/algorithms.md has its pseudocode, lines V1 to V7;
// docs/decisions/0008 has the argument.
//
// Where the pseudocode has a step t of S, code has the number p of its macro-step. C is then what comes before p. A
// step x that could come before t is macro-step i, or message m if it may not have happened. P is called past.
//
//	reverse.go         the walk
//	class.go           a class, taken apart into macro-steps
//	must.go            of which beginnings the fixed scheduler makes the class at hand
//	pairs.go           the pairs of macro-steps of which the second may come instead of the first
//	order.go           the same where fifo and causal hold messages back
//	children.go        the children of a class
//	rank.go            which of several deviations at one step comes first, so that a class is read in one way
//	follow.go          the fixed scheduler, simulated on the record of a class
//	path.go            the choices of a class, which it shares with its parent
//	record.go          what is kept of a class while its children are visited
//	divide.go          items of the search, for several processes
//	siblings.go        several children of one class as one item
//	effects.go         the fixed scheduler where effects are declared
//	overtake.go        a step that is moved where effects are declared
//	spread.go          its children: what may come before it
//	doubt.go           what it cannot answer for
//	bounded.go         reverse search up to so many deviations
//	bounded_divide.go  items of it
package reverse
