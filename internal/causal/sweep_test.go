package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// One Sweep gives at each end what a look at all messages gives there.
func TestSweepAgainstAll(t *testing.T) {
	met := 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		sweep := o.Sweep()
		for end := range int32(o.Len() + 1) {
			var got []int32
			sweep.Pending(end, func(m int32) { got = append(got, m) })
			want := pendingOf(o, end)
			met += len(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: before event %d messages %v wait, want %v\n%v", cond, end, got, want, p)
			}
		}
	})
	if met == 0 {
		t.Error("no message ever waited")
	}
}

// pendingOf looks at all messages.
func pendingOf(o *Order, end int32) (pending []int32) {
	handled := make([]bool, len(o.tr.Messages))
	for e := range o.first + int(end) {
		s := &o.tr.Events[e].Step
		if s.Message >= 0 && s.Kind != trace.Send && s.Kind != trace.Timer && s.Fault() != trace.Duplicate {
			handled[s.Message] = true
		}
	}
	var left []int32
	for m := range o.tr.Messages {
		if !handled[m] && o.tr.Messages[m].Class.Handled() && o.arrivedBefore(int32(m), end) {
			left = append(left, int32(m))
		}
	}
	for _, m := range left {
		if !o.held(m, left) {
			pending = append(pending, m)
		}
	}
	return pending
}
