package restart

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// shopper buys one thing at a time.
type shopper struct{ cart *actor.PID }

// Receive implements actor.Actor.
func (s *shopper) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Buy); ok {
		ctx.Send(s.cart, AddItem(msg))
		ctx.Send(s.cart, Checkout{})
	}
}

// marketing gets a code for every mailing and puts it into the cart.
type marketing struct{ codes, cart *actor.PID }

// Receive implements actor.Actor.
func (m *marketing) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Mailing:
		ctx.Request(m.codes, NewCode(msg))
	case Code:
		ctx.Send(m.cart, Voucher(msg))
	}
}

// codes makes voucher codes. Those without a season have no dash, which a cart does not expect.
type codes struct{ season string }

// Receive implements actor.Actor.
func (c *codes) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(NewCode); ok {
		code := fmt.Sprint(msg.Percent)
		if c.season != "" {
			code = c.season + "-" + code
		}
		ctx.Respond(Code{code})
	}
}
