// Package dpor holds source-DPOR and optimal DPOR, the reductions that find new classes by the races of those that were
// executed.
//
//	search.go            the depth-first walk that source and optimal share, with sleep sets
//	branching.go         what tells the two apart
//	node.go              states on the path, and macro-steps beyond one execution
//	instep.go             choices in the middle of a step
//	sleepset.go          sleep sets, of steps with choices in their middle
//	rank.go              which step is preferred: orders of actors
//	reversal.go          what follows when a race is turned round
//	reach.go             up to where steps come that do not happen after a given one
//	source.go            source-DPOR
//	slept.go             old steps whose races it looks at again
//	wakeuptree.go        wakeup trees; wakeupinsert.go: what is added to them
//	optimal.go           optimal DPOR
//	settled.go           races that it need not look at again
//	waking.go            values of choices that optimal left out, and has to come back to
//	divide.go            items of source and optimal, for several processes
//	divide_write.go      the same as bytes; divide_read.go: and back
//	divide_tell.go       sequences for wakeup trees that are lent, without their execution
//	divide_wait.go       when a branch of a divided optimal search may begin
package dpor
