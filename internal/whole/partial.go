package whole

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/rehearse-go/rehearse/internal/lock"
)

// This file makes the files that are not whole yet, and removes those that a process left behind when it was killed.
//
//	invariants: I1 a partial file is locked until it has its name or is removed, or its process is dead
//	            I2 only what is not locked is removed; nothing is where there are no locks

// partial is what such files are called: the name that the file is to have, and a number.
var partial = regexp.MustCompile(`^\..+-[0-9]+\.partial$`)

// tries bounds how often a partial file is made that another process takes for a dead one's, in the moment before it is locked.
const tries = 100

// Partial makes a file in the folder that is to replace another one, when it is whole, by os.Rename. What dead processes left there is
// removed. release gives the lock back, after the renaming.
func Partial(dir, prefix string) (f *os.File, release func(), err error) {
	sweep(dir)
	for range tries {
		if f, err = os.CreateTemp(dir, prefix+"*.partial"); err != nil {
			return nil, nil, err
		}
		if lock.Missing != "" {
			return f, func() {}, nil
		}
		// SUBTLE: a lock of its own, so that the file can be closed, which may fail, before it gets its name.
		held, err := os.Open(f.Name())
		if err == nil {
			if err = lock.Try(held); err == nil && there(held) {
				return f, func() { held.Close() }, nil
			}
			held.Close()
		}
		f.Close()
		os.Remove(f.Name())
		if err != nil && !errors.Is(err, lock.ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return nil, nil, &fs.PathError{Op: "make a file in", Path: dir, Err: errors.New("other processes remove it again and again")}
}

// there reports whether the open file still has its name.
func there(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// sweep removes the partial files of dead processes. What cannot be removed is somebody else's, who will.
func sweep(dir string) {
	if lock.Missing != "" {
		return
	}
	entries, _ := os.ReadDir(dir) // an error there is one of making a file too
	for _, e := range entries {
		if e.Type().IsRegular() && partial.MatchString(e.Name()) {
			removeIfFree(filepath.Join(dir, e.Name()))
		}
	}
}

func removeIfFree(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if lock.Try(f) == nil && there(f) {
		os.Remove(path)
	}
}
