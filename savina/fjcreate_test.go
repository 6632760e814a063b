package savina_test

import "github.com/rehearse-go/rehearse/savina/fjcreate"

var forkJoinCreate = program{
	number: 4, name: "fjcreate",
	versions: []version{{
		name: "as published", size: "4 actors", naive: true,
		native:     onNative(fjcreate.Small, fjcreate.NewNative),
		protoactor: onProtoactor(fjcreate.Small, fjcreate.New),
	}},
	sizes:   []config{fjcreate.Small, fjcreate.Published},
	refused: []config{fjcreate.Config{}},
}
