//go:build unix

package profile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of the profile is refused; opening it would wait for ever.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	if err := AddToFile(path, New()); err == nil || !strings.Contains(err.Error(), "it is a pipe, and a file is wanted") {
		t.Errorf("%v, want that it is a pipe", err)
	}
}
