package bank

import (
	"fmt"

	"github.com/rehearse-go/rehearse/actor"
)

// Server keeps the account.
type Server struct{ Balance int }

// Receive implements actor.Behavior.
func (s *Server) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Withdraw:
		if s.Balance < msg.Amount {
			panic(fmt.Sprintf("withdrawal of %d from a balance of %d", msg.Amount, s.Balance))
		}
		s.Balance -= msg.Amount
	case Deposit:
		s.Balance += msg.Amount
	}
}

// OrderedServer takes the client's messages in the order of their numbers, whatever the order in which they arrive.
type OrderedServer struct {
	Server
	Taken int // messages
}

// Accepts implements actor.Accepter: a message that is not next stays in the mailbox.
func (s *OrderedServer) Accepts(msg any) bool {
	switch msg := msg.(type) {
	case Withdraw:
		return msg.Number == s.Taken+1
	case Deposit:
		return msg.Number == s.Taken+1
	}
	return true
}

// Receive implements actor.Behavior.
func (s *OrderedServer) Receive(ctx *actor.Context, msg any) {
	s.Taken++
	s.Server.Receive(ctx, msg)
}
