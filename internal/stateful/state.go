package stateful

// This file and the others named here compare global states of executions: actors, pending messages, and what the
// actors in the middle of a handler were told.
//
//	word.go      words, into which everything is linearised, and their hash
//	types.go     what is known of Go types
//	encode.go    Go values: contents, aliasing, references to actors
//	recorder.go  what happened to each actor, for those whose state no value tells, and the instances that injected
//	             restarts replaced
//	queue.go     what the delivery model knows of the order of pending messages
//	units.go     a state as units (actors, messages, shared memory) that refer to each other
//	canon.go     a key for units that does not depend on how they are numbered
//	literal.go   the two comparisons of [Basset11], to the letter
//
//	source:     [Basset11] 3.5.1 for the two comparisons; the canonical form by refining colours and individualising, as
//	            programs for isomorphism of graphs do
//	differs:    Actors compares states up to isomorphism, where [Basset11] sorts elements without following their
//	            pointers (Literal)
//	assumes:    handlers are deterministic; their state is in their actors, in messages and in the locals of blocked
//	            handlers, not in package variables; programs take references as such (they do not sort them), and do not
//	            look at the capacity of slices or beyond their length; actors share memory only with those with which
//	            they exchange messages
//	invariants: I1 equal keys under one Comparison mean states that are equal up to the identity of actors (Generic:
//	               equal), but for collisions of a 128-bit hash: of n states two different ones have equal keys with a
//	               probability below n*n/2^129, under 10^-20 for a thousand million
//	            I2 what cannot be compared is an error that names it; nothing is left out silently
//	cost:       linear in the size of the state; where actors are alike, the number of ways to number them, up to a limit
//	            above which equal states may be taken for different ones
//	checked by: encode_test.go, canon_test.go (states renumbered at random, and changed in one place)

// Comparison says which states count as equal.
type Comparison uint8

// The comparisons.
const (
	// actors and messages are sets; identities do not count, but for actors that the test itself knows
	Actors  Comparison = iota
	Generic            // everything in its order: actors in that of creation, messages in that of sending
	// What the comparisons of [Basset11] came to, to the letter: see literal.go.
	Literal        // "actor comp."
	LiteralGeneric // "JPF comp."
)

var comparisonNames = []string{"actors", "generic", "literal", "generic/literal"}

func (c Comparison) String() string { return comparisonNames[c] }
