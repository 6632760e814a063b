package threadring

import "github.com/asynkron/protoactor-go/actor"

// node passes the token to its successor.
type node struct {
	next *actor.PID // nil until it is known
	trip *Trip
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Next:
		n.next = msg.Node
	case Token:
		n.pass(ctx, msg)
	}
}

func (n *node) pass(ctx actor.Context, token Token) {
	n.trip.Visits++
	if token.Hops > 0 {
		ctx.Send(n.next, Token{token.Hops - 1})
	}
}

// patientNode keeps a token that comes before it knows its successor.
type patientNode struct {
	node
	early []Token
}

// Receive implements actor.Actor.
func (n *patientNode) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Next:
		n.next = msg.Node
		for _, token := range n.early {
			n.pass(ctx, token)
		}
		n.early = nil
	case Token:
		if n.next == nil {
			n.early = append(n.early, msg)
			return
		}
		n.pass(ctx, msg)
	}
}
