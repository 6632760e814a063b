//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
)

// An interrupt ends a swarm. What goes wrong by it is not told as if it were the cause.
func TestInterrupt(t *testing.T) {
	place(t)
	began := filepath.Join(t.TempDir(), "began")
	t.Setenv(programVariable, "passes")
	t.Setenv(beganVariable, began)
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(began); err == nil {
				syscall.Kill(os.Getpid(), syscall.SIGINT)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_, errs, code := ask(t, "swarm", "-store", t.TempDir(), "-workers", "1", "-strategy", "naive", "-budget", "unlimited",
		"-run", "^TestProgram$", "-env", programVariable, "-env", beganVariable, "./till")
	const last = "rehearse swarm: interrupted: the same command goes on with what is kept\n"
	if code != command.ExitError || !strings.HasSuffix(errs, last) || strings.Contains(errs, "canceled") {
		t.Errorf("%d\n%s", code, errs)
	}
}
