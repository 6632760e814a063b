package deadlock

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// inventory keeps the stock: what is free, and what is set aside for waiting orders.
type inventory struct {
	orders  *actor.PID
	timeout time.Duration
	free    map[string]int
	aside   map[string]int
}

func newInventory(orders *actor.PID, timeout time.Duration, stock map[string]int) *inventory {
	i := &inventory{orders: orders, timeout: timeout, free: map[string]int{}, aside: map[string]int{}}
	for item, n := range stock {
		i.free[item] = n
	}
	return i
}

// Receive implements actor.Actor.
func (i *inventory) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Reserve:
		ok := i.free[msg.Item] >= msg.Count
		if ok {
			i.free[msg.Item] -= msg.Count
		}
		ctx.Respond(Reserved{ok})
	case Delivery:
		i.shelve(msg, i.backlog(ctx, msg.Item))
	}
}

// backlog asks the orders how many pieces they wait for; none if they do not answer.
func (i *inventory) backlog(ctx actor.Context, item string) int {
	//rehearse:allow cycle this is the bug that the example shows
	res, err := ctx.RequestFuture(i.orders, GetBacklog{item}, i.timeout).Result()
	if b, ok := res.(Backlog); err == nil && ok {
		return b.Count
	}
	return 0
}

func (i *inventory) shelve(goods Delivery, backlog int) {
	aside := min(goods.Count, backlog)
	i.aside[goods.Item] += aside
	i.free[goods.Item] += goods.Count - aside
}
