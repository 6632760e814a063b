// Package parallel divides an exploration among worker processes, and has it go on after whatever process was killed.
//
//	coordinator.go  the coordinator: offer what is open, fold reports, until nothing is open
//	tally.go        what was counted and found so far, which items are open
//	tree.go         nodes above open items, and what was found for them
//	wait.go         items that must wait for others
//	numbered.go     items of samples
//	suspicion.go    what is held against items that a worker died of
//	protocol.go     what the processes tell each other: leases of items, reports
//	parts.go        items as they travel and as they are kept
//	estimate.go     how many executions there are in all
//
// There are two transports. Pipes is for one machine: the queue is in this process, and a file keeps what counts.
//
//	pipes.go        leases are handed out
//	hear.go         reports are heard, and workers are buried
//	queue.go        which items are handed out together
//	file.go         the tally in a file
//
// The other one, scale/internal/swarm, is for many machines. What is here of it needs no network:
//
//	task.go         items that a worker elsewhere executes together, and the report that closes them
//	deal.go         which new items are a task together
//	hand.go         a process that executes tasks, one after the other
//	elsewhere.go    the line between a test binary and whoever coordinates its explorations
//
// A worker process is the same for both:
//
//	executor.go     executes a lease; tail.go: what an item does when its time is up
//	worker.go       its line to whoever started it
//	process.go      the other end: starting it, noticing its death
//	journal.go      what it was at when it died
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
// Decisions 0009 and 0036 (docs/decisions) tell why it is so.
package parallel
