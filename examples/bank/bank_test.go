package bank_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/examples/bank"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the client takes the deposit; the server gets the withdrawal; only then it
// gets the deposit.
const byHand = 3

// day deposits 50 and withdraws 120 from an account of 100 that the given server keeps.
func day(server func(balance int) actor.Behavior) rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		s := ctx.SpawnNamed("server", server(100))
		c := ctx.SpawnNamed("client", &bank.Client{Server: s, Balance: 100})
		ctx.Send(c, bank.Deposit{Amount: 50})
		ctx.Send(c, bank.Withdraw{Amount: 120})
	})
}

func trusting(balance int) actor.Behavior { return &bank.Server{Balance: balance} }

func ordered(balance int) actor.Behavior {
	return &bank.OrderedServer{Server: bank.Server{Balance: balance}}
}

var overtaken = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Panic}}

func TestBank(t *testing.T) { rehearse.Check(t, overtaken, day(trusting)) }

func TestBankPicture(t *testing.T) { shows.Picture(t, "TestBank") }

func TestBankSchedule(t *testing.T) { shows.Schedule(t, overtaken, day(trusting), byHand) }

// Where channels keep their order, the design is right.
func TestBankFIFO(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Model: rehearse.FIFO, Strategy: "naive"}, day(trusting))
}

// balances gives what the server keeps, and what the client thinks that it does.
func balances(s rehearse.State) (kept, copied int) {
	s.Actors(func(_, _ string, value any) bool {
		switch actor := value.(type) {
		case *bank.OrderedServer:
			kept = actor.Balance
		case *bank.Client:
			copied = actor.Balance
		}
		return true
	})
	return kept, copied
}

// The account is never overdrawn, and in the end the client's copy is right.
func TestBankFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{
		Strategy: "naive",
		Invariants: []rehearse.Invariant{{Name: "no overdraft", Holds: func(s rehearse.State) error {
			if kept, _ := balances(s); kept < 0 {
				return fmt.Errorf("the balance is %d", kept)
			}
			return nil
		}}},
		Final: func(s rehearse.State) error {
			if kept, copied := balances(s); kept != copied {
				return fmt.Errorf("the server keeps %d, the client thinks it is %d", kept, copied)
			}
			return nil
		},
	}, day(ordered))
}

func TestBankStrategies(t *testing.T) { shows.Strategies(t, overtaken, day(trusting), day(ordered)) }
