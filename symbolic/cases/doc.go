// Package cases finds test cases of handlers and functions: classes of inputs with what comes of them, and one small
// instance of each.
//
//	target.go    what can be tested; program.go: the packages
//	suite.go     the cases of a target; config.go: bounds and policies
//	case.go      what is told of a case; name.go: its name
//	instance.go  which of its inputs is told, and made small
//	assume.go    what is assumed of messages and states; place.go: what names in it mean; restrict.go: that cases have it
//	start.go     where actors come from; reach.go: whether the state of a case that fails can come about; chain.go: the
//	             run of such a way
//	kept.go      fields that nobody writes after that
//	universe.go  what there is to cover; coverage.go: what is covered, and why not the rest; sparing.go: fewer cases that
//	             cover the same
//	report.go    suites for people and programs; print.go: cases
//
// # Which way a target takes
//
// Functions, and handlers that do not wait, have a case for each path that package exec finds. A handler that waits for
// an answer or a condition, or goes on with a continuation, goes through package tasks, in which the actors that it
// creates answer. Where tasks cannot execute it, the paths of package exec stand for it: the answer is an input, and a
// note of the suite says so.
//
// # Whether a failure can happen
//
// Any state is an input of a handler, also one that the actor never has. So for a case that fails a way to its state is
// searched for. A way begins at a constructor, or at a place where the actor is made and handed to the framework. Then
// come messages of the same actor. Each way is executed symbolically as a whole, and the solver is asked for the case's
// conditions where its message is handled. A failure without a way is told with the reason.
//
//	source:     [aPET13] section 2.2
//	differs:    a failure is told apart by whether its state can come about; fields that nobody writes keep what
//	            constructors give them
//	assumes:    as packages exec and tasks; any message of a known handler may come at any time
//	invariants: I1 the instance of a case satisfies its conditions. I2 two cases of a target have different schedules or
//	               exclude each other.
//	            I3 what a bound leaves out is counted in Suite.Cuts.
//	            I4 an execution of Case.Reached fails as the case does, if that is exact
//	cost:       that of the exploration, a few questions to the solver for each input of a case, and for a case that
//	            fails an exploration for each way
//	checked by: cases_test.go, assume_test.go, kept_test.go; greedy_test.go tries all choices of cases; reach_test.go
//	            executes what is reached with the native program of till_test.go
package cases
