package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/bndbuffer"
)

func buffer(name, size string, c bndbuffer.Config, f finds) version {
	return version{
		name: name, size: size, config: allStop, finds: f, naive: true, uncounted: withReleases,
		native: onNative(c, bndbuffer.NewNative), protoactor: onProtoactor(c, bndbuffer.New),
	}
}

// parked is the hazard: a producer is never woken, and the manager waits for it.
var parked = rehearse.Expectation{Kind: rehearse.Environment, Text: "has not stopped"}

var bndBuffer = program{
	number: 10, name: "bndbuffer",
	versions: []version{
		buffer("as published", "buffer 3, 2 producers, 1 consumer, 1 item each", bndbuffer.Small, nil),
		buffer("buffer too small", "buffer 2, 2 producers, 1 consumer, 1 item each", bndbuffer.Stuck,
			everywhere(parked, models...)),
	},
	sizes: []config{bndbuffer.Small, bndbuffer.Stuck, bndbuffer.Published},
	refused: []config{
		bndbuffer.Config{Buffer: 1, Producers: 1}, bndbuffer.Config{Buffer: 3, Producers: 2, Consumers: 1, Items: -1},
	},
}
