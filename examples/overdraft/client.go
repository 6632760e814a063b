package overdraft

import "github.com/asynkron/protoactor-go/actor"

// client pays from the account on behalf of one customer.
type client struct {
	account *actor.PID
	officer *actor.PID
	limit   int // payments above it need approval
	paid    int
}

// Receive implements actor.Actor.
func (c *client) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Pay:
		if msg.Amount > c.limit {
			ctx.Request(c.officer, Approve(msg))
			return
		}
		c.withdraw(ctx, msg.Amount)
	case Approved:
		c.withdraw(ctx, msg.Amount)
	case Balance:
		if msg.Current >= msg.Amount {
			ctx.Request(c.account, Withdraw{msg.Amount})
		}
	case Paid:
		c.paid += msg.Amount
	}
}

// withdraw makes sure that the account can bear the amount before it is debited.
func (c *client) withdraw(ctx actor.Context, amount int) {
	ctx.Request(c.account, GetBalance{amount})
}

// trustingClient leaves the decision to the account.
type trustingClient struct{ client }

// Receive implements actor.Actor.
func (c *trustingClient) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Pay:
		if msg.Amount > c.limit {
			ctx.Request(c.officer, Approve(msg))
			return
		}
		ctx.Request(c.account, Withdraw(msg))
	case Approved:
		ctx.Request(c.account, Withdraw(msg))
	case Paid:
		c.paid += msg.Amount
	case Declined:
		// The customer is told on the screen; nothing was booked.
	}
}
