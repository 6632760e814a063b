package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/big"
)

func crowd(name string, c big.Config, f finds) version {
	return version{
		name: name, size: fmt.Sprintf("sink and %d actors, pings each: %d", c.Actors, c.Pings),
		naive: c.Actors == 2, uncounted: withReleases,
		finds: f, beside: []rehearse.Expectation{nobodyEnds},
		native:     onNative(c, big.NewNative),
		protoactor: onProtoactor(c, big.New),
	}
}

// Before an actor knows the others it looks among them in vain; the sink tells nobody to end.
var (
	noNeighbours = rehearse.Expectation{Kind: rehearse.Panic, Text: "index out of range"}
	nobodyEnds   = rehearse.Expectation{Kind: rehearse.Assertion, Text: "has stopped: false"}
)

var (
	pair  = big.Config{Actors: 2, Pings: 1, Targets: [][]int{{1}, {0}}, Actor: true, Sink: true}
	three = big.Config{Actors: 3, Pings: 1, Targets: [][]int{{1}, {2}, {2}}}
)

var bigCrowd = program{
	number: 7, name: "big",
	versions: []version{
		crowd("as published", big.Small, everywhere(noNeighbours, rehearse.Bag, rehearse.FIFO)),
		crowd("its actors repaired", big.Config{Actors: 2, Pings: 1, Targets: pair.Targets, Actor: true},
			everywhere(nobodyEnds, rehearse.Bag, rehearse.FIFO)),
		crowd("repaired", pair, nil),
		crowd("as published", three, everywhere(noNeighbours, rehearse.Bag, rehearse.FIFO)),
	},
	sizes: []config{big.Small, big.Published},
	refused: []config{
		big.Config{Pings: 1}, big.Config{Actors: 1}, big.Config{Actors: 1, Pings: 1, Targets: [][]int{{0}, {0}}},
		big.Config{Actors: 1, Pings: 1, Targets: [][]int{{0, 0}}}, big.Config{Actors: 1, Pings: 1, Targets: [][]int{{1}}},
	},
}
