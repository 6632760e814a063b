package agree

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: small programs on which a strategy said complete, and was wrong.

// Each was made of a random program by leaving out what did not matter.
func TestSmallPrograms(t *testing.T) {
	const (
		ant = iota
		bee
		cat
		dog // sends to all that it knows in its start hook
		eel // refuses red messages
	)
	const red, green, blue = 0, 1, 2
	type handlers = map[[3]int][]deed
	for _, tt := range []struct {
		why      string
		model    trace.Model
		timers   trace.TimerMode
		faults   []trace.FaultKind
		roots    []int
		handlers handlers
		first    []deed
		classes  int
	}{
		{"a message that was handled in set-up waits no more, so a later one is the oldest that a stop may overtake",
			trace.Mailbox, trace.Quiescent, nil,
			[]int{dog, dog}, handlers{{ant, red, 0}: {{"send", 0, 0}, {"stopOther", 0, 0}}}, []deed{{"pass", 1, 0}}, 2},
		{"a start hook in set-up is the doing of who creates the actor: what that sends later is held back behind a " +
			"message that is refused", trace.Causal, trace.Quiescent, nil,
			[]int{eel, dog}, handlers{{ant, blue, 0}: {{"stopOther", 0, 0}}}, []deed{{"askLater", 1, 2}, {"send", 0, 2}}, 1},
		{"the same, for reverse", trace.Causal, trace.Quiescent, nil,
			[]int{eel, cat, dog}, handlers{{ant, blue, 0}: {{"choose", 0, 0}}}, []deed{{"send", 2, 2}, {"send", 0, 2}}, 2},
		{"of the second one of a doubled message its sender knows nothing", trace.Causal, trace.Async,
			[]trace.FaultKind{trace.Duplicate, trace.Crash},
			[]int{cat, bee, bee}, handlers{{bee, red, 0}: {{"stash", 0, 0}, {"unstash", 0, 0}},
				{bee, green, 0}: {{"send", 3, 0}}},
			[]deed{{"callFor", 1, 0}, {"call", 2, 1}}, 12},
		{"whether a Receive would have taken an older message is not known, so a younger one may have been the one to take",
			trace.Mailbox, trace.Quiescent, nil,
			[]int{ant, bee}, handlers{{ant, red, 0}: {{"send", 0, 0}, {"stopOther", 0, 0}},
				{bee, green, 0}: {{"receive", 0, 0}}},
			[]deed{{"send", 1, 1}, {"send", 1, 2}, {"pass", 0, 0}}, 6},
		{"source looks again at a timer that sleeps where it was cancelled: what follows there now may wake it",
			trace.MailboxSerial, trace.Async, nil,
			[]int{dog, ant, dog}, handlers{{ant, green, 0}: {{"send", 3, 1}},
				{ant, blue, 0}:  {{"wear", 0, 0}, {"introduce", 0, 0}, {"set", 0, 0}},
				{bee, green, 0}: {{"unset", 0, 0}, {"stopSelf", 0, 0}, {"send", 0, 0}}},
			[]deed{{"send", 2, 1}, {"send", 2, 2}, {"send", 2, 1}}, 11},
		{"optimal moves a step with the fault that befell it, which may depend on more than the step", trace.MailboxSerial,
			trace.Async, []trace.FaultKind{trace.Restart},
			[]int{ant, bee, bee}, handlers{{ant, red, 0}: {{"stop", 0, 0}},
				{bee, red, 0}: {{"after", 0, 2}, {"after", 0, 1}, {"after", 0, 1}}, {bee, green, 0}: {{"stop", 0, 0}},
				{bee, blue, 0}: {{"send", 0, 0}}}, []deed{{"send", 0, 0}, {"send", 2, 0}}, 29},
	} {
		d := &drawn{wild: &wild{handlers: tt.handlers, roots: tt.roots, first: tt.first, left: 3}, limit: 3000,
			cond: explore.Conditions{Model: tt.model, Timers: tt.timers, Horizon: time.Minute, Copy: true,
				Blocked: 5 * time.Second}}
		if tt.faults != nil {
			d.cond.Faults = trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(tt.faults...)}
		}
		p := d.program()
		var h Hunt
		if err := h.On(&p); err != nil || h.Compared != 1 || h.Classes != tt.classes {
			t.Errorf("%s: %v\n%s, want %d classes in 1 program", tt.why, err, &h, tt.classes)
		}
	}
}
