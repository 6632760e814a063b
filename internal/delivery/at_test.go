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
		{"in no call, after a timer", false, func(w *written) {
			m := w.send(trace.Timeout)
			e := &w.Events[w.event(w.FiringOf(m), false)]
			e.Released, e.Cancelled = m, []int32{m}
		}, false},
		{"in no call, after a loss", false, func(w *written) { w.event(w.FaultStep(1, trace.Drop, 0), false) }, false},
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
		for _, back := range []int{1, len(w.Events) - 1, 1} {
			if a.To(len(w.Events)); !slices.Equal(a.messages(), want) {
				t.Errorf("%s: enabled are %v, want %v", tt.name, a.messages(), want)
			}
			a.To(back)
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
		for _, timers := range []trace.TimerMode{trace.Async, trace.Quiescent} {
			w := newWritten()
			handled, left, cancelled := w.send(trace.Timeout), w.send(trace.Timeout), w.send(trace.Timeout)
			w.Events[w.event(trace.AdvanceStep(0), true)].Due = []int32{handled}
			w.Events[w.event(w.DeliveryOf(handled), true)].Cancelled = []int32{cancelled}
			w.Explored = int(w.event(trace.StartStep(1), true))
			var a At
			a.Reset(model, timers, &w.Trace)
			a.To(w.Explored)
			want := fmt.Sprint([]int32{left})
			if model.Queues() || timers == trace.Quiescent { // firing is a step, or waits for an advance
				want = "[]"
			}
			if got := fmt.Sprint(a.messages()); got != want {
				t.Errorf("%v, %v: enabled are %v, want %v", model, timers, got, want)
			}
		}
	}
}

// TestAtRest: actors of set-up are at rest when it ends, so that nothing passes the system message that comes first.
// One that is created later looks.
func TestAtRest(t *testing.T) {
	for _, inSetUp := range []bool{true, false} {
		w := newWritten()
		w.Explored = len(w.Events)
		if !inSetUp {
			w.Actors[1].Creator = w.event(trace.StartStep(1), true)
		}
		w.event(trace.StartStep(2), true)
		late, user := w.send(trace.System), w.send(trace.User)
		var a At
		a.Reset(trace.Mailbox, trace.Quiescent, &w.Trace)
		a.To(len(w.Events))
		want := []int32{late}
		if !inSetUp {
			want = append(want, user)
		}
		if got := a.messages(); !slices.Equal(got, want) {
			t.Errorf("created in set-up %v: enabled are %v, want %v", inSetUp, got, want)
		}
	}
}

// TestAtMovesAlone: a cursor that took events out of their order goes back to where they were in order. It is used for
// one record after the other, and for what a record becomes.
func TestAtMovesAlone(t *testing.T) {
	var a At
	for range 2 {
		w := newWritten()
		first, second := w.send(trace.User), w.send(trace.User)
		one, two := w.event(w.DeliveryOf(first), true), w.event(w.DeliveryOf(second), true)
		a.Reset(trace.Bag, trace.Quiescent, &w.Trace)
		at := func(name string, want ...int32) {
			t.Helper()
			if got := a.messages(); !slices.Equal(got, want) {
				t.Errorf("%s: enabled are %v, want %v", name, got, want)
			}
		}
		a.To(1)
		at("in order", first, second)
		a.Take(two)
		at("the second one alone", first)
		a.To(2)
		at("in order again", second)
		a.To(1)
		a.Take(two)
		a.Take(one)
		at("both, the other way round")
		a.To(3)
		at("both")
		a.Cut(2)
		at("cut behind the first", second)
		a.To(1)
		a.Take(two)
		a.Cut(3)
		at("what is not in order is cut", first, second)
		if err := a.pool.sane(); err != nil {
			t.Error(err)
		}
	}
}

// TestAtTimersThatAdvanceSends: a timeout that the record has only when the clock reaches it may be handled from then
// on; one that is set waits.
func TestAtTimersThatAdvanceSends(t *testing.T) {
	w := newWritten()
	w.Explored = len(w.Events)
	w.event(trace.StartStep(1), true)
	w.send(trace.Timeout)
	w.event(trace.AdvanceStep(0), true)
	fired := w.send(trace.Timeout)
	var a At
	a.Reset(trace.Bag, trace.Quiescent, &w.Trace)
	a.To(len(w.Events))
	if got := a.messages(); !slices.Equal(got, []int32{fired}) {
		t.Errorf("enabled are %v, want %d alone", got, fired)
	}
}

// TestAtReads: a cursor goes on in a copy of its record that has grown. A message may be asked about whose receiver got
// none yet.
func TestAtReads(t *testing.T) {
	w := newWritten()
	other := w.AddActor(w.TypeNamed("A"), "", 0, 0)
	var a At
	a.Reset(trace.Mailbox, trace.Quiescent, &w.Trace)
	a.To(1)
	grown := written{w.Trace}
	grown.event(trace.StartStep(1), true)
	m, system := grown.send(trace.User), grown.send(trace.System)
	away := grown.AddMessage(w.TypeNamed("M"), trace.User, 0, other, 1, nil)
	a.Reads(&grown.Trace)
	if a.AfterSystem(m) {
		t.Error("a system message waits before one was sent")
	}
	a.To(2)
	if got := a.messages(); !slices.Equal(got, []int32{m, system}) {
		t.Errorf("enabled are %v, want %v", got, []int32{m, system})
	}
	if a.Behind(away) || a.AfterSystem(away) {
		t.Error("something waits before an actor that was sent nothing")
	}
}
