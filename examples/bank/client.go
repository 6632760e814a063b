package bank

import "github.com/rehearse-go/rehearse/actor"

// Deposit puts an amount into the account.
type Deposit struct {
	Number int // of the client's message to the server, from 1; 0 on the way to the client
	Amount int
}

// Withdraw takes an amount from the account.
type Withdraw struct {
	Number int // as in Deposit
	Amount int
}

// Client checks what its customer asks for against a copy of the balance.
type Client struct {
	Server  actor.Ref
	Balance int
	Sent    int // messages to the server
}

// Receive implements actor.Behavior.
func (c *Client) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Withdraw:
		if c.Balance < msg.Amount {
			return
		}
		c.Balance -= msg.Amount
		c.Sent++
		ctx.Send(c.Server, Withdraw{c.Sent, msg.Amount})
	case Deposit:
		c.Balance += msg.Amount
		c.Sent++
		ctx.Send(c.Server, Deposit{c.Sent, msg.Amount})
	}
}
