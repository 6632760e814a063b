package explore

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Executions that are kept are spread evenly over all, the first among them; they are few, and so is what they hold.
func TestKeptExecutions(t *testing.T) {
	for _, c := range []struct{ executions, events, max, least, most int }{
		{1, 1, 32, 1, 1}, {32, 1, 32, 32, 32}, {33, 1, 32, 17, 17}, {100_000, 1, 32, 16, 32}, {50, 1, 1, 1, 1},
		{6, maxKeptEvents / 4, 32, 3, 4}, {3, 2 * maxKeptEvents, 32, 1, 1},
	} {
		var k repeats
		for n := range c.executions {
			tr := &trace.Trace{Events: make([]trace.Event, c.events), Explored: n}
			k.note(keptExecution{trace: tr}, c.max)
		}
		if n := len(k.kept); n < c.least || n > c.most {
			t.Errorf("%+v: %d are kept", c, n)
		}
		events := 0
		for i, x := range k.kept {
			events += len(x.trace.Events)
			if x.trace.Explored != i*k.every {
				t.Errorf("%+v: execution %d is kept as the %d. of one in %d", c, x.trace.Explored, i, k.every)
			}
		}
		if events != k.events || events > maxKeptEvents && len(k.kept) > 1 {
			t.Errorf("%+v: %d events, counted as %d", c, events, k.events)
		}
	}
}
