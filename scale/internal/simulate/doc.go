// Package simulate plays a swarm in virtual time: workers, the server, the coordinator, and the protocol by which busy
// workers divide what they have. It answers what cannot be measured on one machine: what a thousand workers do to one
// server and one coordinator, and what gives first.
//
//	options.go  what is simulated; costs.go: what was measured
//	clock.go    virtual time: events, and stations that do one thing after the other
//	swarm.go    the run: workers, queue, coordinator
//	report.go   what came of it
//
// The model. All work is one task at the start. A worker executes its task until it is done, until it was asked to
// split, or until Report is over. Then it publishes a result with the rest as tasks. It has no idea how large these
// are: their sizes are a Pareto distribution's. The coordinator folds results and publishes the tasks in them. Every
// Poll it asks for the depth of the queue. Where workers wait and no task does, it asks busy ones to split.
//
//	assumes:    the server and the coordinator do one thing after the other, on a core each. Both can do better
//	            workers have a core each, never fail, and divide without losing work
//	invariants: I1 the work that is executed is the work that there was
//	            I2 the same options give the same report
//	checked by: simulate_test.go
package simulate
