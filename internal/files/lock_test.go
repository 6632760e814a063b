package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A second opening of a file is to a lock what another process is.
func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	one, two := open(), open()
	defer two.Close()
	if err := TryLock(one); err != nil {
		t.Fatal(err)
	}
	if err := TryLock(two); errors.Is(err, ErrLocked) != (NoLocks == "") {
		t.Errorf("taken twice: %v; locks are missing: %q", err, NoLocks)
	}
	one.Close()
	if err := TryLock(two); err != nil {
		t.Errorf("given back by closing, and %v", err)
	}
}
