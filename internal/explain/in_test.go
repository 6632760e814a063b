package explain

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// In the execution that passes, the two steps of each pair come the other way round.
func TestPairsInTheFlippedExecution(t *testing.T) {
	pairs := 0
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		failures, err := toy.Failures(model, 25, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			x, err := Culprit(f.Run, f.Trace, f.Violation, "")
			if err != nil {
				t.Fatal(err)
			}
			if (x.Flipped != nil) != (len(x.Pairs) > 0) {
				t.Fatalf("%d pairs, flipped %v", len(x.Pairs), x.Flipped != nil)
			}
			for _, p := range x.Pairs {
				q := p.In(x.Flipped)
				pairs++
				if q.Second < 0 || q.First >= 0 && q.First < q.Second {
					t.Errorf("%v: %+v is %+v where it passes", f, p, q)
				}
			}
		}
	}
	if pairs < 20 {
		t.Errorf("only %d pairs", pairs)
	}
}
