package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// What a timer sent while time passed has arrived at once, or, where it waits for what was captured before, when it is
// released.
func TestPendingOfTimers(t *testing.T) {
	for _, tt := range []struct {
		waits, released bool
		want            []bool // pending, after each event
	}{
		{false, false, []bool{true, true}},
		{true, false, []bool{false, false}}, // the execution was cut
		{true, true, []bool{false, false, true}},
	} {
		tr := &trace.Trace{}
		tr.AddDriver()
		a := tr.AddActor(tr.TypeNamed("a"), "", 0, tr.Begin(trace.StartStep(0)))
		tr.Explored = 1
		m := tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, a, a, tr.Begin(trace.AdvanceStep(0)), nil)
		tr.Messages[m].Timed, tr.Messages[m].AtOnce = tt.waits, !tt.waits
		tr.Begin(trace.AdvanceStep(1))
		if tt.released {
			e := tr.Begin(tr.ReleaseOf(m))
			tr.Events[e].Released = m
		}
		o := New(trace.Mailbox, trace.Async)
		o.Extend(tr, len(tr.Events))
		var at []bool
		for end := int32(1); end <= int32(o.Len()); end++ {
			pending := false
			o.Pending(end, func(p int32) { pending = pending || p == m })
			at = append(at, pending)
		}
		if !slices.Equal(at, tt.want) {
			t.Errorf("%+v: pending after each event: %v", tt, at)
		}
	}
}
