package gentest_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestReplies: every message of native actors has a sender, so no case of a handler that replies is left out, and neither is the way to a finding.
func TestReplies(t *testing.T) {
	_, packages := made(t, ".", "./testdata/steps", "^Counter.Ask$", gentest.Options{})
	if s := confirmed(t, packages); s.unconfirmed > 0 || s.left > 0 || s.confirmed < 3 {
		t.Errorf("%+v", s)
	}
	ways := 0
	for _, x := range packages[0].Tests {
		if x.Way && x.Finding() && x.State == gentest.Confirmed && len(x.Case.Reached.Before) == 2 {
			ways++
		}
	}
	if ways != 1 {
		t.Errorf("%d tests of a way by two questions, want 1", ways)
	}
}
