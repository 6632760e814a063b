package wild

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: small programs on which a result was wrong. Each was made of a random one by leaving out what did not
// matter.

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
		{"the clock came to advance before steps that had not enabled it, and reverse did not say that it tries that nowhere",
			program{roots: []int{1, 0}, kinds: does(kind{}, 0, deed{what: "timeout", to: 2}), first: []deed{{what: "send", to: 1}, {what: "send"}}}, trace.FIFO, trace.Async, 2},
		{"an advance of the clock in which a random router chooses was taken for one in vain, and optimal panicked",
			program{roots: []int{0, 1}, routers: []string{"random"}, first: []deed{{what: "after", to: 2}}}, trace.Bag, trace.Async, 4},
		{"a dead letter was that of the actor that waited meanwhile, and not of who had sent it",
			program{roots: []int{0, 1}, kinds: does(kind{}, onStopped, deed{what: "stopWait", to: 1}), first: []deed{{what: "poison"}, {what: "send"}}}, trace.Mailbox, trace.Quiescent, 4},
		{"whether a broadcast finds the actor of its router was not seen to depend on who stops that",
			program{roots: []int{0, 1}, routers: []string{"broadcast"}, kinds: does(kind{}, 0, deed{what: "broadcast", typ: 1}),
				first: []deed{{what: "send"}, {what: "poison", to: 2}, {what: "send", to: 1, typ: 1}}}, trace.Bag, trace.Quiescent, 5},
		{"who watches a router, and whether it stops, is asked and changed without a message",
			program{roots: []int{0, 1}, routers: []string{"round"}, kinds: watches(), first: []deed{{what: "send"}, {what: "send", typ: 1}, {what: "send", to: 1}}},
			trace.FIFO, trace.Quiescent, 6},
	} {
		x := newTrial(&tt.program, 1, false, tt.model)
		x.hops, x.cond.Timers = 1, tt.timers
		var h agree.Hunt
		if err := h.On(x.under()); err != nil || h.Compared != 1 || h.Classes != tt.classes {
			t.Errorf("%s: %v\n%s, want %d classes in 1 program", tt.why, err, &h, tt.classes)
		}
	}
}

// does gives kinds of which the first does one thing.
func does(k kind, event int, d ...deed) (all [kinds]kind) {
	k.handlers[0][event] = d
	all[0] = k
	return all
}

// watches gives kinds of which the first watches a router, and ends that, and the second stops it.
func watches() [kinds]kind {
	all := does(kind{}, 0, deed{what: "watch", to: 2})
	all[0].handlers[0][1] = []deed{{what: "unwatch", to: 2}}
	all[1].handlers[0][0] = []deed{{what: "stop", to: 2}}
	return all
}

// subscribesTwice gives kinds of which the first subscribes twice, and the second publishes.
func subscribesTwice() [kinds]kind {
	all := does(kind{}, 0, deed{what: "subscribe"}, deed{what: "subscribe"})
	all[1].handlers[0][0] = []deed{{what: "publish"}}
	return all
}

// Orders that are not explored under mailbox, and were not named.
func TestNotExplored(t *testing.T) {
	claims := does(kind{}, 1, deed{what: "claim"})
	subscribes := does(kind{}, 1, deed{what: "subscribe"})
	sends := does(kind{}, 1, deed{what: "send", to: 1})
	for _, tt := range []struct {
		why     string
		program program
		omits   string
	}{
		{"what is sent leads to an actor of the same name, which may be there first",
			program{roots: []int{0}, kinds: claims, first: []deed{{what: "send", typ: 1}, {what: "claim"}}}, "Driver (start of Driver) does something at once"},
		{"before a send nothing of the kind is late", program{roots: []int{0}, kinds: claims, first: []deed{{what: "claim"}, {what: "send", typ: 1}}}, ""},
		{"what is sent leads to a subscription, which may be there first",
			program{roots: []int{0}, kinds: subscribes, first: []deed{{what: "send", typ: 1}, {what: "publish"}}}, "A (letter from Driver to A) does so too"},
		{"whoever was not sent anything may come first as well", program{roots: []int{0, 1}, kinds: subscribes, first: []deed{{what: "send", to: 1}, {what: "publish"}}}, ""},
		{"a router's turn goes round",
			program{roots: []int{0}, kinds: sends, routers: []string{"round"}, first: []deed{{what: "send", typ: 1}, {what: "send", to: 1}}}, "sends through a router"},
		{"a router to all has no turn", program{roots: []int{0}, kinds: sends, routers: []string{"broadcast"}, first: []deed{{what: "send", typ: 1}, {what: "send", to: 1}}}, ""},
		{"two subscriptions are made one after the other, and what is published may come between",
			program{roots: []int{0, 1}, kinds: subscribesTwice(), first: []deed{{what: "send"}, {what: "send", to: 1}}}, "does so too"},
		{"an actor that panics when it has stopped goes on with what waits",
			program{roots: []int{0}, kinds: does(kind{}, onStopped, deed{what: "panic"}), first: []deed{{what: "stop"}, {what: "send"}}}, "panics when it has left the registry"},
	} {
		for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
			x := newTrial(&tt.program, 1, false, model)
			x.hops = 2
			s, err := x.under().Show("optimal")
			want := tt.omits != "" && (model == trace.Mailbox || strings.HasPrefix(tt.omits, "panics"))
			if err != nil || s.Complete == want || want != strings.Contains(s.PassedOver, tt.omits) && tt.omits != "" {
				t.Errorf("%s, %s: %v, %s, %q, want it to say %q", tt.why, model, err, s, s.PassedOver, tt.omits)
			}
		}
	}
}
