//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"os"
)

// Hold waits until no other process holds the file and takes it. The kernel gives it back when this process dies,
// however it dies.
func Hold(path string) (unlock func(), err error) {
	for {
		f, err := Open(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err = WaitLock(f); err != nil {
			f.Close()
			return nil, err
		}
		// SUBTLE: who held it before may have put another file in its place, and that is the one to hold.
		is, err := same(f, path)
		if is {
			return func() { f.Close() }, nil
		}
		if f.Close(); err != nil {
			return nil, err
		}
	}
}
