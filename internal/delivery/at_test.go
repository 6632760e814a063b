package delivery

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// written is a record made by hand, in which the test sends and actor 1 acts.
type written struct{ trace.Trace }

func newWritten() *written {
	w := &written{}
	w.AddDriver()
	w.AddActor(w.TypeNamed("A"), "", 0, w.event(trace.StartStep(0), true))
	return w
}

func (w *written) event(s trace.Step, completed bool) int32 {
	e := w.Begin(s)
	w.Events[e].Completed = completed
	return e
}

// send has the last event send actor 1 a message that reaches it at once.
func (w *written) send(class trace.MessageKind) int32 {
	m := w.AddMessage(w.TypeNamed("M"), class, 0, 1, int32(len(w.Events)-1), nil)
	w.Messages[m].AtOnce = true
	return m
}

// messages are those that actor 1 may take.
func (a *At) messages() (ms []int32) {
	for _, s := range a.Enabled(nil, all{}) {
		if s.Actor == 1 {
			ms = append(ms, s.Message)
		}
	}
	slices.Sort(ms)
	return ms
}

// TestAtLooksWhenHandlerGoesOn: under Mailbox an actor that goes on after the answer to its call looks for system
// messages, so that no user message passes them. One whose future an answer fills does not, unless a fault or a
// release only seems to have ended its handler.
func TestAtLooksWhenHandlerGoesOn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		waits bool
		after func(w *written)
		looks bool
	}{
		{"in a call", true, func(*written) {}, true},
		{"in no call", false, func(*written) {}, false},
		{"in a call, after a release", true, func(w *written) {
			m := w.AddMessage(w.TypeNamed("M"), trace.User, 1, 0, int32(len(w.Events)-1), nil)
			w.Events[w.event(w.ReleaseOf(m), true)].Released = m
		}, true},
		{"in a call, after a copy", true, func(w *written) { w.event(w.FaultStep(1, trace.Duplicate, 0), true) }, true},
	} {
		w := newWritten()
		first := w.send(trace.User)
		w.event(w.DeliveryOf(first), !tt.waits)
		tt.after(w)
		reply, late := w.send(trace.Answer), w.send(trace.System)
		user := w.send(trace.User)
		w.event(w.DeliveryOf(reply), true)
		var a At
		a.Reset(trace.Mailbox, trace.Quiescent, &w.Trace)
		want := []int32{late}
		if !tt.looks {
			want = append(want, user)
		}
		for range 2 {
			if a.To(len(w.Events)); !slices.Equal(a.messages(), want) {
				t.Errorf("%s: enabled are %v, want %v", tt.name, a.messages(), want)
			}
			a.To(1)
		}
	}
}

// TestAtTakesBackThatHandlerWaits: where the beginning of a handler that waits was taken back, an answer finds nobody
// who waits.
func TestAtTakesBackThatHandlerWaits(t *testing.T) {
	w := newWritten()
	first := w.send(trace.User)
	reply, late, user := w.send(trace.Answer), w.send(trace.System), w.send(trace.User)
	w.event(w.DeliveryOf(first), false)
	answered := w.event(w.DeliveryOf(reply), true)
	var a At
	a.Reset(trace.Mailbox, trace.Quiescent, &w.Trace)
	a.To(2)
	a.Back()
	a.Take(answered)
	if want := []int32{first, late}; !slices.Equal(a.messages(), want) {
		t.Errorf("enabled are %v, want %v (not %d)", a.messages(), want, user)
	}
}

// TestAtTimersOfSetUp: asynchronous timers that were set in set-up may fire once that is over.
func TestAtTimersOfSetUp(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.MailboxSerial} {
		w := newWritten()
		handled, left := w.send(trace.Timeout), w.send(trace.Timeout)
		w.Events[w.event(trace.AdvanceStep(0), true)].Due = []int32{handled}
		w.event(w.DeliveryOf(handled), true)
		w.Explored = int(w.event(trace.StartStep(1), true))
		var a At
		a.Reset(model, trace.Async, &w.Trace)
		a.To(w.Explored)
		want := fmt.Sprint([]int32{left})
		if model.Queues() { // firing is a step
			want = "[]"
		}
		if got := fmt.Sprint(a.messages()); got != want {
			t.Errorf("%v: enabled are %v, want %v", model, got, want)
		}
	}
}
