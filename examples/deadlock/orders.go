package deadlock

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// orders takes orders and keeps those that wait for goods.
type orders struct {
	inventory *actor.PID
	timeout   time.Duration
	book      *Book
	waiting   []Place
}

// Receive implements actor.Actor.
func (o *orders) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Place:
		//rehearse:allow cycle this is the bug that the example shows
		res, err := ctx.RequestFuture(o.inventory, Reserve{msg.Item, msg.Count}, o.timeout).Result()
		o.decide(msg, res, err)
	case GetBacklog:
		ctx.Respond(Backlog{o.backlog(msg.Item)})
	}
}

// decide confirms an order whose goods are reserved and lets any other wait.
func (o *orders) decide(order Place, res any, err error) {
	if r, ok := res.(Reserved); err == nil && ok && r.OK {
		o.book.Confirmed = append(o.book.Confirmed, order.Order)
		return
	}
	o.waiting = append(o.waiting, order)
}

func (o *orders) backlog(item string) int {
	n := 0
	for _, order := range o.waiting {
		if order.Item == item {
			n += order.Count
		}
	}
	return n
}

// openOrders stays open for other messages while it waits for the inventory. The answer comes back as its own event.
type openOrders struct{ orders }

// Receive implements actor.Actor.
func (o *openOrders) Receive(ctx actor.Context) {
	msg, ok := ctx.Message().(Place)
	if !ok {
		o.orders.Receive(ctx)
		return
	}
	reply := ctx.RequestFuture(o.inventory, Reserve{msg.Item, msg.Count}, o.timeout)
	ctx.ReenterAfter(reply, func(res any, err error) { o.decide(msg, res, err) })
}
