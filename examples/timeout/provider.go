package timeout

import "github.com/asynkron/protoactor-go/actor"

// provider charges customers and gives money back.
type provider struct{ books *Books }

// Receive implements actor.Actor.
func (p *provider) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Charge:
		p.books.Taken[msg.Order] += msg.Cents
		ctx.Respond(Charged(msg))
	case Refund:
		p.books.Taken[msg.Order] -= msg.Cents
	}
}
