package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// What the actors of a native program would have accepted is known, so that no plan is refused.
func TestConstraintsOfNativeActors(t *testing.T) {
	for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil), NewReverse()} {
		out, err := explore.Run(subjects.Philosophers(2), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err != nil || out.Executions != 3 || out.Blocked != 0 || !out.Complete {
			t.Errorf("%s: %+v, %v; want 3 executions", s.Name(), out, err)
		}
	}
}
