// Package scratch makes folders below the temporary folder. A process that is killed leaves its folder behind; the next one that makes
// one of the same kind removes it.
//
//	invariants: I1 a folder that can be found by its kind is locked by its process, or its process is dead; one that is hidden and not
//	               locked yet may be removed, and is made again
//	            I2 only what is not locked is removed; nothing is where there are no locks
//	checked by: scratch_test.go, with a process that is killed
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/lock"
)

// held is the file in a folder whose lock its process holds.
const held = "held"

// Make makes a folder with a name of its own, which begins with the kind, and gives the function that removes it. What dead processes
// left of that kind is removed before.
func Make(kind string) (dir string, remove func(), err error) {
	base := os.TempDir()
	sweep(base, kind)
	for range tries {
		if dir, remove, err = try(base, kind); !errors.Is(err, lock.ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return dir, remove, err
}

// tries bounds how often a folder is made that another process takes for a dead one's, in the moment before it is locked.
const tries = 100

func try(base, kind string) (dir string, remove func(), err error) {
	// Under another name, until it is locked: I1.
	hidden, err := os.MkdirTemp(base, "."+kind+"-*")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary folder: %w; is there room in %s, and may it be written to?", err, base)
	}
	f, err := os.OpenFile(filepath.Join(hidden, held), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = lock.Try(f)
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

// sweep removes the folders of dead processes. What cannot be removed belongs to somebody else, who will.
func sweep(base, kind string) {
	if lock.Missing != "" {
		return
	}
	entries, _ := os.ReadDir(base) // an error there is one of Make too
	for _, e := range entries {
		if dir := filepath.Join(base, e.Name()); e.IsDir() && strings.HasPrefix(strings.TrimPrefix(e.Name(), "."), kind+"-") { // a link is none of ours
			removeIfFree(dir)
			if strings.HasPrefix(e.Name(), ".") {
				os.Remove(dir) // where it is empty: its process was killed before it could lock anything
			}
		}
	}
}

func removeIfFree(dir string) {
	name := filepath.Join(dir, held)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if lock.Try(f) == nil {
		os.RemoveAll(dir)
	}
}
