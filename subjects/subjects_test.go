package subjects

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// TestNaiveCounts are the counts of the naive search, which executes every schedule once. Those marked published are from
// tables 3.1 and 3.2 of [Basset11]; the others are ours.
func TestNaiveCounts(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		sys                    *actor.System
		executions, deliveries int
		published              bool
	}{
		{"server", Server(false), 6, 26, true},
		{"pi(2)", Pi(2), 12, 0, true},
		{"pi(4)", Pi(4), 60480, 168645, true},
		{"fib(4)", Fib(4), 168, 768, true},
		{"leader(3)", Leader(3), 374, 1466, true},
		{"mergesort(4)", Mergesort(4), 33264, 113066, true},
		{"spinsort(4)", Spinsort(4), 1152, 5044, true},
		{"quicksort of 3 0 1 2", QuicksortOf(3, 0, 1, 2), 11088, 43437, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := explored(t, tt.sys, trace.Bag, explore.Options{})
			t.Logf("%d executions / %d deliveries", out.Executions, out.Deliveries)
			if out.Executions != tt.executions || tt.deliveries > 0 && out.Deliveries != tt.deliveries {
				t.Errorf("got %d executions / %d deliveries, want %d / %d", out.Executions, out.Deliveries, tt.executions, tt.deliveries)
			}
		})
	}
}

// explored runs the naive search to its end.
func explored(t *testing.T, sys *actor.System, model trace.Model, o explore.Options) explore.Outcome {
	t.Helper()
	o.Conditions.Model = model
	out, err := explore.Run(sys, search.NewNaive(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Fatalf("the search is not complete: %+v", out)
	}
	return out
}

var _ = check.Checker{}
