package dpor

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Source executes every class of programs with injected faults, also where several choose in one step, the test function's included.
func TestSourceWithFaults(t *testing.T) {
	for _, s := range []string{"drop", "drop:2", "duplicate", "restart", "drop,duplicate,restart:2"} {
		faults, err := trace.ParseFaults(s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := toy.Compare(func() explore.Strategy { return NewSource(nil) },
			toy.CompareOptions{Demand: toy.Cover, Faults: faults, Features: toy.Features{Senders: true}, Programs: 20, Limit: 300})
		if err != nil {
			t.Errorf("faults %s: %v", s, err)
		}
		t.Logf("%s: %v", s, c)
	}
}

// What does not fit says why.
func TestFaultsRefused(t *testing.T) {
	drop, crash := trace.FaultKindsOf(trace.Drop), trace.FaultKindsOf(trace.Drop, trace.Crash)
	for _, tt := range []struct {
		strategy explore.Strategy
		kinds    trace.FaultKinds
		want     string
	}{
		{NewOptimal(nil), drop, "strategy optimal does not fit injected faults: "},
		{NewReverse(), drop, "strategy reverse does not fit injected faults: "},
		{NewSource(nil), crash, "strategy source does not fit injected crashes (faults drop,crash): "},
	} {
		err := tt.strategy.(explore.Fitter).Fits(explore.Conditions{Model: trace.Bag, Faults: trace.Faults{Max: 1, Kinds: tt.kinds}})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
