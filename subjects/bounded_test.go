package subjects

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// TestBugsNearby: how far from the default order the known bugs are. Within a bound that is one less they do not exist.
func TestBugsNearby(t *testing.T) {
	for _, tt := range []struct {
		name       string
		sys        explore.System
		model      trace.Model
		want       trace.ViolationKind
		deviations int
		delays     int
	}{
		{"server's reads differ", Server(true), trace.Bag, trace.Assertion, 1, 2},
		{"server leaves an orphan", Server(false), trace.Bag, trace.OrphanDead, 3, 1},
		{"philosophers(2) wait for ever", Philosophers(2), trace.Bag, trace.Deadlock, 0, 0},
		{"philosophers(3) wait for ever", Philosophers(3), trace.Bag, trace.Deadlock, 0, 0},
		{"philosophers(2) wait for ever", Philosophers(2), trace.Mailbox, trace.Deadlock, 0, 0},
		{"bank overdrawn", Bank(), trace.Bag, trace.Assertion, 2, 2},
	} {
		for strategy, want := range map[string]int{"reverse": tt.deviations, "delay": tt.delays} {
			for k := 0; k <= want; k++ {
				s, err := strategies.New(fmt.Sprintf("%s/%d", strategy, k), 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				found := false
				out, err := explore.Run(tt.sys, s, explore.Options{
					Conditions: explore.Conditions{Model: tt.model, Copy: true}, Budget: explore.Budget{Executions: 20_000},
					Check: &check.Checker{Levels: check.Levels{trace.OrphanDead: check.Error}},
					Found: func(f explore.Found) bool {
						for _, v := range f.Violations {
							found = found || v.Kind == tt.want
						}
						return !found
					}})
				if err != nil {
					t.Fatal(err)
				}
				if found != (k == want) {
					t.Errorf("%s under %v by %s: found is %v", tt.name, tt.model, s.Name(), found)
				}
				if found {
					t.Logf("%s under %v: %s, execution %d", tt.name, tt.model, s.Name(), out.Executions)
				}
			}
		}
	}
}
