package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Open opens the file at path as os.OpenFile does, unless what is there is no file. Names are found in folders and
// variables, and opening a pipe waits for somebody at its other end, for ever; a device gives and takes what it likes.
func Open(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if err := IsFile(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flag, perm)
}

// Read reads the file at path, as Open opens it.
func Read(path string) ([]byte, error) {
	f, err := Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// IsFile gives an error that names the path and what is there if that is no file. Where nothing is, a file can be made.
// A link is followed.
func IsFile(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		// what cannot be looked at cannot be opened either, and that error says more
		return nil
	}
	return &fs.PathError{Op: "open", Path: filepath.ToSlash(path),
		Err: errors.New("it is " + kind(info.Mode()) + ", and a file is wanted")}
}

// InFolder gives an error if the folder in which the path is to be made is not there: a mistyped path makes no folder.
func InFolder(path string) error {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s: make it, or correct the path", filepath.ToSlash(path),
			filepath.ToSlash(dir))
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: %s is %s, and a folder is wanted: correct the path", filepath.ToSlash(path),
			filepath.ToSlash(dir), kind(info.Mode()))
	}
	return err
}

// kind says what is no file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "a file"
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else (" + m.String() + ")"
}
