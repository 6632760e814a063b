package pi_test

import (
	"math"
	"os"
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

// All orders under mailbox are many, and are counted with REHEARSE_TOY; TestPiClasses and the counts of chameneos and
// quicksort have that model.
func TestPiCounts(t *testing.T) {
	want := map[rehearse.Model]int{rehearse.MailboxSerial: 120, rehearse.Bag: 180}
	if os.Getenv("REHEARSE_TOY") != "" {
		want[rehearse.Mailbox] = 20160
	}
	shows.Count(t, computed(2), want)
}

// As many as on native actors.
func TestPiClasses(t *testing.T) {
	shows.Classes(t, computed(4), map[rehearse.Model]int{rehearse.Bag: 24, rehearse.FIFO: 24, rehearse.Causal: 24, rehearse.Mailbox: 24, rehearse.MailboxSerial: 24})
}
