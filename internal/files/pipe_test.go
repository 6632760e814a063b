//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestPipesAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, path := range []string{path, link} {
			if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path+": it is a pipe, and a file is wanted") {
				t.Errorf("%s: %v", path, err)
			}
			if _, err := Open(path, os.O_RDWR|os.O_CREATE, 0o644); err == nil {
				t.Errorf("%s was opened", path)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a pipe is waited for")
	}
}
