package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// This file makes folders below the temporary folder. A process that is killed leaves its folder behind; the next one
// that makes one of the same kind removes it.
//
//	invariants: I1 a folder that can be found by its kind is locked by its process, or its process is dead; one that is
//	               hidden and not locked yet may be removed, and is made again
//	            I2 only what is not locked is removed; nothing is where there are no locks
//	checked by: tempfolder_test.go, with a process that is killed

// lockFile is the file in a folder whose lock its process holds.
const lockFile = "held"

// TempFolder makes a folder with a name of its own, which begins with the kind, and gives the function that removes it.
// What dead processes left of that kind is removed before.
func TempFolder(kind string) (dir string, remove func(), err error) {
	base := os.TempDir()
	sweepTemp(base, kind)
	for range tempTries {
		if dir, remove, err = tryTemp(base, kind); !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return dir, remove, err
}

// tempTries bounds how often a folder is made that another process takes for a dead one's, in the moment before it is
// locked.
const tempTries = 100

func tryTemp(base, kind string) (dir string, remove func(), err error) {
	// Under another name, until it is locked: I1.
	hidden, err := os.MkdirTemp(base, "."+kind+"-*")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary folder: %w; is there room in %s, and may it be written to?", err, base)
	}
	f, err := os.OpenFile(filepath.Join(hidden, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = TryLock(f)
	}
	dir = filepath.Join(base, filepath.Base(hidden)[1:])
	if err == nil {
		err = os.Rename(hidden, dir)
	}
	if err != nil {
		f.Close()
		return "", nil, errors.Join(fmt.Errorf("make a temporary folder: %w", err), os.RemoveAll(hidden))
	}
	return dir, func() { os.RemoveAll(dir); f.Close() }, nil
}

// sweepTemp removes the folders of dead processes. What cannot be removed belongs to somebody else, who will.
func sweepTemp(base, kind string) {
	if NoLocks != "" {
		return
	}
	entries, _ := os.ReadDir(base) // an error there is one of TempFolder too
	for _, e := range entries {
		if dir := filepath.Join(base, e.Name()); e.IsDir() && strings.HasPrefix(strings.TrimPrefix(e.Name(), "."), kind+"-") {
			// a link is none of ours
			removeTempIfFree(dir)
			if strings.HasPrefix(e.Name(), ".") {
				os.Remove(dir) // where it is empty: its process was killed before it could lock anything
			}
		}
	}
}

func removeTempIfFree(dir string) {
	name := filepath.Join(dir, lockFile)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if TryLock(f) == nil {
		os.RemoveAll(dir)
	}
}
