package savina_test

import (
	"math"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/facloc"
)

func located(v version, c facloc.Config) version {
	v.config = lateFacilities
	v.native, v.protoactor = onNative(c, facloc.NewNative), onProtoactor(c, facloc.New)
	return v
}

// lateFacilities come to quadrants that have ended.
var lateFacilities = rehearse.Config{Checks: deadLettersEnd.Checks, Environment: rehearse.Empty}

// lost are customers that the end has overtaken.
var (
	fewer = rehearse.Expectation{Kind: rehearse.Assertion, Text: "facilities, want"}
	lost  = rehearse.Expectation{Kind: rehearse.Assertion, Text: "customers, want"}
	twice = rehearse.Expectation{Kind: rehearse.Assertion, Text: "4 customers, want 3"}
)

// border has one customer between the children on the left. Deep divides a second time.
var (
	border = facloc.Config{
		Side: 8, Threshold: 6, Customers: 3, Points: []facloc.Point{{1, 1}, {2, 4}, {7, 7}}, Facilities: 1,
	}
	repairedBorder = facloc.Config{
		Side: 8, Threshold: 6, Customers: 3, Points: border.Points, Facilities: 1, Repaired: true,
	}
	deep = facloc.Config{
		Side: 8, Threshold: 6, Customers: 6, Facilities: 2,
		Points: []facloc.Point{{1, 1}, {2, 7}, {0.5, 0.5}, {0.5, 1}, {0.6, 0.4}, {7, 7}},
	}
)

var facilityLocation = program{
	number: 20, name: "facloc",
	versions: []version{
		located(version{
			name: "as published", size: "5 customers, one division", naive: true, uncounted: models,
			finds: everywhere(lost, rehearse.Bag),
		}, facloc.Small),
		located(version{
			name: "customer on a border", size: "3 customers, one division",
			finds: everywhere(twice, models...), beside: []rehearse.Expectation{lost},
		}, border),
		located(version{
			name: "customer on a border, repaired", size: "3 customers, one division",
			finds: everywhere(lost, rehearse.Bag),
		}, repairedBorder),
		located(version{
			name: "as published", size: "6 customers, two divisions", strategy: "auto", budget: "100x",
			finds: everywhere(lost, rehearse.Bag), beside: []rehearse.Expectation{fewer},
		}, deep),
	},
	sizes: []config{facloc.Small, facloc.Published},
	refused: []config{
		facloc.Config{}, facloc.Config{Side: 1, Threshold: -1}, facloc.Config{Side: 1, Customers: -1},
		facloc.Config{Side: 1, Facilities: -1}, facloc.Config{Side: math.NaN()}, facloc.Config{Side: math.Inf(1)},
		facloc.Config{Side: 1, Customers: 1, Points: []facloc.Point{}},
		facloc.Config{Side: 1, Customers: 1, Points: []facloc.Point{{2, 0}}},
	},
}
