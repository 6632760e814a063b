package restart

import (
	"strconv"
	"strings"

	"github.com/asynkron/protoactor-go/actor"
)

// cart collects what a shopper buys.
type cart struct {
	till    *Till
	items   []AddItem
	percent int // off the price
}

// Receive implements actor.Actor.
func (c *cart) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case AddItem:
		c.items = append(c.items, msg)
	case Voucher:
		c.percent = percentOf(msg.Text)
	case Checkout:
		c.checkout()
	}
}

// percentOf reads the discount off a code such as SPRING-25.
func percentOf(code string) int {
	n, err := strconv.Atoi(strings.Split(code, "-")[1])
	if err != nil {
		return 0
	}
	return n
}

func (c *cart) checkout() {
	receipt := Receipt{}
	for _, item := range c.items {
		receipt.Items = append(receipt.Items, item.Item)
		receipt.Cents += item.Cents * (100 - c.percent) / 100
	}
	c.till.Receipts = append(c.till.Receipts, receipt)
	c.items = nil
}

// durableCart keeps its items where a restart does not reach them, and begins with what is there.
type durableCart struct {
	cart
	shelf *Shelf
}

// Receive implements actor.Actor.
func (c *durableCart) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		c.items = c.shelf.Items()
	case AddItem:
		c.shelf.Put(msg)
		c.cart.Receive(ctx)
	case Checkout:
		c.cart.Receive(ctx)
		c.shelf.Clear()
	default:
		c.cart.Receive(ctx)
	}
}
