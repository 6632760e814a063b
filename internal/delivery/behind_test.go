package delivery

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestBehind: what a timer sends is released behind what was captured when it was set, and behind timers of then that
// fired before. If that is released, or nothing is captured, there is nothing to wait for.
func TestBehind(t *testing.T) {
	w := newWritten()
	var ms [6]int32
	for i := range ms {
		ms[i] = w.AddMessage(w.TypeNamed("M"), trace.User, 1, 0, 0, nil)
	}
	var p Pool
	p.Reset(trace.Mailbox, &w.Trace)
	if p.Behind(1, ms[0], ms[1]) || w.Messages[ms[1]].Timed {
		t.Error("a timer waits for what was never captured")
	}
	p.Send(ms[0])
	p.Send(ms[1])
	for _, tt := range []struct{ last, m int }{{0, 2}, {0, 3}, {1, 4}} {
		if !p.Behind(1, ms[tt.last], ms[tt.m]) || !w.Messages[ms[tt.m]].Timed {
			t.Errorf("message %d does not wait for %d", tt.m, tt.last)
		}
	}
	for i, want := range []int32{ms[0], ms[2], ms[3], ms[1], ms[4]} {
		if m, ordered, dead := p.Release(1, trace.ID{}); m != want || !ordered || dead {
			t.Errorf("release %d is of message %d (%v, %v), want %d", i, m, ordered, dead, want)
		}
		if i == 0 && (p.Behind(1, ms[0], ms[5]) || w.Messages[ms[5]].Timed) {
			t.Error("a timer waits for what is released")
		}
	}
}

// TestReleaseAll: what set-up has captured reaches its receivers at once under Mailbox; those that have stopped get
// nothing.
func TestReleaseAll(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		w := newWritten()
		other := w.AddActor(w.TypeNamed("A"), "", 0, 0)
		send := func(to int32) int32 { return w.AddMessage(w.TypeNamed("M"), trace.User, 0, to, 0, nil) }
		first, second, lost := send(1), send(1), send(other)
		var p Pool
		p.Reset(model, &w.Trace)
		p.Stop(other)
		for _, m := range []int32{first, lost, second} {
			p.Send(m)
		}
		var dead []int32
		p.ReleaseAll(func(m int32) { dead = append(dead, m) })
		if mailbox := model == trace.Mailbox; slices.Equal(dead, []int32{lost}) != mailbox || len(dead) > 1 ||
			w.Messages[first].AtOnce != mailbox || w.Messages[lost].AtOnce != mailbox {
			t.Errorf("%v: dead letters %v, at once %v", model, dead, w.Messages[first].AtOnce)
		}
		if p.Holds(0) || !p.Waits(first) || !p.Waits(second) || p.Waits(lost) {
			t.Errorf("%v: what was captured does not wait", model)
		}
	}
}
