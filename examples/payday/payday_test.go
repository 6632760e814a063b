package payday_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/payday"
)

// month is a month with three bills, of which the till can bear two.
func month(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var desk *payday.Desk
		t.SetUp(func() {
			var err error
			if desk, err = payday.Open(payday.Config{Till: 10_000, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
			desk.Owe(payday.Bill{To: "landlord", Rank: 2, Cents: 3_000})
			desk.Owe(payday.Bill{To: "printer", Rank: 3, Cents: 4_000})
			desk.Owe(payday.Bill{To: "staff", Rank: 1, Cents: 6_000})
		})
		desk.Pay()
		t.AtEnd(func() {
			if !desk.Paid("staff") {
				t.Errorf("the wages were not paid")
			}
		})
	})
}

// unpaid finds the bug whatever the messages do: the order of a map decides. Go makes it by itself, so that executions
// are tried under several orders of it.
var unpaid = rehearse.Config{Strategy: "naive", Expect: &rehearse.Expectation{Kind: rehearse.Assertion, Text: "wages were not paid"}}

func TestPayday(t *testing.T) { rehearse.Check(t, unpaid, month(false)) }

func TestPaydayPicture(t *testing.T) { shows.Picture(t, "TestPayday") }

// No more is paid than there is in the till, and in the end it has had all bills and the payday.
func TestPaydayFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{
		Strategy: "naive",
		Invariants: []rehearse.Invariant{{Name: "no debts", Holds: func(s rehearse.State) error {
			if till := s.Text("desk"); strings.Contains(till, "cents:-") {
				return fmt.Errorf("the desk holds %s", till)
			}
			return nil
		}}},
		Final: func(s rehearse.State) error {
			if got := s.Received("desk"); len(got) != 4 {
				return fmt.Errorf("the desk received %q, want three bills and the payday", got)
			}
			return nil
		},
	}, month(true))
}
