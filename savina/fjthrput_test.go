package savina_test

import "github.com/rehearse-go/rehearse/savina/fjthrput"

var forkJoinThroughput = program{
	number: 3, name: "fjthrput",
	versions: []version{{
		name: "as published", size: "3 actors, 2 messages each", naive: true,
		native:     onNative(fjthrput.Small, fjthrput.NewNative),
		protoactor: onProtoactor(fjthrput.Small, fjthrput.New),
	}},
	sizes:   []config{fjthrput.Small, fjthrput.Published},
	refused: []config{fjthrput.Config{Messages: 1}, fjthrput.Config{Actors: 1}},
}
