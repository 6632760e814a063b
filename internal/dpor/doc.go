// Package dpor holds source-DPOR and optimal DPOR. Both execute a class, look for its races, and have the state before
// each race explore the other order. They are algorithms 1 and 2 of [AAJS14]. docs/algorithms.md has their pseudocode;
// comments here name its lines and lemmas.
//
//	search.go            the depth-first walk that source and optimal share, with sleep sets
//	branching.go         what tells the two apart
//	node.go              states on the path, and macro-steps beyond one execution
//	instep.go            choices in the middle of a step
//	sleepset.go          sleep sets, of steps with choices in their middle
//	rank.go              which step is preferred: orders of actors
//	reversal.go          races, and what follows when one is reversed
//	reach.go             which events may not happen after a given one
//	source.go            source-DPOR
//	slept.go             old steps whose races source looks at again
//	wakeuptree.go        wakeup trees; wakeupinsert.go: what is added to them
//	optimal.go           optimal DPOR
//	settled.go           races that it need not look at again
//	waking.go            values of choices that optimal left out, and has to explore after all
//	divide.go            the search divided into items, for several processes
//	divide_write.go      items as bytes; divide_read.go: and back
//	divide_forward.go    sequences for nodes that another item owns
//	divide_wait.go       when a branch of a divided optimal search may begin
package dpor
