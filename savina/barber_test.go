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
var lateNext = rehearse.Expectation{Kind: rehearse.DeadLetter, Text: "Next"}

// full is the other: nothing bounds how often a customer finds no seat.
var full = rehearse.Expectation{Kind: rehearse.Livelock}

var barberShop = program{
	number: 12, name: "barber",
	versions: []version{
		shop(version{
			name: "as published", size: "2 haircuts, 2 seats", config: allStop,
			finds: everywhere(lateNext, rehearse.Mailbox),
		}, barber.Small),
		shop(version{
			name: "repaired", size: "2 haircuts, 2 seats", config: allStop, naive: true, uncounted: withReleases,
		}, barber.Config{Haircuts: 2, Seats: 2, Repaired: true}),
		shop(version{
			name: "as published, full room", size: "2 haircuts, 1 seat, at most 60 steps", config: boundedSteps,
			finds: everywhere(full, models...),
		}, barber.Crowded),
		shop(version{
			name: "done before start", size: "2 haircuts, 2 seats", config: allStop,
		}, barber.Config{Haircuts: 2, Seats: 2, Repaired: true, DoneFirst: true}),
	},
	sizes:   []config{barber.Small, barber.Crowded, barber.Published},
	refused: []config{barber.Config{Haircuts: 1}, barber.Config{Seats: 1}},
}
