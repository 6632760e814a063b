package overdraft_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/overdraft"
	"github.com/rehearse-go/rehearse/trace"
)

// byHand is the length of this schedule: online asks the account for its balance; only then branch acts on the balance
// that it was told.
const byHand = 2

// payments lets two clients pay 140 together from an account of 100. The bank brings its own actor system.
func payments(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		ledger := &overdraft.Ledger{}
		var bank *overdraft.Bank
		t.SetUp(func() {
			var err error
			bank, err = overdraft.Open(overdraft.Config{
				Opening: 100, Limit: 75, Clients: []string{"branch", "online"}, Ledger: ledger, Fixed: fixed,
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		pay := func(client string, amount int) {
			if err := bank.Pay(client, amount); err != nil {
				t.Fatal(err)
			}
		}
		pay("branch", 60)
		pay("online", 80)
		t.AtEnd(func() {
			if low := ledger.Lowest(); low < 0 {
				t.Errorf("the account was overdrawn: its balance fell to %d", low)
			}
		})
	})
}

var overdrawn = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestOverdraft(t *testing.T) { rehearse.Check(t, overdrawn, payments(false)) }

func TestOverdraftPicture(t *testing.T) { shows.Picture(t, "TestOverdraft") }

func TestOverdraftSchedule(t *testing.T) { shows.Schedule(t, overdrawn, payments(false), byHand) }

func TestOverdraftFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, payments(true)) }

func TestOverdraftStrategies(t *testing.T) {
	shows.Strategies(t, overdrawn, payments(false), payments(true))
}

// What if online asks for the balance before branch withdraws? The order is written down, and nothing is searched for
// but the steps in between.
func TestOverdraftByGuide(t *testing.T) {
	askFirst := trace.Order{
		{Actor: "account", Message: "GetBalance", From: "branch"},
		{Actor: "account", Message: "GetBalance", From: "online"},
		{Actor: "account", Message: "Withdraw", From: "branch"},
		{Actor: "account", Message: "Withdraw", From: "online"},
	}
	rehearse.Check(t, rehearse.Config{Guide: askFirst, Expect: overdrawn.Expect}, payments(false))
}
