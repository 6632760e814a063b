// Package waits has a handler of a type without a name, which waits.
package waits

import "github.com/rehearse-go/rehearse/actor"

// Open opens a gate.
type Open struct{}

// Gate lets through who comes by an empty struct, once it is open.
type Gate struct {
	Open           bool
	Passed, Others int
}

// Receive handles messages.
func (g *Gate) Receive(c *actor.Context, msg any) {
	switch msg.(type) {
	case struct{}:
		c.AwaitUntil(func() bool { return g.Open })
		g.Passed++
		c.Reply(g.Passed)
	case Open:
		g.Open = true
	default:
		g.Others++
	}
}
