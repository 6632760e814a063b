package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/threadring"
)

func ring(name string, c threadring.Config, f finds) version {
	v := version{
		name: name, size: "3 actors, 4 hops", naive: true, config: deadLettersEnd, finds: f,
		native:     onNative(c, threadring.NewNative),
		protoactor: onProtoactor(c, threadring.New),
	}
	if c.Wired {
		v.uncounted = withReleases
	}
	return v
}

// early is the bug: the ping comes to an actor before that knows its successor.
var early = rehearse.Expectation{Kind: rehearse.Panic, Message: "threadring.Ping"}

// endlessRing never stops, so its steps are bounded.
var endlessRing = version{
	name: "mutant: a ping keeps its hops", size: "3 actors, 4 hops, at most 60 steps",
	config:     rehearse.Config{MaxSteps: 60},
	native:     onNative(endless, threadring.NewNative),
	protoactor: onProtoactor(endless, threadring.New),
	finds:      everywhere(rehearse.Expectation{Kind: rehearse.Livelock}, models...),
	beside:     []rehearse.Expectation{early},
}

var endless = threadring.Config{Actors: 3, Hops: 4, Endless: true}

var threadRing = program{
	number: 5, name: "threadring",
	versions: []version{
		ring("as published", threadring.Small, everywhere(early, rehearse.Bag, rehearse.FIFO)),
		ring("repaired", threadring.Config{Actors: 3, Hops: 4, Repaired: true}, nil),
		ring("wired by another actor", threadring.Config{Actors: 3, Hops: 4, Wired: true}, everywhere(early, models...)),
		ring("wired by another actor, repaired", threadring.Config{Actors: 3, Hops: 4, Wired: true, Repaired: true}, nil),
		endlessRing,
	},
	sizes:   []config{threadring.Small, threadring.Published},
	refused: []config{threadring.Config{Actors: 1, Hops: 1}, threadring.Config{Actors: 2, Hops: -1}},
}
