package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	read := func() string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, text := range []string{"one", "two"} {
		if err := WriteBytes(path, []byte(text)); err != nil || read() != text {
			t.Fatalf("%q, %v; want %q", read(), err, text)
		}
	}
	failed := errors.New("half way")
	err := Write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "thr")
		return failed
	})
	if !errors.Is(err, failed) || read() != "two" {
		t.Errorf("%v, and the file holds %q; want %v and the old text", err, read(), failed)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("%d files are left, want 1", len(names))
	}
	if err := WriteBytes(dir, nil); err == nil {
		t.Error("a folder was replaced")
	}
	if err := WriteBytes(filepath.Join(dir, "none", "file"), nil); err == nil {
		t.Error("a folder was made")
	}
}

func TestLinksAndDevices(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Logf("no links here: %v", err)
		return
	}
	if err := WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "new" {
		t.Errorf("the link was replaced: %q", data)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v", err)
	}
	// A link to a device stands for the device itself, which a failure of this test must not harm.
	null := filepath.Join(dir, "null")
	if err := os.Symlink(os.DevNull, null); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() || os.Geteuid() == 0 && before.Mode()&os.ModeDevice == 0 {
		t.Logf("no device here: %v", err)
		return
	}
	if err := WriteBytes(null, []byte("gone")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("the device is %v now, was %v (%v)", after, before.Mode(), err)
	}
}
