package lostsub_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/lostsub"
)

// byHand is the length of this schedule: the normaliser publishes the price; only then the board opens.
const byHand = 2

// opening opens a board while the first trade of the day comes in.
func opening(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		screen := &lostsub.Screen{}
		var service *lostsub.Service
		var board *actor.PID
		t.SetUp(func() {
			service = lostsub.Start(lostsub.Config{Fixed: fixed})
			board = service.NewBoard(screen)
		})
		service.Open(board, "ACME")
		service.Report("ACME", 1234)
		t.AtEnd(func() {
			if screen.Price != 12.34 {
				t.Errorf("the board shows %.2f for %s, want 12.34", screen.Price, screen.Symbol)
			}
		})
	})
}

var lost = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestLostSubscription(t *testing.T) { rehearse.Check(t, lost, opening(false)) }

func TestLostSubscriptionPicture(t *testing.T) { shows.Picture(t, "TestLostSubscription") }

func TestLostSubscriptionSchedule(t *testing.T) { shows.Schedule(t, lost, opening(false), byHand) }

func TestLostSubscriptionFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, opening(true)) }

func TestLostSubscriptionStrategies(t *testing.T) {
	shows.Strategies(t, lost, opening(false), opening(true))
}
