package explain

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// A step has the number that reports and pictures give it: the release of a send is none.
func TestDifferenceNumbers(t *testing.T) {
	run := func(completed bool) *trace.Trace {
		return &trace.Trace{Events: []trace.Event{{Step: trace.Step{Kind: trace.Send, Message: -1}},
			{Step: trace.Step{Kind: trace.Deliver, Message: -1}, Completed: completed}}}
	}
	if d := difference(run(true), run(false)); !strings.HasPrefix(d, "step 1 differed") {
		t.Error(d)
	}
}
