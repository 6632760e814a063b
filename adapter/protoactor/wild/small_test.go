package wild

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: small programs on which a result was wrong. Each was made of a random one by leaving out what did not matter.

func TestSmallPrograms(t *testing.T) {
	for _, tt := range []struct {
		why     string
		program program
		model   trace.Model
		timers  trace.TimerMode
		classes int
	}{
		{"reverse let the clock advance before it took what the clock had sent, and called itself complete",
			program{roots: []int{1}, first: []deed{{what: "after"}}}, trace.MailboxSerial, trace.Async, 2},
		{"a dead letter in the first of two set-ups was taken for a mistake in the second",
			program{roots: []int{0}, setUps: [][]deed{{{what: "byName"}}, {{what: "send"}}}, first: []deed{{what: "send"}, {what: "send", typ: 1}}}, trace.Bag, trace.Quiescent, 2},
	} {
		x := newTrial(&tt.program, 1, false, tt.model)
		x.hops, x.cond.Timers = 1, tt.timers
		var h agree.Hunt
		if err := h.On(x.under()); err != nil || h.Compared != 1 || h.Classes != tt.classes {
			t.Errorf("%s: %v\n%s, want %d classes in 1 program", tt.why, err, &h, tt.classes)
		}
	}
}
