//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package saved

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of a schedule is neither read nor written to: both would wait. A folder of that name is a
// subtest's.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, schedule(1).Hash()+Ext)
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "x"+Ext), 0o755); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		if files, bad := Load(dir); len(files) != 0 || len(bad) != 1 ||
			!strings.Contains(bad[0].Error(), path+": it is a pipe") {
			t.Errorf("%v, %v: want an error about the pipe and nothing else", files, bad)
		}
		if _, err := Save(dir, schedule(1)); err == nil || !strings.Contains(err.Error(), path+": it is a pipe") {
			t.Errorf("saved: %v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a pipe is waited for")
	}
}
