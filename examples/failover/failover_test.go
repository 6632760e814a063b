package failover_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/failover"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the gateway has the query; the service has it; only then the stores are
// opened.
const byHand = 2

// opening asks something while the stores are being opened.
func opening(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		desk := &failover.Desk{}
		var app *failover.App
		t.SetUp(func() { app = failover.New(protoactor.NewActorSystem(), failover.Config{Desk: desk, Fixed: fixed}) })
		app.Open()
		app.Query("price")
		t.AtEnd(func() {
			if len(desk.Answered) != 1 {
				t.Errorf("answered are %q, failed are %q: no store was open", desk.Answered, desk.Failed)
			}
		})
	})
}

var early = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestFailover(t *testing.T) { rehearse.Check(t, early, opening(false)) }

func TestFailoverPicture(t *testing.T) { shows.Picture(t, "TestFailover") }

func TestFailoverSchedule(t *testing.T) { shows.Schedule(t, early, opening(false), byHand) }

func TestFailoverFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, opening(true)) }

func TestFailoverStrategies(t *testing.T) {
	shows.Strategies(t, early, opening(false), opening(true))
}
