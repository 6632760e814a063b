package savina_test

import (
	"github.com/rehearse-go/rehearse/savina/concsll"
)

var concSll = program{
	number: 9, name: "concsll",
	versions: []version{{
		name: "as published", size: "2 workers, 2 operations", config: allStop,
		naive: true, uncounted: withReleases,
		native:     onNative(concsll.Small, concsll.NewNative),
		protoactor: onProtoactor(concsll.Small, concsll.New),
	}},
	sizes: []config{concsll.Small, concsll.Published},
	refused: []config{
		concsll.Config{}, concsll.Config{Workers: 1, Operations: -1}, concsll.Config{Workers: 1, Writes: 50},
		concsll.Config{Workers: 2, Scripts: [][]concsll.Op{{}}},
		concsll.Config{Workers: 1, Operations: 1, Scripts: [][]concsll.Op{{}}},
	},
}
