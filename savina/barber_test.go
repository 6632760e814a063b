package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/barber"
)

func shop(v version, c barber.Config) version {
	v.native, v.protoactor = onNative(c, barber.NewNative), onProtoactor(c, barber.New)
	return v
}

// lateNext is the hazard: the room has ended when the barber asks it for the next customer.
var lateNext = rehearse.Expectation{Kind: rehearse.DeadLetter, Message: "barber.Next"}

// full is the other: nothing bounds how often a customer finds no seat, while what the room has sent to itself is on
// its way. Under the other models that comes before the customer does.
var full = rehearse.Expectation{Kind: rehearse.Livelock}

// lateStart is what the mutant does: the customer has ended when it is told that the barber starts.
var lateStart = rehearse.Expectation{Kind: rehearse.DeadLetter, Message: "barber.Start"}

var barberShop = program{
	number: 12, name: "barber",
	versions: []version{
		shop(version{
			name: "as published", size: "2 haircuts, 2 seats", config: allStop,
			finds: everywhere(lateNext, rehearse.Mailbox),
		}, barber.Small),
		shop(version{
			name: "repaired", size: "2 haircuts, 2 seats", config: allStop, naive: true,
			uncounted: allButSerial,
		}, barber.Config{Haircuts: 2, Seats: 2, Repaired: true}),
		shop(version{
			name: "repaired, full room", size: "2 haircuts, 1 seat, at most 60 steps", config: boundedSteps, budget: "400x",
			finds: everywhere(full, rehearse.FIFO), // under bag from execution 2,300 on
		}, barber.Config{Haircuts: 2, Seats: 1, Repaired: true}),
		shop(version{
			name: "done before start", size: "2 haircuts, 2 seats", config: allStop,
			finds: everywhere(lateStart, rehearse.Mailbox),
		}, barber.Config{Haircuts: 2, Seats: 2, Repaired: true, DoneFirst: true}),
	},
	sizes:   []config{barber.Small, barber.Published},
	refused: []config{barber.Config{Haircuts: 1}, barber.Config{Seats: 1}},
}
