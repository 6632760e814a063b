package savina_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/savina/concdict"
)

var concDict = program{
	number: 8, name: "concdict",
	versions: []version{{
		name: "as published", size: "2 workers, 2 operations", naive: true, uncounted: withReleases, config: allStop,
		native:     onNative(concdict.Small, concdict.NewNative),
		protoactor: onProtoactor(concdict.Small, concdict.New),
	}},
	sizes: []config{concdict.Small, concdict.Published},
	refused: []config{
		concdict.Config{}, concdict.Config{Workers: 1, Operations: -1}, concdict.Config{Workers: 1, Writes: 101},
		concdict.Config{Workers: 2, Scripts: [][]concdict.Op{{}}},
		concdict.Config{Workers: 1, Operations: 1, Scripts: [][]concdict.Op{{}}},
	},
}

// TestConcDictReads: a worker reads what the other wrote or nothing, but the two do not both read nothing. Each waits
// for the result of its write before it reads.
func TestConcDictReads(t *testing.T) {
	reads := map[string]bool{}
	system := native.New(func(t *rehearse.T, ctx *native.Context) {
		p := must(concdict.NewNative(ctx, concdict.Small))
		p.Start(ctx)
		t.AtEnd(func() { reads[fmt.Sprint(p.Results()[0][1], p.Results()[1][1])] = true })
	})
	result, err := rehearse.Explore(rehearse.Config{Strategy: "optimal"}, system)
	if err != nil || !result.Complete {
		t.Fatal(result, err)
	}
	if len(reads) != 3 || !reads["20 10"] || !reads["20 0"] || !reads["0 10"] {
		t.Errorf("the workers read %v", reads)
	}
}
