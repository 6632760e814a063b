package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/astar"
)

func searched(v version, c astar.Config) version {
	v.size = fmt.Sprintf("side %d, target %v, %d workers, limit %d", c.Side, c.Target, c.Workers, c.Limit)
	v.config.Environment = rehearse.Empty
	v.native, v.protoactor = onNative(c, astar.NewNative), onProtoactor(c, astar.New)
	return v
}

// stopTwo is the second round of stops, to workers that have ended at the first.
var stopTwo = rehearse.Expectation{Kind: rehearse.DeadLetter, Message: "astar.Stop"}

// noTarget is the early end, where a node is done before those that it led to are known.
var noTarget = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the target was found 0 times"}

var aStar = program{
	number: 27, name: "astar",
	versions: []version{
		searched(version{
			name: "as published, parents with an owner", naive: true, uncounted: models,
			finds: everywhere(stopTwo, models...), beside: []rehearse.Expectation{noTarget},
		}, astar.Near),
		searched(version{
			name: "as published, parents with an owner", strategy: "auto", budget: "200x",
			config: deadLettersEnd, finds: everywhere(noTarget, rehearse.Bag),
		}, astar.Small),
		searched(version{
			name: "as published", shares: true, budget: "2x",
			config: rehearse.Config{Checks: deadLettersEnd.Checks, Recheck: 1},
		}, sharedGrid),
		searched(version{name: "repaired", strategy: "auto", budget: "200x"}, repairedSearch),
	},
	sizes: []config{astar.Near, astar.Small, astar.Published},
	refused: []config{
		astar.Config{Side: 1, Workers: 1, Limit: 1}, astar.Config{Side: 2, Limit: 1}, astar.Config{Side: 2, Workers: 1},
		astar.Config{Side: 2, Workers: 1, Limit: 1}, astar.Config{Side: 2, Workers: 1, Limit: 1, Target: astar.Node{2, 0, 0}},
	},
}

var (
	sharedGrid     = astar.Config{Side: 2, Target: astar.Small.Target, Workers: 2, Limit: 1, Shared: true}
	repairedSearch = astar.Config{Side: 2, Target: astar.Small.Target, Workers: 2, Limit: 1, Repaired: true}
)
