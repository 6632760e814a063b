//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package parallel

import (
	"fmt"
	"os"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/whole"
)

// Unlocked says that nothing keeps two processes from going on with one file, "" where something does.
const Unlocked = ""

// lockFile takes the lock; the kernel gives it back when this process dies, however it dies.
func lockFile(path string) (*os.File, error) {
	f, err := whole.Open(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another process goes on with this exploration at the moment: it holds %s", path)
	}
	return f, nil
}
