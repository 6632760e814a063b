//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package lock

import (
	"os"
	"syscall"
)

// Missing says that there are no locks here, "" where there are.
const Missing = ""

// Try takes the lock of an open file, or gives ErrHeld.
func Try(f *os.File) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return ErrHeld
	}
	return failed(f, err)
}

// Wait waits until nobody else holds the lock of an open file, and takes it.
func Wait(f *os.File) error { return failed(f, flock(f, syscall.LOCK_EX)) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

func failed(f *os.File, err error) error {
	if err != nil {
		err = &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return err
}
