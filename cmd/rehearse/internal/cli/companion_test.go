package cli

import "testing"

// What go run has made has no version, and neither has a companion that it builds, or the two would not go together.
func TestStampOfCompanions(t *testing.T) {
	if got := stamp("(devel)/5"); len(got) != 1 || got[0] != "-buildvcs=false" {
		t.Errorf("%q", got)
	}
	if got := stamp("v0.0.0-20261128223051-d85385171808/5"); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
