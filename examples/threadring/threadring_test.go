package threadring_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/threadring"
)

// byHand is the length of this schedule: the second node gets the token; only then it is told its successor.
const byHand = 2

// round lets the token go round a ring of three.
func round(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		trip := &threadring.Trip{}
		var ring *threadring.Ring
		t.SetUp(func() {
			var err error
			ring, err = threadring.New(actor.NewActorSystem(), threadring.Config{Nodes: 3, Trip: trip, Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
		})
		ring.Start(3)
		t.AtEnd(func() {
			if trip.Visits != 4 {
				t.Errorf("the token made %d visits, want 4", trip.Visits)
			}
		})
	})
}

// Actors share the trip: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var overtaken = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Model: rehearse.FIFO, Expect: &rehearse.Expectation{Kind: rehearse.Panic}}

func TestThreadRing(t *testing.T) { rehearse.Check(t, overtaken, round(false)) }

func TestThreadRingPicture(t *testing.T) { shows.Picture(t, "TestThreadRing") }

func TestThreadRingSchedule(t *testing.T) { shows.Schedule(t, overtaken, round(false), byHand) }

// One actor wires the ring before it lets the token go, and these models deliver earlier sends first.
func TestThreadRingWired(t *testing.T) {
	for _, model := range []rehearse.Model{rehearse.Mailbox, rehearse.Causal} {
		t.Run(model.String(), func(t *testing.T) {
			rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Model: model}, round(false))
		})
	}
}

func TestThreadRingFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Model: rehearse.FIFO}, round(true))
}

func TestThreadRingStrategies(t *testing.T) {
	shows.Strategies(t, overtaken, round(false), round(true))
}
