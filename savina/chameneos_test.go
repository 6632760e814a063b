package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/chameneos"
)

func creatures(name string, c chameneos.Config, f finds) version {
	return version{
		name: name, size: fmt.Sprintf("mall and %d creatures, meetings: %d", c.Creatures, c.Meetings),
		naive: c.Creatures == 2, uncounted: withReleases, finds: f,
		native:     onNative(c, chameneos.NewNative),
		protoactor: onProtoactor(c, chameneos.New),
	}
}

// stays is a creature that never fades, so the mall waits for it.
var stays = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the mall has stopped: false"}

var chameneosMall = program{
	number: 6, name: "chameneos",
	versions: []version{
		creatures("as published", chameneos.Config{Creatures: 2, Meetings: 1}, nil),
		creatures("as published", chameneos.Small, nil),
		creatures("mutant: no new meeting", chameneos.Config{Creatures: 3, Meetings: 1, NoNewMeeting: true},
			everywhere(stays, models...)),
	},
	sizes:   []config{chameneos.Small, chameneos.Published},
	refused: []config{chameneos.Config{Creatures: 1, Meetings: 1}, chameneos.Config{Creatures: 2, Meetings: -1}},
}
