// Package dpor holds the reductions that execute every class of executions and none twice.
//
//	search.go          the depth-first walk that source and optimal share, with sleep sets
//	glued.go           choices in the middle of a step
//	sleepset.go        sleep sets, of steps with choices in their middle
//	rank.go            which step is preferred: orders of actors
//	reversal.go        what follows when a race is turned round
//	source.go          source-DPOR
//	wakeuptree.go      wakeup trees
//	optimal.go         optimal DPOR
//	reverse.go         reverse search: the walk
//	reverse_record.go  a class as the search reads it, and its children
//	reverse_follow.go  what the fixed scheduler makes of a beginning, decided on a record
//	reverse_divide.go  its items, for several processes
//	reverse_doubt.go   what it cannot answer for
//	bounded.go         reverse search up to so many deviations
package dpor
