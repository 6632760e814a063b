// Package inner has an actor, tests of its own, and a package that imports it: so it is there with its tests and without.
package inner

import "github.com/rehearse-go/rehearse/actor"

// Count counts.
type Count struct{ N int }

// Counter counts.
type Counter struct{ sum int }

// Receive handles messages.
func (c *Counter) Receive(_ *actor.Context, msg any) {
	if m, ok := msg.(Count); ok {
		c.sum += m.N
	}
}
