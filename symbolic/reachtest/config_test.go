package reachtest

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// TestRoom: a way that is longer than the executions of its driver may be has room for its steps, and a short one keeps
// the driver's bound.
func TestRoom(t *testing.T) {
	for entries, want := range map[int]string{3: "MaxSteps: once.MaxSteps,\n", 97: "MaxSteps: once.MaxSteps + 388,\n"} {
		w := &writer{way: &system.Way{Order: make(trace.Order, entries)},
			fields: []field{{name: "MaxSteps", text: "once.MaxSteps"}}}
		var b strings.Builder
		if _, err := w.copied(&b, "rehearse", nil); err != nil || b.String() != want {
			t.Errorf("%d entries: %q (error %v), want %q", entries, b.String(), err, want)
		}
	}
}
