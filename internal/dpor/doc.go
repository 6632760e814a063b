// Package dpor holds the reductions that execute every class of executions and none twice.
//
//	search.go      the depth-first walk that source and optimal share, with sleep sets
//	glued.go       choices in the middle of a step
//	sleepset.go    sleep sets, of steps with choices in their middle
//	reversal.go    what follows when a race is turned round
//	source.go      source-DPOR
//	wakeuptree.go  wakeup trees
//	optimal.go     optimal DPOR
package dpor
