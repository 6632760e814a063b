package deadlock

import "github.com/asynkron/protoactor-go/actor"

// dock takes goods off the trucks and has them inspected.
type dock struct{ inspection *actor.PID }

// Receive implements actor.Actor.
func (d *dock) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Truck); ok {
		ctx.Send(d.inspection, Inspect(msg))
	}
}

// inspection lets everything pass.
type inspection struct{ inventory *actor.PID }

// Receive implements actor.Actor.
func (i *inspection) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Inspect); ok {
		ctx.Send(i.inventory, Delivery(msg))
	}
}
