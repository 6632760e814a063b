package search_test

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// totals are searches whose numbers of executions are known.
var totals = []struct {
	name     string
	sys      explore.System
	strategy func() explore.Strategy
	total    int // 0: as many as it makes
}{
	{"pi(4)", subjects.Pi(4), newNaive, 60480},
	{"fib(4)", subjects.Fib(4), newNaive, 168},
	{"leader(3)", subjects.Leader(3), newNaive, 374},
	{"mergesort(4)", subjects.Mergesort(4), newNaive, 33264},
	{"spinsort(4)", subjects.Spinsort(4), newNaive, 1152},
	{"quicksort", subjects.QuicksortOf(3, 0, 1, 2), newNaive, 11088},
	{"shortpath 3", subjects.ShortpathTriangle(), newNaive, 620},
	{"shortpath D", subjects.ShortpathDetour(), newNaive, 3614},
	{"pi(5)", subjects.Pi(5), newReverse, 120},
	{"fib(7)", subjects.Fib(7), newReverse, 4096},
	{"pipesort(4)", subjects.Pipesort(4), newReverse, 288},
	{"shortpath A", subjects.ShortpathA(), newReverse, 126},
	{"shortpath B", subjects.ShortpathB(), newReverse, 296},
	{"chameneos(2)", subjects.Chameneos(2), newReverse, 216},
	{"chameneos(3)", subjects.Chameneos(3), newReverse, 1296},
	{"pi(6)", subjects.Pi(6), newReverse, 720},
	{"pi(5)", subjects.Pi(5), newOptimal, 120},
	{"fib(7)", subjects.Fib(7), newOptimal, 4096},
	{"pipesort(4)", subjects.Pipesort(4), newOptimal, 288},
	{"shortpath B", subjects.ShortpathB(), newOptimal, 296},
	{"chameneos(2)", subjects.Chameneos(2), newOptimal, 216},
	{"chameneos(3)", subjects.Chameneos(3), newOptimal, 1296},
	{"pi(6)", subjects.Pi(6), newOptimal, 720},
	{"pi(5)", subjects.Pi(5), newSource, 0},
	{"fib(7)", subjects.Fib(7), newSource, 0},
	{"pipesort(4)", subjects.Pipesort(4), newSource, 0},
	{"shortpath B", subjects.ShortpathB(), newSource, 0},
	{"chameneos(2)", subjects.Chameneos(2), newSource, 0},
}

func newNaive() explore.Strategy   { return search.NewNaive() }
func newReverse() explore.Strategy { return reverse.New() }
func newOptimal() explore.Strategy { return dpor.NewOptimal(nil) }
func newSource() explore.Strategy  { return dpor.NewSource(nil) }

// TestTotals: at 5%, 20% and 50% of the way the truth lies within the bar in nine of ten cases; the bar has a width
// until the end, and none then.
func TestTotals(t *testing.T) {
	inside, cases, logerr, width := 0, 0, 0.0, 0.0
	for _, tt := range totals {
		s := tt.strategy()
		var all []explore.Estimate // after each execution; zero: none
		out, err := explore.Run(tt.sys, s,
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, After: func(*explore.Counters, *trace.Trace) {
				all = append(all, explore.ReportOf(s).Estimate)
			}})
		if err != nil {
			t.Fatal(err)
		}
		n := out.Executions + out.Blocked
		if tt.total > 0 && n != tt.total {
			t.Errorf("%s %s: %d executions, want %d", s.Name(), tt.name, n, tt.total)
		}
		if e := explore.ReportOf(s).Estimate; e.Low != float64(n) || e.Total != e.Low || e.High != e.Low {
			t.Errorf("%s %s: at the end the estimate is %v, want %d", s.Name(), tt.name, e, n)
		}
		for i, e := range all[:n-1] {
			if e != (explore.Estimate{}) && (e.Low >= e.High || e.Low < float64(i+1) || e.Total < e.Low || e.Total > e.High) {
				t.Errorf("%s %s: after %d of %d executions the estimate is %v", s.Name(), tt.name, i+1, n, e)
			}
		}
		for _, percent := range []int{5, 20, 50} {
			e := all[max(1, n*percent/100)-1]
			if e == (explore.Estimate{}) {
				t.Logf("%s %s: none at %d%%", s.Name(), tt.name, percent)
				continue
			}
			cases++
			logerr += math.Abs(math.Log(e.Total / float64(n)))
			width += math.Log(e.High / e.Low)
			word := "outside"
			if e.Low <= float64(n) && float64(n) <= e.High {
				inside++
				word = "inside"
			}
			t.Logf("%-8s %-13s at %2d%% of %6d: %8.0f (%.0f to %.0f) %s", s.Name(), tt.name, percent, n, e.Total,
				e.Low, e.High, word)
		}
	}
	t.Logf("the truth is inside in %d of %d cases, mean error %.2f, width %.2f", inside, cases, logerr/float64(cases),
		width/float64(cases))
	if inside*10 < cases*9 {
		t.Errorf("the truth is inside in %d of %d cases, want nine of ten", inside, cases)
	}
}
