// Package term holds the values of symbolic execution: what a handler computes from inputs that are not known yet.
//
//	store.go    Store and Term: hash-consed, so equal terms of a store are one pointer
//	sort.go     Sort: booleans, words of 8 to 64 bits, floats, strings; Type: a sort as Go's operators see it
//	logic.go    Not, And, Or, If              compare.go  equality and orders
//	sum.go      sums as coefficients and terms, with all that is linear: Add, Sub, Neg, Scale, Complement, shifts by
//	            constants
//	divide.go   division and remainder         bitwise.go  and, or, xor, shifts
//	extend.go   widening and narrowing         float.go    IEEE arithmetic and conversions    text.go  strings
//	operate.go  Binary, Unary and Convert: Go's operators on Go's types, which pick among the above
//	subst.go    substitution by name, free variables, size, moving a term to another store
//	model.go    Model: values of variables and functions; eval.go evaluates a term under one, with code of its own
//	print.go    a term as Go source            parse.go    and back
//
// A term is immutable. Every constructor simplifies, and there is no other way to make a term. So what is equal by the
// rules of this package is equal by pointer, and a condition that can only be true is the constant true. The rules are
// in the constructors, each with its reason.
//
// # Names are the interface
//
// A variable is a name and a sort: "msg.Amount", "s.nodes!len", "s.next!ref". Two variables with one name and one sort
// are one term. What follows the last "!" tells a property of the value that the name leads to; it prints as a call:
// len(s.nodes), ref(s.next).
//
// # Words have no sign
//
// A word has a width. Signedness belongs to the operation, as in the machine: SDiv and UDiv, SLess and ULess, SExtend
// and ZExtend. All arithmetic wraps around, as Go's does. A signed word is printed as int8 ... int32, int; where an
// operation reads it unsigned, the conversion is printed.
//
// # What panics in Go
//
// Terms are total functions. Whoever executes a program asks for the panic first: a zero divisor, a negative shift
// count, an index out of range. For completeness, as in SMT-LIB: x / 0 is 1 for a negative signed x and all ones
// otherwise, and x % 0 is x. The least integer / -1 is itself, as in Go. A shift count is read unsigned; a count of the
// width or more gives 0, or copies of the sign.
//
//	source:     hash-consing and the linear normal form as in any SMT solver's rewriter, e.g. of Z3 and Boolector; Go's
//	            semantics: the language specification
//	differs:    a conversion of a float out of range to an integer, which Go leaves to the implementation, is that of
//	            amd64
//	invariants: I1 two terms of one store are equal exactly if they have the same content
//	            I2 a constructor given simplified arguments returns a simplified term: building a term again from its
//	               parts gives that term
//	            I3 the order of arguments depends on content alone, not on the order of creation
//	cost:       a constructor is linear in its arguments, but for the conjunction (quadratic in its own few members)
//	checked by: twin_test.go: random terms of all operations, simplified against not simplified, under the evaluator;
//	            print_test.go: Go's type checker accepts what is printed, and parsing gives the same term
package term
