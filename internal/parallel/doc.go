// Package parallel shares an exploration among worker processes of one machine, and keeps it in a file so that it can
// go on after whatever process was killed.
//
//	protocol.go     what the processes tell each other: leases of items, reports
//	executor.go     a worker: executes a lease
//	worker.go       a worker: its line to the coordinator
//	process.go      the coordinator: starting workers, noticing their deaths
//	tally.go        what was counted and found so far, which items are open
//	tree.go         nodes above open items, and what was found for them
//	wait.go         items that must wait for others
//	numbered.go     items of samples
//	queue.go        which items are handed out together
//	coordinator.go  the coordinator: hand out, until nothing is open; hear.go: take reports, bury workers
//	file.go         the tally in a file
//
//	assumes:    the strategy is explore.Divisible: its items do not overlap, and mean the same in every process
//	            an explore.Joiner's find work for each other, which is part of their reports
//	invariants: I1 an item is open, or done by exactly one report; the items that a report adds are what the done ones
//	               had left
//	            I2 what was executed counts when its report is in the tally (and in the file, if there is one), in whole
//	               or not at all
//	            I3 so the sums are those of one process, whoever dies when: nothing is lost, and nothing counted twice
//	            I4 after a stop nothing that is not bounded comes before the next look at it: what is not done then is
//	               open as it was
//	checked by: parallel_test.go; parallel_test.go of the root package with real processes, which are killed
//
// Decision 0009 (docs/decisions) tells why it is so.
package parallel
