package chameneos_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/chameneos"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

func meetings(creatures, n int) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var tally chameneos.Tally
		var p chameneos.Place
		t.SetUp(func() { p = chameneos.New(actor.NewActorSystem(), creatures, n, &tally) })
		p.Open()
		t.AtEnd(func() {
			if tally.Met != 2*n || tally.Halted != creatures {
				t.Errorf("%d creatures met another one, %d were sent home: want %d and %d", tally.Met, tally.Halted, 2*n, creatures)
			}
		})
	})
}

// Actors share the tally: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

func TestChameneos(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, meetings(3, 3))
}

func TestChameneosCounts(t *testing.T) {
	shows.Count(t, meetings(2, 0), map[rehearse.Model]int{rehearse.Mailbox: 3508, rehearse.MailboxSerial: 52, rehearse.Bag: 70})
}

// As many as on native actors.
func TestChameneosClasses(t *testing.T) {
	shows.Classes(t, meetings(3, 1), map[rehearse.Model]int{rehearse.Bag: 36, rehearse.FIFO: 36, rehearse.Causal: 36, rehearse.Mailbox: 36, rehearse.MailboxSerial: 36})
}
