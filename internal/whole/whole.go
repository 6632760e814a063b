// Package whole writes files in one step: who reads meanwhile, and who reads after a crash, sees the old file or the new one.
package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write makes the file at path, or replaces it, with what to writes. A link is followed. What is no file, such as /dev/null or a pipe, is
// written to as it is: a file in its place would be none of ours to put there. On an error the file is as it was; the error names it.
func Write(path string, to func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(to(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	if err = errors.Join(to(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// WriteBytes is Write for what is there already.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
