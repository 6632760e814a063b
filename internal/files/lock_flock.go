//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"os"
	"syscall"
)

// NoLocks says that there are no locks here, "" where there are.
const NoLocks = ""

// TryLock takes the lock of an open file, or gives ErrLocked.
func TryLock(f *os.File) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return ErrLocked
	}
	return lockError(f, err)
}

// WaitLock waits until nobody else holds the lock of an open file, and takes it.
func WaitLock(f *os.File) error { return lockError(f, flock(f, syscall.LOCK_EX)) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

func lockError(f *os.File, err error) error {
	if err != nil {
		err = &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return err
}
