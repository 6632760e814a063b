package stateful

import "github.com/rehearse-go/rehearse/trace"

// This file: what steps do, as far as persistent sets have to know, and which of that depends on what.

// fact is something that a step does and on which another one may depend.
type fact struct {
	kind  factKind
	actor trace.ID
}

type factKind uint8

const (
	// of an actor's sequence of steps: is one, or has to be among them (a message that is sent, a system message)
	steps   factKind = iota
	reaches          // sends to the actor: a dead letter if it has stopped
	stops            // the actor
	reads            // something that is no message
	writes
)

type facts map[fact]bool

func (f facts) add(kind factKind, actor trace.ID) bool {
	x := fact{kind, actor}
	if f[x] {
		return false
	}
	f[x] = true
	return true
}

// collide reports whether a step with facts f depends on one with facts g.
func (f facts) collide(g facts) bool {
	for x := range f {
		switch x.kind {
		case steps:
			if g[x] {
				return true
			}
		case reaches:
			if g[fact{stops, x.actor}] {
				return true
			}
		case stops:
			if g[x] || g[fact{reaches, x.actor}] {
				return true
			}
		case reads:
			if g[fact{kind: writes}] {
				return true
			}
		case writes:
			if g[x] || g[fact{kind: reads}] {
				return true
			}
		}
	}
	return false
}
