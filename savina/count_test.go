package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/count"
)

func counting(name string, c count.Config, f finds) version {
	return version{
		name: name, size: "2 actors, 3 increments", naive: true, config: deadLettersEnd, finds: f,
		native:     onNative(c, count.NewNative),
		protoactor: onProtoactor(c, count.New),
	}
}

// askedEarly is the question that overtakes increments.
var askedEarly = rehearse.Expectation{Kind: rehearse.Assertion, Text: "want 3"}

var counted = program{
	number: 2, name: "count",
	versions: []version{
		counting("as published", count.Small, everywhere(askedEarly, rehearse.Bag)),
		counting("mutant: a second actor increments", count.Config{Increments: 3, Second: true},
			everywhere(askedEarly, models...)),
	},
	sizes:   []config{count.Small, count.Published},
	refused: []config{count.Config{}},
}
