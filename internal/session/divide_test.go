package session

import (
	"strings"
	"testing"
)

// Where files cannot be locked, people are told what may go wrong; where they can be, nothing.
func TestUnlockedFilesAreToldOf(t *testing.T) {
	var b strings.Builder
	tellUnlocked(&b, "kept", "")
	if b.Len() > 0 {
		t.Errorf("%q, and there is nothing to tell", b.String())
	}
	tellUnlocked(&b, "kept", "no lock")
	if got, want := b.String(),
		"rehearse: warning: resume \"kept\": no lock: see to it that no other process goes on with the same exploration\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
