package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Bank is Figure 1 of [TAP18]. A client that keeps its own balance forwards what it may withdraw and what it deposits
// to the server, which asserts that it can pay. The driver deposits and then withdraws more than the balance before: if
// the server sees the withdrawal first, its assertion fails. Sender and receiver are the same for both, so it takes the
// bag model.
func Bank() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var client actor.Ref
		t.SetUp(func() {
			server := ctx.SpawnNamed("Server", &bankServer{balance: 100})
			client = ctx.SpawnNamed("Client", &bankClient{balance: 100, server: server})
		})
		ctx.Send(client, deposit{50})
		ctx.Send(client, withdraw{120})
	})
}

type (
	withdraw struct{ amount float64 }
	deposit  struct{ amount float64 }
)

type bankClient struct {
	balance float64
	server  actor.Ref
}

func (c *bankClient) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case withdraw:
		if c.balance >= m.amount {
			c.balance -= m.amount
			ctx.Send(c.server, m)
		}
	case deposit:
		c.balance += m.amount
		ctx.Send(c.server, m)
	}
}

type bankServer struct{ balance float64 }

func (s *bankServer) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case withdraw:
		if s.balance < m.amount {
			ctx.T().Fatalf("withdrawal of %v from a balance of %v", m.amount, s.balance)
		}
		s.balance -= m.amount
	case deposit:
		s.balance += m.amount
	}
}
