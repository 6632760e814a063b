package lostsub

import "github.com/asynkron/protoactor-go/actor"

// gateway is where the market reports its trades.
type gateway struct{ normaliser *actor.PID }

// Receive implements actor.Actor.
func (g *gateway) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Trade); ok {
		ctx.Send(g.normaliser, Normalise(msg))
	}
}

// normaliser turns trades into prices.
type normaliser struct{ feed *actor.PID }

// Receive implements actor.Actor.
func (n *normaliser) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Normalise); ok {
		ctx.Send(n.feed, Publish{msg.Symbol, float64(msg.Cents) / 100})
	}
}
