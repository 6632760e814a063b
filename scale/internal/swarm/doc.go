// Package swarm shares one exploration among machines: a coordinator, and agents that execute its tasks.
//
//	record.go      what agents have to know of a job, and who vouches for it; epoch.go: when that changes
//	result.go      what they answer with
//	transport.go   the coordinator's side of the queue: results are folded, what they left is published
//	budget.go      how many executions each task may make, where their number is bounded
//	coordinate.go  one run of a test binary, whose explorations become jobs; end.go: how it leaves them
//	targets.go     the same for the targets of rehearse target, which are known from the beginning
//	watch.go       what both look after beside results: agents (workers.go), and the queue
//	agent.go       a machine's side: finding jobs, fetching what they run
//	crew.go        the processes of an agent that work at a job
//	hand.go        one process of an agent: pull, execute, answer, acknowledge; explorer.go and searcher.go execute
//	about.go       what an agent tells of itself, and which machine it is on
//	progress.go    how far it is, as a line and as JSON; status.go: the same for whoever asks
//
//	assumes:    the strategy is explore.Divisible, and its parts do not wait for each other
//	            package streams: a task has one result, the first that was stored; results are read in one order by all
//	invariants: I1 the tally is a function of the results in their order. So are the names of tasks, and what they hold.
//	               Whoever starts the coordinator again has the same tasks
//	            I2 a task without a result is open, and published again if the queue does not have it
//	            I3 an agent answers before it acknowledges: a task that nobody answered comes back
//	            I4 so the sums are those of one process, whoever dies when, as in package parallel
//	            I5 an agent runs nothing but what the digest in the record names; beyond loopback only if a trusted key
//	               vouches for the record
//	checked by: swarm_test.go, with servers, agents and coordinators that are killed
package swarm
