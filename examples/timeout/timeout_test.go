package timeout_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/timeout"
)

// byHand is the length of this schedule: the order starts to wait; only then the clock advances. (Without the first
// step the clock would advance at the very beginning, where no timer is set.)
const byHand = 2

// purchase places one order.
func purchase(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		books := timeout.NewBooks()
		var shop *timeout.Shop
		t.SetUp(func() {
			var err error
			if shop, err = timeout.Open(timeout.Config{Books: books, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
		})
		shop.Place("order-1", 2500)
		t.AtEnd(func() {
			for order, status := range books.Status {
				if status == timeout.Cancelled && books.Taken[order] != 0 {
					t.Errorf("%s was cancelled and the customer has paid %d for it", order, books.Taken[order])
				}
			}
		})
	})
}

// Actors share the books: they only add to them what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var raced = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Timers: rehearse.Async, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestTimeout(t *testing.T) { rehearse.Check(t, raced, purchase(false)) }

func TestTimeoutPicture(t *testing.T) { shows.Picture(t, "TestTimeout") }

func TestTimeoutSchedule(t *testing.T) { shows.Schedule(t, raced, purchase(false), byHand) }

// With timers that fire only when nothing else can happen, the answer always wins.
func TestTimeoutQuiescent(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, purchase(false))
}

func TestTimeoutFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Timers: rehearse.Async}, purchase(true))
}

func TestTimeoutStrategies(t *testing.T) { shows.Strategies(t, raced, purchase(false), purchase(true)) }
