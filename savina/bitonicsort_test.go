package savina_test

import (
	"cmp"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/bitonicsort"
)

func network(v version, c bitonicsort.Config) version {
	v.name, v.config, v.finds = "as published", allStop, everywhere(wronglySorted, rehearse.Bag)
	v.budget = cmp.Or(v.budget, "20x")
	v.native, v.protoactor = onNative(c, bitonicsort.NewNative), onProtoactor(c, bitonicsort.New)
	return v
}

// wronglySorted is what comes of numbers that overtake others, and of an exit that does.
var wronglySorted = rehearse.Expectation{Kind: rehearse.Assertion, Text: "sorted to"}

var bitonicSort = program{
	number: 29, name: "bitonicsort",
	versions: []version{
		network(version{size: "2 numbers, 9 actors", naive: true, uncounted: models}, bitonicsort.Small),
		network(version{size: "4 numbers, 25 actors", strategy: "auto", budget: "8x"}, bitonicsort.Four),
	},
	sizes: []config{bitonicsort.Small, bitonicsort.Four, bitonicsort.Published},
	refused: []config{
		bitonicsort.Config{Numbers: 1, Limit: 1}, bitonicsort.Config{Numbers: 6, Limit: 1},
		bitonicsort.Config{Numbers: 2}, bitonicsort.Config{Numbers: 2, Values: []int64{1}},
	},
}

// TestBitonicSortLarger executes networks of more than four numbers once: there the direction alternates over several
// runs.
func TestBitonicSortLarger(t *testing.T) {
	for _, n := range []int{8, 16} {
		system := onNative(bitonicsort.Config{Numbers: n, Limit: 100}, bitonicsort.NewNative)
		result, err := rehearse.Explore(rehearse.Config{Strategy: "default", Model: rehearse.FIFO, Recheck: -1}, system)
		if err != nil || len(result.Findings) > 0 {
			t.Errorf("%d numbers: %v, %v", n, result.Findings, err)
		}
	}
}
