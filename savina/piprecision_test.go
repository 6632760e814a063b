package savina_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/savina/piprecision"
)

var piPrecision = program{
	number: 22, name: "piprecision",
	versions: []version{{
		name: "as published", size: "master and 2 workers, 3 digits", naive: true, uncounted: models[:4], config: allStop,
		native:     onNative(piprecision.Small, piprecision.NewNative),
		protoactor: onProtoactor(piprecision.Small, piprecision.New),
	}},
	sizes:   []config{piprecision.Small, piprecision.Published},
	refused: []config{piprecision.Config{Workers: 1}, piprecision.Config{Scale: 1}},
}

// TestPi has pi computed without actors, and holds it to the digits that are known.
func TestPi(t *testing.T) {
	c := piprecision.Config{Workers: 1, Scale: 20}
	sum, asked := new(big.Int), 16
	for k := range asked {
		sum.Add(sum, piprecision.Work{Scale: c.Scale, Term: k}.Value())
	}
	if got := sum.String(); !strings.HasPrefix(got, "314159265358979323846") {
		t.Errorf("pi is %s", got)
	}
	terms := [][]int{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}}
	if err := c.Check(sum, asked, terms, 1); err != nil {
		t.Error(err)
	}
	if err := c.Check(sum.Add(sum, big.NewInt(1)), asked, terms, 1); err == nil {
		t.Error("a wrong digit was not noticed")
	}
}
