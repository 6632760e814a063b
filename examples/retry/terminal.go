package retry

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// terminal takes cash. It does not forget a receipt before it is confirmed.
type terminal struct {
	ledger   *actor.PID
	patience time.Duration
	books    *Books
	receipts int
	open     []TopUp
}

// Receive implements actor.Actor.
func (t *terminal) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Load:
		t.books.Cash += msg.Cents
		t.receipts++
		t.open = append(t.open, TopUp{msg, t.receipts})
		t.send(ctx, TopUp{msg, t.receipts})
	case Confirmed:
		t.close(ctx, msg.Receipt)
	case *actor.ReceiveTimeout:
		for _, topUp := range t.open {
			t.send(ctx, topUp)
		}
	}
}

// send tells the ledger, and again after a while unless it is confirmed.
func (t *terminal) send(ctx actor.Context, msg TopUp) {
	ctx.Request(t.ledger, msg)
	ctx.SetReceiveTimeout(t.patience)
}

// close forgets what was confirmed.
func (t *terminal) close(ctx actor.Context, receipt int) {
	for i, topUp := range t.open {
		if topUp.Receipt == receipt {
			t.open = append(t.open[:i], t.open[i+1:]...)
			break
		}
	}
	if len(t.open) == 0 {
		ctx.CancelReceiveTimeout()
	}
}
