package report

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
)

func TestEstimate(t *testing.T) {
	for want, e := range map[string]explore.Estimate{
		"60,000 (40,000 to 91,000)":          {Total: 60480, Low: 40000, High: 90000.5},
		"3,300 (2 to 1,000,000,000,000,000)": {Total: 3333, Low: 2, High: math.Inf(1)},
		"12 (12 to 13)":                      {Total: 12.4, Low: 12.4, High: 12.4},
	} {
		if got := Estimate(e); got != want {
			t.Errorf("%v: %q, want %q", e, got, want)
		}
	}
}
