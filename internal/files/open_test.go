package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if _, err := Read(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that there is none", err)
	}
	if err := IsFile(path); err != nil {
		t.Errorf("%v, where a file can be made", err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(path); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	for what, path := range map[string]string{"a folder": dir, "a device": os.DevNull} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path+": it is "+what+", and a file is wanted") {
			t.Errorf("%s: %v", path, err)
		}
		if f, err := Open(path, os.O_WRONLY, 0); err == nil {
			f.Close()
			t.Errorf("%s was opened", path)
		}
	}
}

// What people are told is about the file that they named, not about the one that was to take its place.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none", "file"), dir} {
		err := WriteBytes(path, nil)
		if p := (*fs.PathError)(nil); !errors.As(err, &p) || p.Path != filepath.ToSlash(path) ||
			strings.Contains(err.Error(), "/.") {
			t.Errorf("%v: want one about %s", err, path)
		}
	}
	other := &fs.PathError{Op: "read", Path: "other", Err: fs.ErrNotExist}
	if err := Write(filepath.Join(dir, "file"), func(io.Writer) error { return other }); !errors.Is(err, other) {
		t.Errorf("%v, want %v", err, other)
	}
}
