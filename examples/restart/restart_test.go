package restart_test

import (
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/restart"
)

// byHand is the length of this schedule: marketing puts the voucher into the cart; only then the shopper checks out.
const byHand = 2

// campaign mails a voucher without a season while somebody buys tea.
func campaign(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		till := &restart.Till{}
		var shop *restart.Shop
		t.SetUp(func() {
			var err error
			if shop, err = restart.Open(actor.NewActorSystem(), restart.Config{Till: till, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
		})
		shop.Buy("tea", 500)
		shop.Mail(25)
		t.AtEnd(func() {
			if len(till.Receipts) != 1 || !slices.Equal(till.Receipts[0].Items, []string{"tea"}) {
				t.Errorf("receipts %v, want one with the tea", till.Receipts)
			}
		})
	})
}

// supervised programs may panic: their supervisors know what to do.
var supervised = rehearse.Levels{rehearse.Panic: rehearse.Off}

var emptied = rehearse.Config{Strategy: "random", Seed: 1, Checks: supervised, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestRestart(t *testing.T) { rehearse.Check(t, emptied, campaign(false)) }

func TestRestartPicture(t *testing.T) { shows.Picture(t, "TestRestart") }

func TestRestartSchedule(t *testing.T) { shows.Schedule(t, emptied, campaign(false), byHand) }

func TestRestartFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: supervised}, campaign(true))
}

func TestRestartStrategies(t *testing.T) {
	shows.Strategies(t, emptied, campaign(false), campaign(true))
}
