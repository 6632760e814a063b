// Package dpor holds the reductions that execute every class of executions and none twice.
//
//	search.go            the depth-first walk that source and optimal share, with sleep sets
//	glued.go             choices in the middle of a step
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
//	reverse.go           reverse search: the walk
//	reverse_class.go     a class, taken apart into macro-steps
//	reverse_must.go      of which beginnings the fixed scheduler makes the class at hand
//	reverse_children.go  the children of a class
//	reverse_rank.go      which of several deviations at one step comes first, so that a class is read in one way
//	reverse_follow.go    the fixed scheduler, simulated on the record of a class
//	reverse_path.go      the choices of a class, which it shares with its parent
//	reverse_record.go    what is kept of a class while its children are visited
//	reverse_divide.go    items of the search, for several processes
//	reverse_effects.go   the fixed scheduler where effects are declared
//	reverse_taking.go    a step that is moved where effects are declared
//	reverse_spread.go    its children: what may come before it
//	reverse_doubt.go     what it cannot answer for
//	bounded.go           reverse search up to so many deviations
//	bounded_divide.go    items of it
//	divide.go            items of source and optimal, for several processes
//	divide_write.go      the same as bytes
//	divide_read.go       and back
//	divide_tell.go       sequences for wakeup trees that are lent, without their execution
//	divide_wait.go       when a branch of a divided optimal search may begin
//	hurry.go             a budget of time that ends while a search plans
package dpor
