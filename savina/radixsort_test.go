package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/radixsort"
)

// unsorted is what arrives where one number may overtake another.
var unsorted = rehearse.Expectation{Kind: rehearse.Assertion, Text: "not sorted"}

var radixSort = program{
	number: 16, name: "radixsort",
	versions: []version{{
		name: "as published", size: "2 sorters, 4 numbers",
		naive: true, uncounted: withReleases, config: allStop, budget: "200x",
		native:     onNative(radixsort.Small, radixsort.NewNative),
		protoactor: onProtoactor(radixsort.Small, radixsort.New),
		finds:      everywhere(unsorted, rehearse.Bag),
	}},
	sizes: []config{radixsort.Small, radixsort.Published},
	refused: []config{
		radixsort.Config{Limit: 2}, radixsort.Config{Numbers: 1}, radixsort.Config{Numbers: 1, Limit: 3},
		radixsort.Config{Numbers: 1, Limit: 2, Values: []int64{0, 1}},
		radixsort.Config{Numbers: 1, Limit: 2, Values: []int64{2}},
	},
}
