package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/filterbank"
)

// endsEarly is what comes of an exit that overtakes values.
var endsEarly = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the sink got"}

func filtered(size string, c filterbank.Config) version {
	return version{
		name: "as published", size: size, naive: true, uncounted: models, config: allStop, budget: "80x",
		native:     onNative(c, filterbank.NewNative),
		protoactor: onProtoactor(c, filterbank.New),
		finds:      everywhere(endsEarly, rehearse.Bag),
	}
}

var filterBank = program{
	number: 17, name: "filterbank",
	versions: []version{
		filtered("2 channels, 2 columns, 3 values", filterbank.Small),
		// Of five values the last that comes out is not 0.
		filtered("2 channels, 2 columns, 5 values", filterbank.Config{Channels: 2, Columns: 2, Signal: 5}),
	},
	sizes: []config{filterbank.Small, filterbank.Published},
	refused: []config{
		filterbank.Config{Columns: 2}, filterbank.Config{Channels: 1, Columns: 1},
		filterbank.Config{Channels: 1, Columns: 2, Signal: -1},
	},
}
