//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package saved

import (
	"io"
	"os"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/files"
)

// file is a file in memory: what is written there lasts when the process dies, because the kernel holds it.
type file struct {
	f        *os.File
	b        []byte
	previous []byte // what was there
}

// openFile takes the file; the kernel gives it back when this process dies, however it dies.
func openFile(path string) (*file, error) {
	f, err := files.Open(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := files.TryLock(f); err != nil {
		f.Close()
		return nil, err
	}
	j := &file{f: f}
	if err := j.fill(); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

func (j *file) fill() (err error) {
	if j.previous, err = io.ReadAll(j.f); err != nil {
		return err
	}
	// Through zero, so that nothing old is left; the file is sparse, so its size is no cost.
	if err = j.f.Truncate(0); err == nil {
		err = j.f.Truncate(fileSize)
	}
	if err != nil {
		return err
	}
	j.b, err = syscall.Mmap(int(j.f.Fd()), 0, fileSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return err
}

func (j *file) window(off, n int) []byte { return j.b[off : off+n : off+n] }

func (j *file) flush(int, int) {}

// remove deletes the file and lets go of it. The memory stays mapped: a goroutine that an execution left behind may
// still call Step, and a write to unmapped memory would be a fault that no one can catch.
func (j *file) remove() {
	os.Remove(j.f.Name())
	j.f.Close()
}
