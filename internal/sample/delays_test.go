package sample_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// TestDelays: with delays of 0 to D there are D+1 values. Two messages of one moment swap if the later one in the
// default order has the smaller delay: D/(2(D+1)). A message y comes after a row of two if its delay is more than their
// sum, since of two that arrive at the same moment the one of less depth comes first: C(D+2, 3) of (D+1)^3 cases.
func TestDelays(t *testing.T) {
	const runs = 20_000
	for _, bound := range []int{1, 2, 100} {
		d := float64(bound)
		s := sample.NewDelays(bound, 1)
		counts := orders(t, s, trace.Bag, runs, node{label: "x", to: 0}, node{label: "y", to: 1})
		swapped := min(counts["xy"], counts["yx"])
		if bound < 100 { // else they differ by half a percent
			near(t, s.Name()+": swapped", float64(swapped)/runs, d/(2*(d+1)), runs)
		}
		counts = orders(t, sample.NewDelays(bound, 1), trace.Bag, runs, chain("ab", 0, 1), node{label: "y", to: 2})
		near(t, s.Name()+": y last", share(counts, ends("y")), (d+2)*(d+1)*d/6/((d+1)*(d+1)*(d+1)), runs)
	}
}

// As in [Bita13] VI-B, a message whose sender has sent an earlier one is delayed long enough: with x and y to one
// actor, in that order, and z to another, under fifo z comes last if its delay is above both, which is a third of the
// cases but for equal delays, and first if it is below that of x.
func TestDelaysInOrder(t *testing.T) {
	const runs = 20_000
	counts := orders(t, sample.NewDelays(1000, 1), trace.FIFO, runs, node{label: "x", to: 0}, node{label: "y", to: 0},
		node{label: "z", to: 1})
	near(t, "x before y", share(counts, func(o string) bool { return strings.Index(o, "x") < strings.Index(o, "y") }), 1,
		runs)
	near(t, "z last", share(counts, ends("z")), 0.3333, runs)
	near(t, "z first", share(counts, func(o string) bool { return o[0] == 'z' }), 0.5, runs)
}

// What a message that had to wait leads to comes later too: y sends w when it is handled, not when it would have
// arrived without x before it. So z comes last if its delay is above the greater one of x and y plus that of w: 1/12,
// and not 1/8.
func TestDelaysAdd(t *testing.T) {
	const runs = 20_000
	counts := orders(t, sample.NewDelays(100_000, 1), trace.FIFO, runs, node{label: "x"}, chain("yw", 0, 1),
		node{label: "z", to: 2})
	near(t, "z last", share(counts, ends("z")), 1./12, runs)
}

// A row is overtaken by a longer one hardly ever, which a random walk does as often as not: delays are weak where a
// message has far to go.
func TestDelaysRow(t *testing.T) {
	counts := orders(t, sample.NewDelays(100, 1), trace.Bag, 20_000, chain("abcdefgh", 0, 1, 2, 3, 4, 5, 6, 7),
		node{label: "y", to: 0})
	if n := share(counts, ends("y")); n > 0.0005 { // 1/8! but for equal delays
		t.Errorf("y comes after a row of eight in %.4f of the executions", n)
	}
}

func TestParse(t *testing.T) {
	for word, want := range map[string]string{"": "delays/100", "300": "delays/300", "0": "", "x": "", "100/2": ""} {
		s, err := sample.ParseDelays(word, 1)
		if want == "" && err == nil || want != "" && (err != nil || s.Name() != want) {
			t.Errorf("delays/%s gives %v, %v, want %q", word, s, err, want)
		}
	}
	for word, want := range map[string]string{"": "pct/3", "1": "pct/1", "0": "", "-1": "", "many": ""} {
		s, err := sample.ParsePCT(word, 1)
		if want == "" && err == nil || want != "" && (err != nil || s.Name() != want) {
			t.Errorf("pct/%s gives %v, %v, want %q", word, s, err, want)
		}
	}
	for word, want := range map[string]string{"": "surw", "all": "surw/all", "some": ""} {
		s, err := sample.ParseSURW(word, 1)
		if want == "" && err == nil || want != "" && (err != nil || s.Name() != want) {
			t.Errorf("surw/%s gives %v, %v, want %q", word, s, err, want)
		}
	}
}
