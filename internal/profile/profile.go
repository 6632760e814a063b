// Package profile holds coverage of message orders by type: which messages actors of a type were seen to receive in
// which order. It is kept in a text file that tests merge their share into, as they do with go test -coverprofile.
//
//	profile.go  the profile, and merging two
//	codec.go    its text
//	file.go     adding to a file that other processes add to
//	collect.go  from executions to a profile
//	reversed.go receives of one type, which only their identity tells apart
//	classify.go what a profile says of each pair of messages
//	goals.go    what an execution adds to others; the fewest executions that add as much
//
//	source:     coverage by pairs of receives is [Bita13] section III-A, at the level of types
//	differs:    the paper counts pairs of receives of one execution; here pairs of types are counted, which mean the same
//	            in other tests and after an edit, and how many there are does not depend on how many executions were run
//	invariants: I1 merging is a join: associative, commutative, idempotent. A profile holds nothing but sets and flags
//	checked by: profile_test.go against plain definitions on random programs
package profile

import "maps"

// Profile is the coverage of some tests.
type Profile struct {
	Tests map[Test]map[string]*Coverage // by test and actor type
}

// Test is where coverage comes from: a test under a delivery model.
type Test struct {
	Package string // import path
	Name    string // with subtests; "" for what was explored without a test
	Model   string
}

// Coverage is that of the actors of one type.
type Coverage struct {
	Received map[string]bool        // message types
	Orders   map[ReceiveOrder]Flags // orders that were seen
}

// ReceiveOrder is: an actor received a message of type First, later one of type Second. The types may be the same.
type ReceiveOrder struct{ First, Second string }

// Flags is what is known of an order that was seen.
type Flags uint8

// The flags.
const (
	// with two messages of which nothing forces the first to come first, as far as their execution tells
	Free     Flags = 1 << iota
	Forced         // with two messages that must come in this order
	Reversed       // of two messages of one type: in another execution the same two came the other way round
	Changes        // one of the two receives changed the actor's handlers, and none in between did
	allFlags = Free | Forced | Reversed | Changes
)

// New is a profile of nothing.
func New() *Profile { return &Profile{Tests: map[Test]map[string]*Coverage{}} }

// Of gives the coverage of an actor type in a test, to be added to.
func (p *Profile) Of(t Test, actor string) *Coverage {
	actors := p.Tests[t]
	if actors == nil {
		actors = map[string]*Coverage{}
		p.Tests[t] = actors
	}
	c := actors[actor]
	if c == nil {
		c = &Coverage{Received: map[string]bool{}, Orders: map[ReceiveOrder]Flags{}}
		actors[actor] = c
	}
	return c
}

// Merge adds what q knows.
func (p *Profile) Merge(q *Profile) {
	for t, actors := range q.Tests {
		for actor, c := range actors {
			p.Of(t, actor).merge(c)
		}
	}
}

func (c *Coverage) merge(d *Coverage) {
	maps.Copy(c.Received, d.Received)
	for o, f := range d.Orders {
		c.Orders[o] |= f
	}
}

// see adds an order.
func (c *Coverage) see(first, second string, f Flags) {
	c.Received[first], c.Received[second] = true, true
	c.Orders[ReceiveOrder{first, second}] |= f
}
