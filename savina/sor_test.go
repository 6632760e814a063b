package savina_test

import (
	"cmp"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/sor"
)

func relaxation(v version, c sor.Config) version {
	v.config, v.budget = deadLettersEnd, cmp.Or(v.budget, "20x")
	v.native, v.protoactor = onNative(c, sor.NewNative), onProtoactor(c, sor.New)
	return v
}

// pointsWait is what the mutant does.
var pointsWait = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the runner has not stopped"}

var overRelaxation = program{
	number: 26, name: "sor",
	versions: []version{
		relaxation(version{name: "as published", size: "4 points, 1 step", budget: "200x"}, sor.Small),
		relaxation(version{name: "as published", size: "4 points, 2 steps", strategy: "auto"},
			sor.Config{Side: 2, Steps: 2, Values: sor.Small.Values}),
		relaxation(version{name: "mutant: early values are dropped", size: "4 points, 1 step", strategy: "auto",
			finds: everywhere(pointsWait, models...)}, sor.Config{Side: 2, Steps: 1, Values: sor.Small.Values, Drops: true}),
	},
	sizes: []config{sor.Small, sor.Published},
	refused: []config{
		sor.Config{Side: 1, Steps: 1}, sor.Config{Side: 2}, sor.Config{Side: 2, Steps: 1, Values: []float64{1}},
	},
}
