// Package gentest writes Go tests of the cases of handlers and functions, and confirms them by the program as it runs.
//
//	load.go      which sources are read
//	instance.go  inputs of a case: small ones, ones that are all different, ones at the edge of a condition
//	value.go     concrete values as graphs; initial.go: those of the inputs; final.go: those that the path tells
//	eval.go      terms with functions of the standard library in them
//	source.go    values as Go source; names.go: names and imports
//	handler.go   the test of one message to an actor; effects.go: what it has to expect; function.go: the test of a
//	             function
//	reached.go   the test of a finding: from a constructor, with messages before
//	globals.go   package variables
//	package.go   the tests of a package; file.go: its files; command.go: the flags in their headers
//	confirm.go   what the compiled program says to them
//	update.go    how cases and tests differ from those before; pair.go: which came in the place of which; report.go: for
//	             people, and for programs
//
// A generated test states what the code does today. What the real program does not confirm is no test.
package gentest
