// Package wild compares strategies on random programs of protoactor-go that use most of what the framework offers. It
// compares those without a clock with the plain framework too. A program is a table that ordinary actors interpret.
//
//	program_test.go  the table
//	draw_test.go     how it is drawn
//	actor_test.go    what an actor is: its life, what it notes, which part of the table it does
//	deeds_test.go    what it does by messages, about other actors and alone; futures_test.go: about futures;
//	                 around_test.go: about what surrounds actors
//	props_test.go    supervision and middleware
//	world_test.go    set-up, the test's part, routers, the end
//	hunt_test.go     strategies against naive, under every delivery model
//	plain_test.go    the plain framework, with its own mailboxes and goroutines, against what is explored
//	minimise_test.go a program that fails, made small
//	small_test.go    small programs on which a result was wrong
//
// An execution ends in what each actor noted, in its order.
package wild
