package server_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/server"
)

// byHand is the length of this schedule: the server is asked before it gets the number, and gets it then.
const byHand = 2

func reads(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var r server.Reads
		var pair *server.Pair
		t.SetUp(func() {
			var err error
			if pair, err = server.New(actor.NewActorSystem(), server.Config{Reads: &r, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
		})
		pair.Start()
		t.AtEnd(func() {
			if r.First != r.Second {
				t.Errorf("two reads differ: %d and %d", r.First, r.Second)
			}
		})
	})
}

var differ = rehearse.Config{Strategy: "random", Seed: 1, Model: rehearse.Bag, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestServer(t *testing.T) { rehearse.Check(t, differ, reads(false)) }

func TestServerPicture(t *testing.T) { shows.Picture(t, "TestServer") }

func TestServerSchedule(t *testing.T) { shows.Schedule(t, differ, reads(false), byHand) }

// The server gets what one client sends in order wherever channels keep it.
func TestServerInOrder(t *testing.T) {
	for _, model := range []rehearse.Model{rehearse.FIFO, rehearse.Mailbox} {
		t.Run(model.String(), func(t *testing.T) {
			rehearse.Check(t, rehearse.Config{Model: model, Strategy: "naive"}, reads(false))
		})
	}
}

func TestServerFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Model: rehearse.Bag, Strategy: "naive"}, reads(true))
}

func TestServerCounts(t *testing.T) {
	shows.Count(t, reads(true), map[rehearse.Model]int{rehearse.Mailbox: 1, rehearse.MailboxSerial: 1, rehearse.Bag: 1})
}

func TestServerStrategies(t *testing.T) { shows.Strategies(t, differ, reads(false), reads(true)) }
