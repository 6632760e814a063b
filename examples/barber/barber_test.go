package barber_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/barber"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the room has the barber's second question, after his first customer; the other
// customer comes; only then the barber hears that nobody is there.
const byHand = 3

// morning has two customers come.
func morning(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		book := &barber.Book{}
		var shop *barber.Shop
		t.SetUp(func() {
			var err error
			shop, err = barber.Open(protoactor.NewActorSystem(), barber.Config{Seats: 2, Customers: []string{"ann", "bob"}, Book: book, Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
		})
		shop.Morning()
		t.AtEnd(func() {
			if len(book.Trimmed) != 2 {
				t.Errorf("the barber sleeps, and of ann and bob only %q got their hair cut", book.Trimmed)
			}
		})
	})
}

// Actors share the book: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var slept = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestBarber(t *testing.T) { rehearse.Check(t, slept, morning(false)) }

func TestBarberPicture(t *testing.T) { shows.Picture(t, "TestBarber") }

func TestBarberSchedule(t *testing.T) { shows.Schedule(t, slept, morning(false), byHand) }

func TestBarberFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, morning(true))
}

func TestBarberStrategies(t *testing.T) { shows.Strategies(t, slept, morning(false), morning(true)) }
