// Package tasks finds test cases of a handler of concurrent objects: native actors, and actors of protoactor-go, whose
// handlers wait while others run.
//
//	explore.go    the exploration of a handler; config.go: its bounds and policies
//	scheduler.go  the run of tasks; step.go, deed.go: what it tells of them; operate.go: what handlers of native actors
//	              ask of it
//	proto.go      the same of protoactor-go; ask.go: requests and new actors; futures.go: what comes of requests, and
//	              when
//	pruning.go    which tasks may be in the queue in the beginning
//	case.go       cases; print.go: for people
//
// # The algorithm
//
// A task is one run of a handler. The tested handler runs first. A message to an actor puts a task into that actor's
// queue; a task runs until it ends or waits. The scheduler's choices are decisions without a condition, next to those
// of the program. It chooses which tasks are in the queue in the beginning, the priorities, and under the policy Any
// the next task. So package exec executes each combination of path and schedule once.
//
//	source:     [aPET13] sections 2.1 and 2.2
//	differs:    under Ready, a task that cannot go on is in no queue, as native actors do it; the published counts of
//	            section 2.1.2 are those of Polling. A task whose guard holds goes on at once, and a guard's reads count
//	            as uses before and after the wait. Unless the policy is Any, the actor that was created first goes on
//	            while it can; so messages of different senders come in one order only
//	assumes:    as package exec; messages share no memory with their senders
//	invariants: I1 two cases differ in their schedules or exclude each other. I2 what a bound leaves out is counted in
//	               Result.Cuts
//	cost:       that of package exec, times the schedules
//	checked by: tasks_test.go: the published counts; twin_test.go: cases executed by the native programs; the module
//	            prototest: by programs of protoactor-go
package tasks
