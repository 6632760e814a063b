package search_test

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestRandomPrograms is TestTotals on programs that nobody looked at when the constants were chosen.
func TestRandomPrograms(t *testing.T) {
	const programs, least, most = 25, 100, 1500
	for _, make := range []func() explore.Strategy{newNaive, newReverse, newOptimal, newSource} {
		inside, cases, logerr, width := 0, 0, 0.0, 0.0
		for seed := uint64(2_000_000); cases < 3*programs; seed++ {
			p, s := toy.Random(seed, toy.Features{}), make()
			var all []explore.Estimate
			out, err := explore.Run(toy.NewSystem(p), s,
				explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: most},
					After: func(*explore.Counters, *trace.Trace) {
						all = append(all, explore.ReportOf(s).Estimate)
					}})
			if err != nil {
				t.Fatal(err)
			}
			n := out.Executions + out.Blocked
			if !out.Complete || n < least {
				continue
			}
			for _, percent := range []int{10, 20, 50} {
				e := all[n*percent/100-1]
				cases++
				logerr += math.Abs(math.Log(e.Total / float64(n)))
				width += math.Log(e.High / e.Low)
				if e.Low <= float64(n) && float64(n) <= e.High {
					inside++
				} else if testing.Verbose() {
					t.Logf("%s seed %d at %d%% of %d: %.0f (%.0f to %.0f)", s.Name(), seed, percent, n, e.Total, e.Low, e.High)
				}
			}
		}
		t.Logf("%s: the truth is inside in %d of %d cases, mean error %.2f, width %.2f", make().Name(), inside, cases,
			logerr/float64(cases), width/float64(cases))
		if inside*10 < cases*9 {
			t.Errorf("%s: the truth is inside in %d of %d cases, want nine of ten", make().Name(), inside, cases)
		}
	}
}
