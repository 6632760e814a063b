package retry_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/retry"
)

// byHand is the length of this schedule: the confirmation is lost. All else happens by itself.
const byHand = 1

// load loads one card.
func load(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		books := retry.NewBooks()
		var kiosk *retry.Kiosk
		t.SetUp(func() {
			var err error
			if kiosk, err = retry.Open(retry.Config{Books: books, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
		})
		kiosk.Load("card-1", 2500)
		t.AtEnd(func() {
			if books.Cards["card-1"] != books.Cash {
				t.Errorf("the terminal took %d and there are %d on the card", books.Cash, books.Cards["card-1"])
			}
		})
	})
}

// Actors share the books: they only add to them what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var lossy = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Faults: "drop", Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestRetry(t *testing.T) { rehearse.Check(t, lossy, load(false)) }

func TestRetryPicture(t *testing.T) { shows.Picture(t, "TestRetry") }

func TestRetrySchedule(t *testing.T) { shows.Schedule(t, lossy, load(false), byHand) }

// A message that arrives twice is credited twice, too.
func TestRetryTwice(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Faults: "duplicate", Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}, load(false))
}

// As long as nothing gets lost, no order of the messages shows it.
func TestRetryWithoutFaults(t *testing.T) {
	if r := rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, load(false)); !r.Complete {
		t.Errorf("not complete: %v", r)
	}
}

func TestRetryFixed(t *testing.T) {
	cfg := rehearse.Config{Checks: bookkeeping, Strategy: "naive", Budget: "unlimited", Faults: "drop,duplicate:2"}
	if r := rehearse.Check(t, cfg, load(true)); !r.Complete {
		t.Errorf("not complete: %v", r)
	}
}

func TestRetryStrategies(t *testing.T) { shows.Strategies(t, lossy, load(false), load(true)) }

// The same where messages may also arrive twice and actors are restarted, twice in an execution.
func TestRetryStrategiesUnderMoreFaults(t *testing.T) {
	cfg := lossy
	cfg.Faults = "drop,duplicate,restart:2"
	shows.Strategies(t, cfg, load(false), nil)
}
