package retry

import "github.com/asynkron/protoactor-go/actor"

// ledger credits cards.
type ledger struct{ books *Books }

// Receive implements actor.Actor.
func (l *ledger) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(TopUp); ok {
		l.books.Cards[msg.Card] += msg.Cents
		ctx.Respond(Confirmed{msg.Receipt})
	}
}

// carefulLedger credits a receipt once, however often it comes, and confirms it every time.
type carefulLedger struct {
	ledger
	credited map[int]bool
}

// Receive implements actor.Actor.
func (l *carefulLedger) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(TopUp); ok {
		if l.credited[msg.Receipt] {
			ctx.Respond(Confirmed{msg.Receipt})
			return
		}
		l.credited[msg.Receipt] = true
	}
	l.ledger.Receive(ctx)
}
