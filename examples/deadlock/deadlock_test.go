package deadlock_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/deadlock"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the inspection hands the goods to the inventory; only then the order is
// placed.
const byHand = 2

// morning places an order while a truck is at the dock.
func morning(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		book := &deadlock.Book{}
		var office *deadlock.Office
		t.SetUp(func() {
			var err error
			office, err = deadlock.Open(actor.NewActorSystem(), deadlock.Config{
				Stock: map[string]int{"lamp": 3}, Book: book, Fixed: fixed,
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		office.Place("order-1", "lamp", 2)
		office.Truck("lamp", 10)
		t.AtEnd(func() {
			if fixed && len(book.Confirmed) != 1 {
				t.Errorf("confirmed orders: %v, want order-1", book.Confirmed)
			}
		})
	})
}

var stuck = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Deadlock}}

func TestDeadlock(t *testing.T) { rehearse.Check(t, stuck, morning(false)) }

func TestDeadlockPicture(t *testing.T) { shows.Picture(t, "TestDeadlock") }

func TestDeadlockSchedule(t *testing.T) { shows.Schedule(t, stuck, morning(false), byHand) }

func TestDeadlockFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, morning(true)) }

func TestDeadlockStrategies(t *testing.T) { shows.Strategies(t, stuck, morning(false), morning(true)) }
