package gentest_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestReplies: every message of native actors has a sender, so no case of a handler that replies is left out, and
// neither is the way to a finding.
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

// TestShared: pointers of the message and of the state that are equal in the case are equal in the test. Where they are
// not, the test does not go the way of the case, and does not confirm it, though all that comes of it is the same.
func TestShared(t *testing.T) {
	for _, shared := range []bool{true, false} {
		_, packages := made(t, ".", "./testdata/steps", "^Shelf.Put$", gentest.Options{})
		pkg := packages[0]
		var same *gentest.Test
		for _, x := range pkg.Tests {
			if strings.Contains(strings.Join(x.Lines, "\n"), "v := new(Item)") && same == nil {
				same = x
			}
		}
		if same == nil {
			t.Fatal("no test has a pointer that is in the message and in the state")
		}
		for i, line := range same.Lines {
			if !shared {
				same.Lines[i] = strings.Replace(line, "Put{Item: v}", "Put{Item: &Item{}}", 1)
			}
		}
		s := confirmed(t, packages)
		if want := map[bool]string{true: "", false: "the test does not reach testdata/steps/steps.go:45, which is on the path of the case"}[shared]; same.Output != want {
			t.Errorf("shared %v: %q, want %q", shared, same.Output, want)
		}
		if pkg.Unseen != "" || (s.unconfirmed == 0) != shared {
			t.Errorf("shared %v: %+v, not seen: %q", shared, s, pkg.Unseen)
		}
	}
}

// TestNilChannel: a send to a nil channel waits for ever, and so would its test, which is left out. Neither the nil
// message nor what stands for a recovered panic is there to cover.
func TestNilChannel(t *testing.T) {
	_, packages := made(t, ".", "./testdata/steps", "^Pipe.Note$", gentest.Options{})
	hold(t, packages, 1, true)
	waits := 0
	for _, x := range packages[0].Tests {
		if x.Why == "no test can wait for the end: a send to a nil channel waits for ever" {
			waits++
		}
	}
	if waits != 1 {
		t.Errorf("%d cases wait for ever, want 1", waits)
	}
	for _, l := range packages[0].Suites[0].Coverage.Left {
		if l.Why != "assumed not to be: messages and actors are no nil pointers" {
			t.Errorf("not covered: %v: %s", l.Place, l.Why)
		}
	}
	if c := packages[0].Suites[0].Coverage; len(c.Left) != 2 {
		t.Errorf("%d places are not covered, want the branch and the block behind it: %v", len(c.Left), c.Left)
	}
}
