// Package reachtest writes a Go test of a way through a whole program, and executes it before anybody is shown the way.
//
// The test is a copy of the driver, with the messages that were found in place of those that the driver sends, and an
// order to follow: rehearse.Config.Guide. It counts only if the order is followed to its end and the target is executed
// meanwhile, in the real program.
//
//	driver.go   where the source makes the system: the functions that are copied
//	turn.go     drivers of table tests: the turn of a loop that makes the system
//	calls.go    which statements of it send from outside, and which expressions are actors
//	edit.go     changes of source text
//	unused.go   what nothing uses any more
//	messages.go the messages that were found, as statements
//	config.go   the Config of the Check
//	write.go    the test
//	run.go      its execution
//	pin.go      what it asserts; states.go: what its actors hold in the end, as executions write it down
//	orders.go   the other orders of its messages
//	starts.go   drivers that are run for real, up to what they make
//	shown.go    which failing checks the tests that are there show
//	line.go     which blocks are on a line
//
// It assumes that the driver is a function of the package that its test is in. What cannot be written is an
// *Unwritable, with the reason.
package reachtest
