package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/threadring"
)

func ring(name string, c threadring.Config, f finds) version {
	return version{
		name: name, size: "3 actors, 4 hops", naive: true, config: deadLettersEnd, finds: f,
		native:     onNative(c, threadring.NewNative),
		protoactor: onProtoactor(c, threadring.New),
	}
}

// early is the bug: the ping comes to an actor before that knows its successor.
var early = rehearse.Expectation{Kind: rehearse.Panic, Message: "threadring.Ping"}

var threadRing = program{
	number: 5, name: "threadring",
	versions: []version{
		ring("as published", threadring.Small, everywhere(early, rehearse.Bag, rehearse.FIFO)),
		ring("repaired", threadring.Config{Actors: 3, Hops: 4, Repaired: true}, nil),
	},
	sizes:   []config{threadring.Small, threadring.Published},
	refused: []config{threadring.Config{Actors: 1, Hops: 1}, threadring.Config{Actors: 2, Hops: -1}},
}
