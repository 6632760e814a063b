package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
)

// Place is where the facts about a package are kept, below its folder.
const Place = "testdata/rehearse/facts"

// HashSource hashes the names and contents of the Go files in a folder, those for other platforms too. A new file
// changes it.
func HashSource(dir string, tests bool) (string, error) {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := files.Read(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// Stale says why the facts in the file at path are not about the sources as they are now, "" if they are.
func (f *File) Stale(path string) string {
	if f.Tool != Analysis {
		return fmt.Sprintf("the analysis has changed (from version %s to %s)", f.Tool, Analysis)
	}
	base := filepath.Dir(path)
	for i := range f.Sources {
		s := &f.Sources[i]
		dir := filepath.Join(base, filepath.FromSlash(s.Dir))
		switch hash, err := HashSource(dir, s.Tests); {
		case err != nil:
			return fmt.Sprintf("package %s cannot be read (%v)", s.Package, err)
		case hash != s.Hash:
			return fmt.Sprintf("package %s has changed", s.Package)
		}
	}
	return ""
}

// Write makes the file at path, and the folders above it, if it is not there with the same text.
func (f *File) Write(path string) error {
	data := f.Marshal()
	if err := files.IsFile(path); err != nil { // a pipe would be written to
		return err
	}
	if old, err := files.Read(path); err == nil && slices.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return files.WriteBytes(path, data)
}
