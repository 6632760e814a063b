// Package target searches for messages and an order in which actors handle them so that a line is reached: backwards,
// from the line.
//
//	target.go    what is asked for, and what comes of it
//	engine.go    the loop: the cheapest node is taken, looked at, and extended
//	library.go   which handlers there are, and what they send, create and write
//	route.go     one path of a handler, with its names made fit for composing
//	node.go      nodes: steps, the history of each actor, where messages come from
//	values.go    what the variables of a step are, by the node; state.go: what an actor holds before and after a step
//	twins.go     actors of the start that nothing tells apart
//	evaluate.go  the conditions of a node, loose and tight
//	extend.go    what a node is extended by; feedback.go: what cores say
//	order.go     the delivery models: what precedes what
//	deliver.go   messages that were sent and not received
//	flow.go      which actor may get which message on which path, from constants; view.go: of one path
//	forward.go   chains of messages between actors, simulated
//	plan.go      from a node to a plan; near.go: how far it came
//	atend.go     checks at the end of a test, and of its Config: the paths that write what they look at
//	reason.go    why an exhausted search is no proof; shared.go: memory of several actors; confined.go: whether handlers
//	             alone reach the target
//	judge.go     what a search forward says then
//
// # The algorithm
//
// A node says what must be part of a way. That is messages that are handled, each by one path of its handler, in one
// order for each actor, and where some of the messages come from. It stands for all ways of which this is a part: more
// may be handled before, and in between. The search begins with the paths that reach the target, and asks of each
// message where it comes from. It comes from outside, from a handler that is part of the node, or from one that becomes
// part of it.
//
// What an actor holds before a step is not known as long as steps may be put in between. So the conditions of a node
// leave it open (loose): where they exclude each other, the node stands for nothing. When all messages have a source,
// it is asked whether the node is a way as it is. Then what an actor holds is what the step before has left, and these
// equations (links) are conditions of their own (tight). If they do not fit, the core names the links that are too
// much. The next nodes have one more step right before the step of such a link, which writes what the link is about.
//
//	source:     backward symbolic execution along the message flow graph as in [TAP18] section 5: handlers are atomic
//	            (H1), created actors are preferred among those that are there (H2), and unsatisfiable cores lead to the
//	            definitions of what they are about (feedback)
//	differs:    summaries of handlers instead of statements; links are loose, so that pruning is sound although steps are
//	            put in between; the delivery models are part of the search; what is found is executed as a whole before
//	            it counts
//	assumes:    what package exec assumes; a panic or a failed assertion ends an execution, so that nothing is handled
//	            after it
//	invariants: I1 every way within the bounds that a node stands for is one that a successor stands for, or the node
//	               itself is that way
//	            I2 a condition of a node holds in all ways that it stands for
//	            I3 the same target, start and bounds give the same nodes in the same order
//	cost:       exponential in the steps; a node costs one or two questions to the solver
//	checked by: golden_test.go and proto_test.go with counts of nodes and questions; toys_test.go: the brute-force twin
//	            of random systems, and their execution
package target
