//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// holdFor is how long to wait for a lock. Whoever has it holds it for milliseconds, unless it was killed.
const holdFor = 10 * time.Second

// Hold makes a file beside it that nobody else can make while it is there. Here it outlives a process that is killed:
// then somebody has to delete it, and is told so.
func Hold(path string) (unlock func(), err error) {
	name := path + ".lock"
	if err := IsFile(name); err != nil {
		return nil, err
	}
	for until := time.Now().Add(holdFor); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o644)
		switch {
		case err == nil:
			return func() { f.Close(); os.Remove(name) }, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission):
			// Windows denies access to one that is being deleted
			return nil, err
		case time.Now().After(until):
			return nil, fmt.Errorf("%s is there for %s: if the process that made it was killed, delete it", name, holdFor)
		}
	}
}
