package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Races of records made by hand, which random programs have seldom: what comes too late for a call, suspended tasks
// that call, and handlers that go on past a system message.

// racesOf gives the events that a message which was not handled could have been handled before, as the system says what
// is accepted.
func racesOf(o *Order, m int32, accepts Acceptance) (all []int32) {
	o.RacesOfPending(m, int32(o.Len()), accepts, func(i int32) bool {
		all = append(all, i)
		return true
	})
	return all
}

// TestTooLate: an answer or a timeout that comes when its call is over races with what ended the call, and with no step
// that its actor took then.
func TestTooLate(t *testing.T) {
	for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
		for _, answered := range []bool{true, false} {
			tr := begun(2)
			first, request := sent(tr, trace.User, 0, 1), sent(tr, trace.User, 0, 2)
			later := []int32{sent(tr, trace.User, 0, 1), sent(tr, trace.User, 0, 1)}
			handled(tr, first, false)
			tick := tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, 1, 1, int32(len(tr.Events)-1), nil)
			tr.Messages[tick].EndsCall = true
			handled(tr, request, true)
			answer := sent(tr, trace.Answer, 2, 1)
			over, late := answer, tick
			if !answered {
				over, late = tick, answer
				tr.Events[tr.Begin(tr.FiringOf(tick))].Released = tick
			}
			end := handled(tr, over, true)
			if answered {
				tr.Events[end].Cancelled = []int32{tick}
			}
			for _, m := range later {
				handled(tr, m, true)
			}
			o := New(model, trace.Async)
			o.Extend(tr, len(tr.Events))
			if got := racesOf(o, late, nil); !slices.Equal(got, []int32{end}) {
				t.Errorf("%v, answered %v: what is late races with %v, want %d", model, answered, got, end)
			}
		}
	}
}

// TestTasksThatCall: a message could have been taken before a suspended task, whose call is no reason to look no
// further. While the task waits for the answer it could not.
func TestTasksThatCall(t *testing.T) {
	for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
		for _, kind := range []trace.MessageKind{trace.User, trace.System} {
			tr := begun(1)
			task, answer, m := sent(tr, trace.Task, 0, 1), sent(tr, trace.Answer, 0, 1), sent(tr, kind, 0, 1)
			resumed := handled(tr, task, false)
			handled(tr, answer, true)
			o := New(model, trace.Quiescent)
			o.Extend(tr, len(tr.Events))
			if got := racesOf(o, m, nil); !slices.Equal(got, []int32{resumed}) {
				t.Errorf("%v, %v: races with %v, want %d", model, kind, got, resumed)
			}
		}
	}
}

// TestGoesOnPast: a system message that a user message passed could have been taken before that, also where the handler
// went on after a call. Under mailbox-serial nothing passes it.
func TestGoesOnPast(t *testing.T) {
	for _, arrived := range []bool{true, false} {
		tr := begun(2)
		first, tell, answer := sent(tr, trace.User, 0, 1), sent(tr, trace.User, 0, 2), sent(tr, trace.Answer, 0, 1)
		var passed int32
		stop := func() { handled(tr, tell, true); passed = sent(tr, trace.System, 2, 1) }
		if arrived {
			stop()
		}
		step := handled(tr, first, false)
		if !arrived {
			stop()
		}
		end := handled(tr, answer, true)
		o := New(trace.Mailbox, trace.Quiescent)
		o.Extend(tr, len(tr.Events))
		want := []int32{step}
		if !arrived {
			want = nil // it came later: the arrivals race, and not the steps
		}
		if got := racesOf(o, passed, nil); !slices.Equal(got, want) {
			t.Errorf("arrived before %v: races with %v, want %v (the handler ends in %d)", arrived, got, want, end)
		}
	}
}
