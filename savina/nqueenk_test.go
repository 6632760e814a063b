package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/nqueenk"
)

func queens(v version, c nqueenk.Config) version {
	v.size = fmt.Sprintf("size %d, threshold %d, %d workers, limit %d", c.Size, c.Threshold, c.Workers, c.Limit)
	v.config = allStop
	v.native, v.protoactor = onNative(c, nqueenk.NewNative), onProtoactor(c, nqueenk.New)
	return v
}

// tooFew is the early end, where who is done is known before the boards that it led to.
var tooFew = rehearse.Expectation{Kind: rehearse.Assertion, Text: "0 solutions"}

// stopTwice is the second round of stops, to workers that have ended at the first.
var stopTwice = rehearse.Expectation{Kind: rehearse.DeadLetter, Message: "nqueenk.Stop"}

var nQueens = program{
	number: 28, name: "nqueenk",
	versions: []version{
		queens(version{
			name: "as published", budget: "400x", naive: true, uncounted: models, finds: everywhere(tooFew, rehearse.Bag),
		}, nqueenk.Small),
		queens(version{
			name: "as published", budget: "200x", finds: everywhere(stopTwice, models...),
		}, nqueenk.Limited),
		queens(version{name: "repaired", budget: "400x"}, repairedQueens(nqueenk.Small)),
		queens(version{name: "repaired", budget: "400x", naive: true, uncounted: models}, repairedQueens(nqueenk.Limited)),
	},
	sizes: []config{nqueenk.Small, nqueenk.Limited, nqueenk.Published},
	refused: []config{
		nqueenk.Config{Workers: 1, Limit: 1}, nqueenk.Config{Size: 1, Limit: 1}, nqueenk.Config{Size: 1, Workers: 1},
		nqueenk.Config{Size: 1, Workers: 1, Limit: 1, Threshold: -1},
	},
}

func repairedQueens(c nqueenk.Config) nqueenk.Config {
	c.Repaired = true
	return c
}
