package pi_test

import (
	"math"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/pi"
)

// computed has so many workers compute.
func computed(workers int) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var result pi.Result
		var c *pi.Computation
		t.SetUp(func() {
			var err error
			if c, err = pi.New(actor.NewActorSystem(), workers, &result); err != nil {
				t.Fatal(err)
			}
		})
		c.Start()
		t.AtEnd(func() {
			if math.Abs(result.Pi-math.Pi) > 1e-5 {
				t.Errorf("pi is %v", result.Pi)
			}
		})
	})
}

func TestPi(t *testing.T) { rehearse.Check(t, rehearse.Config{}, computed(4)) }

func TestPiCounts(t *testing.T) {
	shows.Count(t, computed(2), map[rehearse.Model]int{rehearse.Mailbox: 20160, rehearse.MailboxSerial: 120, rehearse.Bag: 180})
}

// As many as on native actors.
func TestPiClasses(t *testing.T) {
	shows.Classes(t, computed(4), map[rehearse.Model]int{rehearse.Bag: 24, rehearse.FIFO: 24, rehearse.Causal: 24, rehearse.Mailbox: 24, rehearse.MailboxSerial: 24})
}
