package gentest_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestTwice: a package that is read with its tests, and without them since another one imports it, has each target
// once, under its short name.
func TestTwice(t *testing.T) {
	_, packages := made(t, ".", "./testdata/twice/...", "", gentest.Options{})
	if len(packages) != 1 || len(packages[0].Suites) != 2 {
		t.Fatalf("%d packages, want one with two targets", len(packages))
	}
	for i, want := range []string{"Counter.Count", "Counter.other"} {
		if got := packages[0].Suites[i].Target.Name; got != want {
			t.Errorf("target %s, want %s", got, want)
		}
	}
	if s := confirmed(t, packages); s != (share{confirmed: 3}) || packages[0].Unseen != "" {
		t.Errorf("%+v, not looked at: %q", s, packages[0].Unseen)
	}
}
