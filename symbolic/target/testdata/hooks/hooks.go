// Package hooks has an actor whose handler calls its start hook, one whose handler does not, and functions that call
// each other.
package hooks

import "github.com/rehearse-go/rehearse/actor"

// Again begins once more with each message.
type Again struct{ begun int }

// Start is the start hook.
func (a *Again) Start(*actor.Context) { a.begun++ }

// Receive handles messages.
func (a *Again) Receive(ctx *actor.Context, _ any) { a.Start(ctx) }

// Once begins once.
type Once struct{ begun bool }

// Start is the start hook.
func (o *Once) Start(*actor.Context) { o.begun = true }

// Receive handles messages.
func (o *Once) Receive(*actor.Context, any) {}

// Serve begins, and no handler calls it.
func Serve() { volley(3) }

// Bounce goes on.
func Bounce(n int) { volley(n - 1) }

func volley(n int) {
	if n > 0 {
		Bounce(n)
	}
}
