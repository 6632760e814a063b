// Package tap is the engine of [TAP18]: backward symbolic execution of actor programs, statement by statement, from a
// target to the messages from outside that lead to it.
//
//	configuration.go  symbolic configurations <alpha | mu | phi | chi> (section 5, Figure 9), and times
//	rule.go           the interface of rules; one type a rule, named as in the figures
//	actors.go         Figure 10: what actors do      matching.go  and what comes of it      handover.go  what an event hands over
//	local.go          Figure 14: computations        update.go, allocate.go, branch.go
//	calls.go          Figure 15: calls               others.go, accept.go, become.go, functions.go, await.go, maps.go, told.go, answers.go, defers.go, globals.go    what the paper has no need of
//	change.go         substitutions, at once in the path condition, late in pending events
//	values.go         Go values as terms             memory.go    read and update       operand.go  operands of go/ssa
//	behaviour.go      what actors are created from   producer.go  by whom      initial.go, initialmap.go   the start configuration
//	program.go        classes, callees, and the message flow graph
//	guide.go          what the message flow graph says of a request
//	search.go         section 5.2: depth first, a solver check at every branch    start.go   where it begins    choose.go  by weighted chance
//	select.go         which transitions are possible, and which of them lead nowhere else than others do
//	hopeless.go       what cannot end within the bounds    fifo.go  channels that keep order, and what cannot end with them
//	feedback.go       feedback by unsatisfiable cores
//	answer.go         from an accepting configuration to messages and an order
//
// The statements are the instructions of go/ssa: its registers are the print's variables, since both are assigned once.
// A call of a framework's function is what package model says it is; calls of functions of the program are executed,
// others are outside. What is not modelled makes no path longer or shorter. A search that depends on it gives up that
// path and names the place, and a search that found nothing says Infeasible only if there was no such place.
//
// These are not modelled, and a path through one of them is given up, with its place. Of messages: answers that do not
// come, stashes, messages of the framework's own other than Started and ReceiveTimeout, and what is on its way at the
// start. Of actors: what is done behind an answer (ReenterAfter) or when a condition holds (AwaitUntil), and start
// hooks. Of Go: goroutines, package variables that something changes, and what comes after a panic. Deferred calls that
// not every way to the return makes once, and loops that change the map that they go through. Watch and names are
// without effect. Where an actor has changed its behaviour before the start, a search never says Infeasible. An actor
// that others stop has handled its messages before: other paths are given up.
//
//	source:     [TAP18] sections 3 to 6, Figures 9, 10, 14 and 15
//	differs:    each rule says it where it does; of the whole: the search has bounds and begins anew (search.go), what
//	            commutes is taken in one order (select.go, choose.go), runs that do nothing are left out and classes have
//	            no more actors than there can be (hopeless.go), times are no part of the path condition
//	            (configuration.go), delivery is a bag or FIFO, as in the paper: neither causal order nor mailboxes
//	assumes:    actors share no memory; messages are not changed after they were sent
//	invariants: I1 a configuration is not changed once its transitions are asked for
//	            I2 the variables and the memory of two actors have different names, so that their statements commute
//	cost:       exponential in what is handled; a step is linear in the path condition
//	checked by: rules_test.go and told_test.go, a place for each rule; tap_test.go and paper_test.go, the paper's
//	            programs; twin_test.go, the search over summaries finds what this one does; toys_test.go, random systems,
//	            with changes of behaviour, Await and maps among them, by brute force: nothing that can be reached is
//	            called infeasible, and what is found is executed
package tap
