// Package cover holds coverage of orders: which pairs of receives were seen in which order, and schedules that bring
// pairs into orders not seen yet.
//
//	goal.go       the criteria: which pairs an execution achieves
//	achieved.go   the pairs achieved so far, across executions
//	base.go       an execution made ready to be reordered: what must happen before what
//	clock.go      what comes before a place, as a vector
//	frame.go      the places of a base under each delivery model
//	generate.go   schedules for goals that are open: the paper's Algorithms 1 to 3
//	speculate.go  schedules for goals that look impossible
//	follow.go     following a schedule as far as it goes
//	greedy.go     what follows a schedule: the step that achieves most
//	literal.go    the strategy of the paper
//	star.go       ours
//	shared.go     ours in rounds, for several processes
//	told.go       goals as bytes, for them
//	options.go    the words behind the slash in its name
//
//	source:     [Bita13] (Bita): sections III to V
//	differs:    must-happen-before knows our five delivery models (base.go); a schedule that cannot be followed is
//	            helped, then shortened, never waited for (follow.go); the default strategy is another (star.go)
//	checked by: the paper's figures; a plain transcription of its definitions (plain_test.go) on random programs
package cover
