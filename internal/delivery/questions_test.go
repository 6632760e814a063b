package delivery

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestAtQuestions: what waits before a message at points of a record, also before one that arrives later, by model.
func TestAtQuestions(t *testing.T) {
	w := newWritten()
	other := w.AddActor(w.TypeNamed("A"), "", 0, 0)
	first, system, second, answer := w.send(trace.User), w.send(trace.System), w.send(trace.User), w.send(trace.Answer)
	w.event(w.DeliveryOf(first), true)
	cancels := w.event(trace.StartStep(1), true)
	w.Events[cancels].Cancelled = []int32{second, first} // the first one is handled: that cancels nothing
	w.event(trace.StartStep(2), true)
	third, late := w.send(trace.User), w.send(trace.System)
	away := w.AddMessage(w.TypeNamed("M"), trace.User, 0, other, int32(len(w.Events)-1), nil)
	w.Messages[away].AtOnce = true
	end := len(w.Events)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		orders, mailbox := model == trace.FIFO || model == trace.Causal, model == trace.Mailbox
		var a At
		a.Reset(model, trace.Quiescent, &w.Trace)
		a.To(end) // so that no question moves it
		for _, tt := range []struct {
			at     int
			m      int32
			behind bool
			after  bool
			passes bool
			older  []int32
		}{
			{0, first, false, false, mailbox, nil},
			{1, first, false, true, mailbox, nil},
			{1, second, orders, true, mailbox, []int32{first}},
			{1, third, orders, true, mailbox, []int32{first, second}},
			{1, system, false, false, false, nil},
			{1, late, false, true, false, nil},
			{1, answer, false, false, false, nil},
			{1, away, false, false, mailbox, nil},
			{2, second, false, true, false, nil}, // it has looked
			{2, third, orders, true, false, []int32{second}},
			{3, third, false, true, false, nil},
			{end, away, false, false, mailbox, nil},
		} {
			a.To(tt.at)
			got := fmt.Sprint(a.Behind(tt.m), a.AfterSystem(tt.m), a.Passes(tt.m), a.Older(tt.m))
			if want := fmt.Sprint(tt.behind, tt.after, tt.passes, tt.older); got != want {
				t.Errorf("%v, before event %d, message %d: behind, after system, passes, older: %s, want %s",
					model, tt.at, tt.m, got, want)
			}
		}
		for at, want := range [][]int32{
			{}, {first, system, second, answer}, {system, second, answer}, {system, second, answer},
		} {
			left := []int32{}
			a.To(at)
			if a.EachLeft(func(m int32) { left = append(left, m) }); !slices.Equal(left, want) {
				t.Errorf("%v, before event %d: left are %v, want %v", model, at, left, want)
			}
		}
		for _, x := range []int32{first, second} {
			for _, y := range []int32{first, second} {
				if got := a.Ordered(x, y); got != (orders && x < y) {
					t.Errorf("%v: message %d before %d: %v", model, x, y, got)
				}
			}
		}
	}
}

// TestAtPast: the past of a message is known wherever the cursor is, and that of one that stands for another is the
// other's.
func TestAtPast(t *testing.T) {
	w := newWritten()
	first := w.send(trace.User)
	w.event(trace.StartStep(1), true)
	second := w.send(trace.User)
	w.event(w.DeliveryOf(first), true)
	again := w.send(trace.User)
	w.Messages[again].Renews = second
	var a At
	for range 2 {
		a.Reset(trace.Causal, trace.Quiescent, &w.Trace)
		for _, m := range []int32{second, again} {
			if past := a.Past(m); !past.Has(first) || past.Has(second) || past.Has(again) {
				t.Errorf("the past of message %d is %v, want message %d alone", m, past, first)
			}
		}
		if n := len(a.moves); n != 2 {
			t.Errorf("the cursor is before event %d, want 2: behind the send", n)
		}
		a.To(0)
		if a.Past(second); len(a.moves) != 0 {
			t.Error("the cursor moves for a past that it knows")
		}
		a.Cut(1)
		if a.Past(second); len(a.moves) != 2 {
			t.Error("the cursor does not look again at what was cut")
		}
	}
}
