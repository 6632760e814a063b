package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/pingpong"
)

func pings(name string, c pingpong.Config, f finds) version {
	return version{
		name: name, size: "2 actors, 2 pings", naive: true, finds: f,
		native:     onNative(c, pingpong.NewNative),
		protoactor: onProtoactor(c, pingpong.New),
	}
}

// answeredTwice is what comes of the mutant.
var answeredTwice = rehearse.Expectation{Kind: rehearse.Assertion, Text: "3 pings"}

var pingPong = program{
	number: 1, name: "pingpong",
	versions: []version{
		pings("as published", pingpong.Small, nil),
		pings("mutant: answers twice", pingpong.Config{Pings: 2, Twice: true}, everywhere(answeredTwice, models...)),
	},
	sizes:   []config{pingpong.Small, pingpong.Published},
	refused: []config{pingpong.Config{}},
}
