package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// TestDivergence: a program that does not repeat itself is noticed where what is to be repeated is not possible, or
// more or less than before is. The text says what is new, and the result is not complete.
func TestDivergence(t *testing.T) {
	for _, tt := range []struct {
		later []int // to whom the test function sends from the second execution on; it sent two messages to actor 2
		want  string
	}{
		{[]int{2, 2}, ""},
		{[]int{1, 1}, "at step 1 the same schedule led to other possible steps: 2 before, 2 now, among them M from Driver to A#1"},
		{[]int{2}, "at step 1 the same schedule led to other possible steps: 2 before, 1 now, among them none that is new"},
		{[]int{2, 2, 1},
			"at step 1 the same schedule led to other possible steps: 2 before, 3 now, among them M from Driver to A#1"},
		{nil, "the same schedule led to 2 possible steps at step 1 before, and now the execution ends after step 0"},
	} {
		for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil)} {
			c := &clockwork{begins: []int{2, 2}, acts: []act{{}, {}}}
			o := c.options(trace.Bag)
			o.Conditions.Timers = trace.Quiescent
			text := ""
			o.After = func(*explore.Counters, *trace.Trace) {
				c.begins = tt.later
				if in := s.(explore.Diverger).Divergence(); in != nil {
					text = in.Text
				}
			}
			out, err := explore.Run(c, s, o)
			diverges := tt.want != ""
			if err != nil || text != tt.want || out.Diverged != diverges || s.Complete() == diverges ||
				out.Executions != 2 || (out.Classes == 1) != diverges {
				t.Errorf("%s, then to %v: %q, want %q; %+v, %v", s.Name(), tt.later, text, tt.want, out, err)
			}
		}
	}
}
