package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// This file makes the files that are not whole yet, and removes those that a process left behind when it was killed.
//
//	invariants: I1 a partial file is locked until it has its name or is removed, or its process is dead
//	            I2 only what is not locked is removed; nothing is where there are no locks

// partial is what such files are called: the name that the file is to have, and a number.
var partial = regexp.MustCompile(`^\..+-[0-9]+\.partial$`)

// partialTries bounds how often a partial file is made that another process takes for a dead one's, in the moment
// before it is locked.
const partialTries = 100

// Partial makes a file in the folder that is to replace another one, when it is whole, by os.Rename. What dead
// processes left there is removed. release gives the lock back, after the renaming.
func Partial(dir, prefix string) (f *os.File, release func(), err error) {
	sweepPartial(dir)
	for range partialTries {
		if f, err = os.CreateTemp(dir, prefix+"*.partial"); err != nil {
			return nil, nil, err
		}
		if NoLocks != "" {
			return f, func() {}, nil
		}
		// SUBTLE: a lock of its own, so that the file can be closed, which may fail, before it gets its name.
		held, err := os.Open(f.Name())
		if err == nil {
			if err = TryLock(held); err == nil && there(held) {
				return f, func() { held.Close() }, nil
			}
			held.Close()
		}
		f.Close()
		os.Remove(f.Name())
		if err != nil && !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return nil, nil, &fs.PathError{Op: "make a file in", Path: dir,
		Err: errors.New("other processes remove it again and again")}
}

// there reports whether the open file is known to have its name still.
func there(f *os.File) bool {
	is, err := same(f, f.Name())
	return is && err == nil
}

// sweepPartial removes the partial files of dead processes. What cannot be removed is somebody else's, who will.
func sweepPartial(dir string) {
	if NoLocks != "" {
		return
	}
	entries, _ := os.ReadDir(dir) // an error there is one of making a file too
	for _, e := range entries {
		if e.Type().IsRegular() && partial.MatchString(e.Name()) {
			removePartialIfFree(filepath.Join(dir, e.Name()))
		}
	}
}

func removePartialIfFree(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if TryLock(f) == nil && there(f) {
		os.Remove(path)
	}
}
