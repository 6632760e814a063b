package gentest_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestWay: a failure is a finding after the real program has gone the way to it, and none where it does not fail there.
// The other tests of the case stay what they are, since they make the state.
func TestWay(t *testing.T) {
	for _, follows := range []bool{true, false} {
		_, packages := made(t, "../../examples", "./bank", "^Server.Withdraw$", gentest.Options{})
		pkg := packages[0]
		var way *gentest.Test
		for _, x := range pkg.Tests {
			if x.Way {
				way = x
			}
		}
		if way == nil || way.Why != "" {
			t.Fatalf("no test of the way to the overdraft: %+v", way)
		}
		c := way.Case
		if !follows { // the program makes the actor otherwise
			for i, line := range way.Lines {
				if strings.HasPrefix(line, "x.Handle(") {
					way.Lines[i] = "s.Balance = 1 << 40\n" + line
				}
			}
		}
		if err := pkg.Confirm(t.Context(), gentest.Run{Scratch: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		if c.Finding() != follows || way.Unconfirmed() == follows || way.Finding() != follows {
			t.Errorf("the program follows %v: finding %v, unconfirmed %v: %s", follows, c.Finding(), way.Unconfirmed(), way.Output)
		}
		if !follows && !strings.Contains(c.StateAssumed, "the handler does not panic") {
			t.Errorf("assumed is %q, want that the handler does not panic", c.StateAssumed)
		}
		if c.Confirmed != cases.Confirmed {
			t.Errorf("the program follows %v: the case is %q, want confirmed", follows, c.Confirmed)
		}
	}
}
