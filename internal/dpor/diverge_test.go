package dpor

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/trace"
)

// TestDivergence: a program that does not repeat itself is noticed where what is to be repeated is not possible, or
// more or less than before is. The text says so, and the result is not complete.
func TestDivergence(t *testing.T) {
	const before = "at step 1 the same schedule led to other possible steps: 2 before, "
	for _, tt := range []struct {
		later         []int // to whom the test function sends from the second execution on; it sent two messages to actor 2
		want, reverse string
	}{
		{[]int{2, 2}, "", ""},
		{[]int{1, 1}, before + "2 now, among them M from Driver to A#1", "refused"},
		{[]int{2}, before + "1 now, among them none that is new", before + "1 now"},
		{[]int{2, 2, 1}, before + "3 now, among them M from Driver to A#1", before + "3 now"},
		{nil, "the same schedule led to 2 possible steps at step 1 before, and now the execution ends after step 0",
			"the same schedule led on after step 0 before, and now the execution ends there"},
	} {
		for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil), reverse.New()} {
			want := tt.want
			if s.Name() == "reverse" {
				want = tt.reverse
			}
			text, out := diverging(t, s, tt.later)
			if strings.Contains(out.PassedOver, "refused") {
				text = "refused" // a step of the new class, for all that reverse knows
			}
			if text != want || out.Diverged != (want != "" && want != "refused") || out.Complete != (want == "") {
				t.Errorf("%s, then to %v: %q, want %q; %+v", s.Name(), tt.later, text, want, out)
			}
		}
	}
}

// diverging explores a program that is another one from the second execution on, and gives what the strategy says.
func diverging(t *testing.T, s explore.Strategy, later []int) (text string, out explore.Outcome) {
	t.Helper()
	c := &clockwork{begins: []int{2, 2}, acts: []act{{}, {}}}
	o := c.options(trace.Bag)
	o.Conditions.Timers = trace.Quiescent
	o.After = func(*explore.Counters, *trace.Trace) {
		c.begins = later
		if in := s.(explore.Diverger).Divergence(); in != nil {
			text = in.Text
		}
	}
	out, err := explore.Run(c, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return text, out
}
