package metering

import "github.com/asynkron/protoactor-go/actor"

// office closes the day when all meters are done.
type office struct {
	running int          // meters
	closing []*actor.PID // who is asked for the bill: the ledger
	desk    *Desk
}

// Receive implements actor.Actor.
func (o *office) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Done:
		if o.running--; o.running == 0 {
			for _, c := range o.closing {
				ctx.Send(c, Close{ctx.Self()})
			}
		}
	case Bill:
		o.desk.Bills = append(o.desk.Bills, msg)
	}
}

// ledger adds readings up, and bills them when it was told to close so many times.
type ledger struct {
	used int
	open int // Closes to come
}

// Receive implements actor.Actor.
func (l *ledger) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Book:
		l.used += msg.Used
	case Close:
		if l.open--; l.open == 0 {
			ctx.Send(msg.Office, Bill{l.used})
		}
	}
}
