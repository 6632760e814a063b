// Package saved keeps the schedules of findings as files: testdata/rehearse/<Test>/<hash>.schedule. They are replayed
// first by every run, so they are regression tests; a schedule is named by what it forces, so the same finding is saved
// once. Schedules that are kept although nothing is wrong, for the orders that they show, are in a folder corpus beside
// them.
//
// journal.go keeps the schedule of the execution that is running.
package saved

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/trace"
)

// Ext is the extension of schedule files; whatever else lies in a folder is left alone.
const Ext = ".schedule"

// File is a schedule in a file.
type File struct {
	Path     string
	Schedule *trace.Schedule
}

// Name is the name of the subtest that replays the file.
func (f *File) Name() string { return strings.TrimSuffix(filepath.Base(f.Path), Ext) }

// Dir is the folder of a test's schedules, relative to the package's folder. A subtest has a folder in that of its
// test.
func Dir(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = sanitise(p)
	}
	return filepath.Join("testdata", "rehearse", filepath.Join(parts...))
}

// CorpusDir is the folder of the schedules that a Check keeps for the orders that they show. It is corpus in the folder
// of its test, and for the second Check of a test, whose ordinal is 1, corpus/2.
func CorpusDir(test string, ordinal int) string {
	dir := filepath.Join(Dir(test), "corpus")
	if ordinal == 0 {
		return dir
	}
	return filepath.Join(dir, strconv.Itoa(ordinal+1))
}

// sanitise makes a name that every file system takes and that no other name is mapped to.
func sanitise(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("_-+=,@#", c) >= 0 ||
			c == '.' && i > 0 && i < len(s)-1
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() == 0 {
		return "%"
	}
	return b.String()
}

// Load reads the schedules in dir, in the order of their names. Each file that cannot be used is an error of its own,
// which names the file and what to do; the others are read all the same. A folder that does not exist holds none.
func Load(dir string) (files []File, bad []error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, []error{fmt.Errorf("saved schedules: %w", err)}
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != Ext { // a subtest whose name ends like a file's has a folder
			continue
		}
		f, err := Read(filepath.Join(dir, e.Name()))
		if err != nil {
			bad = append(bad, fmt.Errorf("saved schedule %w", err))
			continue
		}
		files = append(files, f)
	}
	return files, bad
}

// Read reads one file.
func Read(path string) (File, error) {
	b, err := files.Read(path)
	if err != nil {
		return File{}, err
	}
	s, err := trace.DecodeSchedule(bytes.NewReader(b), filepath.ToSlash(path))
	if err != nil {
		return File{}, err
	}
	return File{path, s}, nil
}

// Save writes the schedule into dir under its hash and gives the path. A file that is there already stays: what it
// forces is the same.
func Save(dir string, s *trace.Schedule) (path string, err error) {
	path = filepath.Join(dir, s.Hash()+Ext)
	if _, err := Read(path); err == nil {
		return path, nil
	}
	if err = os.MkdirAll(dir, 0o755); err == nil {
		err = files.IsFile(path) // else a pipe, which would be written to
	}
	if err != nil {
		return "", fmt.Errorf("save schedule: %w", err)
	}
	return path, write(path, s)
}

// write replaces the file in one step.
func write(path string, s *trace.Schedule) error {
	if err := files.Write(path, func(w io.Writer) error { return trace.EncodeSchedule(w, s) }); err != nil {
		return fmt.Errorf("save schedule %s: %w", filepath.ToSlash(path), err)
	}
	return nil
}

// Refresh replaces a file by what is left of its schedule without the given steps (numbers from 1) and gives the new
// path.
func Refresh(f File, drop map[int]bool) (string, error) {
	s := &trace.Schedule{Header: f.Schedule.Header}
	for i, step := range f.Schedule.Steps {
		if !drop[i+1] {
			s.Steps = append(s.Steps, step)
		}
	}
	path, err := Save(filepath.Dir(f.Path), s)
	if err != nil || path == f.Path {
		return path, err
	}
	return path, Prune(f.Path)
}

// Prune deletes a file.
func Prune(path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("prune schedule: %w", err)
	}
	return nil
}
