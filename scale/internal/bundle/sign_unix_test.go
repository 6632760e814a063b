//go:build unix

package bundle

import (
	"os"
	"path/filepath"
	"testing"
)

// A seed that others can read is none of the user's alone.
func TestSeedOfOthers(t *testing.T) {
	path, _ := newKey(t)
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSeed(path); !says(err, "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if _, err := ReadSeed(filepath.Join(t.TempDir(), "none")); !says(err, "rehearse swarm key") {
		t.Errorf("no file: %v", err)
	}
}
