package metering

import "github.com/asynkron/protoactor-go/actor"

// meter sends its readings and says when it is done.
type meter struct {
	concentrator, office *actor.PID
	left                 int // readings
}

// Receive implements actor.Actor.
func (m *meter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Begin:
		m.left = msg.Readings
		ctx.Send(ctx.Self(), Tick{})
	case Tick:
		if m.left == 0 {
			ctx.Send(m.office, Done{})
			return
		}
		m.left--
		ctx.Send(m.concentrator, Reading{1})
		ctx.Send(ctx.Self(), Tick{})
	}
}

// concentrator books the readings of a district, and hands a Close on behind them.
type concentrator struct{ ledger *actor.PID }

// Receive implements actor.Actor.
func (c *concentrator) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Reading:
		ctx.Send(c.ledger, Book(msg))
	case Close:
		ctx.Send(c.ledger, msg)
	}
}
