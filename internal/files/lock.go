package files

import (
	"errors"
	"os"
)

// This file and those beside it (lock_*.go, hold_*.go) lock open files against other processes. The kernel gives a lock
// back when the file is closed or its process dies, however it dies. So nothing is left to clean up. Where there are no
// such locks, NoLocks says so.

// ErrLocked says that another process, or another opening of the file in this one, holds the lock.
var ErrLocked = errors.New("held by another process")

// same reports whether the path still names the open file: another process may have removed or replaced it before it
// was locked.
func same(f *os.File, path string) (bool, error) {
	held, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	if os.IsNotExist(err) {
		return false, nil
	}
	return err == nil && os.SameFile(held, there), err
}
