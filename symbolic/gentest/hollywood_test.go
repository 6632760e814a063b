package gentest_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// Tests of handlers of Hollywood compile, pass and go the ways of their cases: messages, answers, new actors, and
// waiting for the end of an actor among them.
func TestHollywood(t *testing.T) {
	const run = `moderator|scoreboard|session|room\.(Ask|Join|Remove|other)`
	_, packages := made(t, "../../adapter/hollywood", "./lobby", run, gentest.Options{})
	all := confirmed(t, packages)
	if want := (share{confirmed: 46}); all.confirmed != want.confirmed || all.unconfirmed > 0 {
		t.Errorf("%+v, want %+v", all, want)
	}
	text := ""
	for _, pkg := range packages {
		for _, x := range pkg.Tests {
			if x.Target.Kind != cases.HollywoodHandler {
				t.Errorf("%s is a %v", x.Target.Name, x.Target.Kind)
			}
			text += strings.Join(x.Lines, "\n")
		}
	}
	for _, want := range []string{"x.FromNobody()", "x.Stops(", `x.SpawnsAny("lobby.session")`, "x.Sends(x.Sender(), Player{"} {
		if !strings.Contains(text, want) {
			t.Errorf("no test has %s", want)
		}
	}
}
