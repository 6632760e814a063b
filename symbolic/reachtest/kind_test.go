package reachtest

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/record"
)

// A step that fails a check and sends to nobody has the finding that comes first. The reason names it, and does not say
// that the check has passed.
func TestOtherKind(t *testing.T) {
	for _, tt := range []struct {
		finding *record.Finding
		want    string
	}{
		{nil, "the order is followed, and there is no assertion"},
		{&record.Finding{Kind: "dead-letter"},
			"the order is followed, and the finding is of kind dead-letter, not assertion"},
	} {
		o := Outcome{Finding: tt.finding}
		if o.reached(&Test{}, Goal{Kind: "assertion"}, nil); o.Covered || o.Why != tt.want {
			t.Errorf("covered %v: %q, want %q", o.Covered, o.Why, tt.want)
		}
	}
}
