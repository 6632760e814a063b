package steptest_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/actor/steptest"
)

type withdraw struct{ amount int }

type refused struct{ balance int }

type account struct{ balance int }

func (a *account) Receive(ctx *actor.Context, msg any) {
	if m, ok := msg.(withdraw); ok {
		if a.balance < m.amount {
			ctx.Reply(refused{a.balance})
			return
		}
		a.balance -= m.amount
	}
}

// A unit test of a handler: from a state, with a message, it answers, and leaves the state as it was.
func ExampleNew() {
	_ = func(t *testing.T) { // TestAccountRefuses
		x := steptest.New(t)
		a := &account{balance: 10}
		x.Handle(a, withdraw{30})
		x.Sends(x.Sender(), refused{10})
		x.Equal("a", a, &account{balance: 10})
	}
	// Output:
}
