package lostsub

import "github.com/asynkron/protoactor-go/actor"

// Screen is what a board shows. Its board alone writes it; read it when the service is at rest.
type Screen struct {
	Symbol string
	Price  float64 // 0: none yet
}

// board shows the price of one symbol.
type board struct {
	feed   *actor.PID
	screen *Screen
}

// Receive implements actor.Actor.
func (b *board) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Open:
		*b.screen = Screen{Symbol: msg.Symbol}
		ctx.Send(b.feed, Subscribe{msg.Symbol, ctx.Self()})
	case Price:
		if msg.Symbol == b.screen.Symbol {
			b.screen.Price = msg.Price
		}
	}
}
