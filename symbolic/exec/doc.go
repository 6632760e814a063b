// Package exec executes Go functions on symbolic inputs, and gives each way through them as a Path.
//
//	explore.go  the loop over decisions; config.go: its bounds
//	path.go     what is told of a path; flatten.go: its values under names; readable.go: its conditions for people
//	run.go      one execution: decisions, conditions, marks, and how it ends
//	values.go   values; place.go: names of inputs
//	lazy.go     inputs, made when somebody looks, and zero values
//	pointers.go, slices.go, maps.go, faces.go: those that need decisions
//	memory.go   loading and storing; globals.go: package variables
//	frame.go    the calls of functions; instr.go: instructions; branch.go: control flow and loops
//	arith.go    operators; convert.go: conversions; equal.go: comparison; builtin.go: builtin functions
//	call.go     who is called; panics.go: panics, defer and recover
//	drive.go    several handlers in one run
//
// # The algorithm
//
// A function is executed from its beginning for every path, with a prefix of decisions that leads to the path. Where a
// condition is no constant, the execution asks the solver which of its outcomes are possible, takes the first, and
// leaves the others as prefixes for later executions. Nothing is copied, and nothing is merged. An input is named by
// its access path, and nothing of it is decided before an instruction needs that.
//
//	source:     symbolic execution as in [TAP18] and [aPET13], which leave the execution itself to other tools; lazy
//	            initialisation of inputs
//	differs:    executed again instead of copied (stateless); pointers among inputs lead to different objects unless
//	            Config.Alias is set
//	assumes:    integers of 64 bits; no data race; nobody reaches fields by package unsafe
//	invariants: I1 the conditions of two paths exclude each other. I2 every input satisfies the conditions of a path, if
//	               it is of the types that are told as closed. I3 a path without marks does what the compiled function
//	               does. A cut is a path that says what was not executed
//	cost:       instructions x paths, and one question to the solver for each outcome of a decision that is not the last
//	            possible one
//	checked by: twin_test.go: random functions, compiled and executed on concrete inputs
package exec
