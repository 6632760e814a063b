package procreg

import "github.com/asynkron/protoactor-go/actor"

// worker registers under a name.
type worker struct {
	name     string
	registry *actor.PID
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(Begin); ok {
		ctx.Send(w.registry, Register{w.name, ctx.Self()})
	}
}

// client wants to know who has a name.
type client struct {
	name     string
	registry *actor.PID
	view     *View
}

// Receive implements actor.Actor.
func (c *client) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Begin:
		ctx.Send(c.registry, Lookup{c.name, ctx.Self()})
	case Located:
		c.view.Known = msg.Worker
	}
}
