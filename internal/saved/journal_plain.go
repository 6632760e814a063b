//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package saved

import (
	"errors"
	"io/fs"
	"os"

	"github.com/rehearse-go/rehearse/internal/files"
)

// file is a file that is written with one system call per change, for systems without mapped files in package syscall.
type file struct {
	f        *os.File
	b        []byte
	previous []byte // what was there
}

// openFile takes the file. Where an open file cannot be deleted, that tells whether another process holds it. Where it
// can, two processes that run the same test at the same time may each report the other's journal.
func openFile(path string) (*file, error) {
	previous, err := files.Read(path)
	if err == nil {
		if os.Remove(path) != nil {
			return nil, files.ErrLocked
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(fileSize); err != nil {
		f.Close()
		return nil, err
	}
	return &file{f: f, b: make([]byte, fileSize), previous: previous}, nil
}

func (j *file) window(off, n int) []byte { return j.b[off : off+n : off+n] }

func (j *file) flush(off, n int) {
	// A journal that cannot be written is no reason to stop: the exploration does not need it.
	_, _ = j.f.WriteAt(j.b[off:off+n], int64(off))
}

func (j *file) remove() {
	j.f.Close()
	os.Remove(j.f.Name())
}
