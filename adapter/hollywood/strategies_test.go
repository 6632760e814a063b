package hollywood_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/troupe"
	"github.com/rehearse-go/rehearse/trace"
)

// On random programs the optimal strategy comes to the classes and ends of the search that leaves nothing out.
func TestRandomStrategiesAgree(t *testing.T) {
	programs, compared := 6+10*scale(t), 0
	if testing.Short() {
		programs = 2
	}
	for seed := range programs {
		for _, kinds := range [][]troupe.Kind{troupe.Poisons, troupe.Kinds} {
			p := troupe.Draw(uint64(seed), kinds)
			for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial, trace.FIFO} {
				all, err := controlled(p, model).Show("naive")
				if err != nil {
					t.Fatalf("%v\n%s", err, p)
				}
				if !all.Exhausted {
					continue
				}
				optimal, err := controlled(p, model).Show("optimal")
				if err != nil {
					t.Fatalf("%v\n%s", err, p)
				}
				if optimal.PassedOver != "" { // calls of several that time out at once
					continue
				}
				compared++
				if !slices.Equal(optimal.Ends(), all.Ends()) || len(optimal.Classes) != len(all.Classes) {
					t.Errorf("%s: optimal has %d classes and %d ends, naive %d and %d\n%s", model, len(optimal.Classes),
						len(optimal.Ends()), len(all.Classes), len(all.Ends()), p)
				}
			}
		}
	}
	t.Logf("%d comparisons", compared)
	if compared < 2*programs {
		t.Errorf("too little was compared: %d", compared)
	}
}
