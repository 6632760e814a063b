package session

import (
	"testing"
)

// Patches of one version of Go choose alike.
func TestWithoutPatch(t *testing.T) {
	for version, want := range map[string]string{
		"go1.26.8 linux/amd64": "go1.26 linux/amd64", "go1.26 linux/amd64": "go1.26 linux/amd64",
		"go1.25.4 linux/arm64": "go1.25 linux/arm64", "devel": "devel ",
	} {
		if got := withoutPatch(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}
