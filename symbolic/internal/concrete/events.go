package concrete

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// SameEvents compares an execution with one of the compiled program: its steps, and how much each of them sends,
// creates and stops. The error names the first that differs.
func SameEvents(got, want *trace.Trace) error {
	for i := range max(len(got.Events), len(want.Events)) {
		switch {
		case i >= len(got.Events):
			return fmt.Errorf("event %d: nothing, want %s", i, want.StepName(want.Events[i].Step))
		case i >= len(want.Events):
			return fmt.Errorf("event %d: %s, want nothing", i, got.StepName(got.Events[i].Step))
		}
		g, w := &got.Events[i], &want.Events[i]
		if g.Step != w.Step || len(g.Sent) != len(w.Sent) || len(g.Created) != len(w.Created) ||
			len(g.Stopped) != len(w.Stopped) {
			return fmt.Errorf("event %d: %s (sends %d, creates %d, stops %d), want %s (%d, %d, %d)", i, got.StepName(g.Step),
				len(g.Sent), len(g.Created), len(g.Stopped),
				want.StepName(w.Step), len(w.Sent), len(w.Created), len(w.Stopped))
		}
	}
	return nil
}
