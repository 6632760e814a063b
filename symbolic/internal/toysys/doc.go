// Package toysys makes random small actor systems for tests, and prints them as Go programs of native actors. It also
// says by brute force which of their places can be reached: the dumb twin of the search for targets.
//
//	system.go   what a system is
//	random.go   random ones; draw.go: their parts; wide.go: what only some have
//	print.go    a system as Go source; text.go: its statements
//	world.go    a state of the twin, as it is copied and compared
//	enabled.go  which moves there are under each delivery model
//	moves.go    what a move does
//	run.go      what a handler does; talk.go: messages, calls, answers; time.go: timers; panics.go: panics, start hooks,
//	            messages put aside
//	reach.go    the enumeration of all values, messages and orders
//	supervised.go  random systems of protoactor-go, which restarts actors; supervisedtext.go: as Go source
//	shrink.go   the smallest system that still shows something
//
// The brute force knows native actors. Systems of protoactor-go are compared with their own compiled programs, executed
// in all orders.
//
// The twin shares no code with the product. It follows docs/ARCHITECTURE.md ("Delivery models") and decision 0007 as
// literally as it can, by plain enumeration of copied states.
//
// Values of messages are used behind a mask or a guard. So the few values that the twin tries stand for all integers.
package toysys
