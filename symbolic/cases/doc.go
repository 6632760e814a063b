// Package cases finds test cases of handlers and functions: classes of inputs with what comes of them, and one small instance of each.
//
//	target.go    what can be tested; program.go: the packages
//	suite.go     the cases of a target; config.go: bounds and policies
//	case.go      what is told of a case; name.go: its name
//	instance.go  which of its inputs is told, and made small
//	assume.go    what is assumed of messages and states; place.go: what names in it mean; restrict.go: that cases have it
//
// # Which way a target takes
//
// Functions, and handlers that do not wait, have a case for each path that package exec finds. A handler that waits for an answer or a condition goes through
// package tasks, in which the actors that it creates answer. Where tasks cannot execute the handler, since what it waits for is outside of the run, the paths
// of package exec stand for it: the answer is an input, and a note of the suite says so.
//
//	source:     [aPET13] section 2.2
//	assumes:    as packages exec and tasks
//	invariants: I1 the instance of a case satisfies its conditions. I2 two cases of a target have different schedules or exclude each other.
//	            I3 what a bound leaves out is counted in Suite.Cuts
//	cost:       that of the exploration, and a few questions to the solver for each input of a case
//	checked by: cases_test.go
package cases
