// Package system executes whole actor programs symbolically: the driver that makes the actors, then handler after
// handler on the same memory.
//
//	system.go    the vocabulary: drivers, start configurations, plans, ways
//	program.go   programs; drivers.go: where tests and mains make systems; conditions.go: what the Config beside them
//	             asks for
//	start.go     the start configuration of a driver
//	ran.go       that of a driver that was run for real; ranvalue.go: values; rantypes.go: types and functions by their
//	             names
//	begun.go     whether what starts actors has to be run, too
//	world.go     one execution; begin.go: the driver, set-up; handler.go: messages being handled
//	native.go    native actors; call.go: calls and futures; timer.go; stop.go: releases, ends
//	proto.go     protoactor-go; protospawn.go: its actors made; protostep.go: what its actors handle, and how they stop;
//	             protofuture.go: futures; prototimer.go: time; hollywood.go: what is different in Hollywood
//	follow.go    plans followed; need.go: what has to come before a step; order.go: what happened, by names
//	check.go     what the driver's Config says of executions: invariants, the final check
//	search.go    all orders within bounds; state.go: which states are equal; made.go: messages as the driver makes them
//	library.go   functions of the standard library on constants
//
// # What an execution is
//
// The test is executed from its beginning to the place where it makes the system, and from there the function that
// drives the actors. What these do to actors is done here, on the heap that all of them share. Which message is next is
// a question to package internal/delivery, as in executions of compiled programs; actors and messages have the same
// identities and names as there.
//
//	source:  the framework's own code, and packages actor and adapter, of which this is the symbolic counterpart
//	differs: a panic ends the execution; package variables get their values when their package is looked at first
//	assumes: messages of protoactor-go may share memory with who has sent them, as they do there; the environment is
//	         empty; a reference in a message from outside is one of an actor of the program, or nobody
package system
