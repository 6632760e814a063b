//go:build unix

package source

import (
	"os"
	"syscall"
	"testing"
)

// The first signal ends the search, and only that.
func TestUntilInterrupted(t *testing.T) {
	search, stop := untilInterrupted(t.Context())
	defer stop()
	if search.Err() != nil {
		t.Fatal("nobody has interrupted it")
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-search.Done()
	if t.Context().Err() != nil {
		t.Error("more than the search has ended")
	}
}
