// Package files is how files are opened, replaced and locked, and how temporary folders are made and removed.
//
//	write.go      a file is replaced in one step: a reader sees the old one or the new one, also after a crash
//	partial.go    what it is until then
//	open.go       only files are opened: no pipes, no devices
//	lock*.go      locks that end with their process
//	hold*.go      the same for a path whose file may be replaced meanwhile
//	tempfolder.go temporary folders
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write makes the file at path, or replaces it, with what to writes. A link is followed. What is no file, such as
// /dev/null or a pipe, is written to as it is: a file in its place would be none of ours to put there. On an error the
// file is as it was; the error names it.
func Write(path string, to func(io.Writer) error) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return IsFile(path)
	} else if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(to(f), f.Close())
	}
	prefix := "." + filepath.Base(target) + "-"
	f, release, err := Partial(filepath.Dir(target), prefix)
	if err != nil {
		return named(err, prefix, path)
	}
	defer release()
	if err = errors.Join(to(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return named(err, prefix, path)
}

// named makes an error of the file that was to take the place of another speak of that one: people know no other.
func named(err error, prefix, path string) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p) && strings.HasPrefix(filepath.Base(p.Path), prefix):
		err = p.Err
	case errors.As(err, &l): // only renaming gives one
		err = l.Err
	default:
		return err
	}
	return &fs.PathError{Op: "write", Path: filepath.ToSlash(path), Err: err}
}

// WriteBytes is Write for what is there already.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
