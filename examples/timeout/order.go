package timeout

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// order is paid or cancelled, whichever happens first.
type order struct {
	Place
	provider *actor.PID
	patience time.Duration // how long to wait for the provider
	books    *Books
}

// Receive implements actor.Actor.
func (o *order) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		o.books.Status[o.Order] = Pending
		ctx.Request(o.provider, Charge(o.Place))
		ctx.SetReceiveTimeout(o.patience)
	case Charged:
		ctx.CancelReceiveTimeout()
		o.settle(Paid)
	case *actor.ReceiveTimeout:
		o.settle(Cancelled)
	}
}

// settle decides an order that is still pending. What comes later changes nothing.
func (o *order) settle(status Status) {
	if o.books.Status[o.Order] == Pending {
		o.books.Status[o.Order] = status
	}
}

// refundingOrder gives the money back that comes after the order was cancelled.
type refundingOrder struct{ order }

// Receive implements actor.Actor.
func (o *refundingOrder) Receive(ctx actor.Context) {
	o.order.Receive(ctx)
	if _, ok := ctx.Message().(Charged); ok && o.books.Status[o.Order] == Cancelled {
		ctx.Send(o.provider, Refund(o.Place))
	}
}
