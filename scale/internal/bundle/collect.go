package bundle

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
)

// Source says what a job is made of, on the machine where its user is.
type Source struct {
	Root    string   // folder of the module: nothing outside of it travels that was not given a place
	Dir     string   // folder of the package, in Root
	Package string   // import path
	Test    string   // pattern of -run
	Tool    string   // version of Rehearse
	Binary  string   // what go test -c made
	Args    []string // of the binary
	Env     []string // see Environment
	Named   []Named  // files and folders beside testdata
	Sources *Sources // of packages that travel; nil: none
	Limits  Limits
}

// Limits bounds a bundle. Zero means the default.
type Limits struct {
	Total int64 // bytes of all files; default: 2 GiB
}

// DefaultTotal is Limits.Total, if it is not given.
const DefaultTotal int64 = 2 << 30

func (l Limits) total() int64 {
	if l.Total > 0 {
		return l.Total
	}
	return DefaultTotal
}

// tooLarge says that a bundle is larger than its limit.
func (l Limits) tooLarge(size int64) error {
	return fmt.Errorf("its files have %s, more than the limit of %s: make testdata smaller, name fewer files, or raise "+
		"the limit on all machines", bytesOf(size), bytesOf(l.total()))
}

// bytesOf is a size for people.
func bytesOf(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// Contents are the files of a bundle as they lie on this machine, and the manifest that names them.
type Contents struct {
	Manifest *Manifest
	Notes    []string          // what will be less than on this machine, and why; for the user
	from     map[string]string // where the file at a path comes from
}

// collector finds contents.
type collector struct {
	Source
	dir   string // of the package, in the bundle
	env   []string
	files []File
	notes []string
	from  map[string]string
	total int64
}

// Collect finds the contents of a job and reads each file once, for its digest.
func Collect(s Source) (*Contents, error) {
	c := &collector{Source: s, env: slices.Clone(s.Env), from: map[string]string{}}
	var err error
	if c.Root, err = filepath.EvalSymlinks(s.Root); err != nil {
		return nil, err
	}
	if c.Dir, err = filepath.EvalSymlinks(s.Dir); err != nil {
		return nil, err
	}
	if c.dir, err = c.place(c.Dir); err != nil {
		return nil, fmt.Errorf("package %s: %w", s.Package, err)
	}
	m := &Manifest{Format: Format, Tool: s.Tool, Package: s.Package, Test: s.Test, Dir: c.dir, Args: s.Args}
	steps := []func() error{func() error { return c.addBinary(m) }, c.addTestdata, c.addFacts, c.addNamed}
	if s.Sources != nil {
		steps = append(steps, func() error { return c.addSources(context.Background(), m) })
	}
	for _, do := range steps {
		if err := do(); err != nil {
			return nil, err
		}
	}
	slices.Sort(c.env)
	slices.SortFunc(c.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	m.Env, m.Files = c.env, c.files
	if err := m.check(); err != nil {
		return nil, err
	}
	if n := len(m.Bytes()); n > MaxManifest {
		return nil, fmt.Errorf("the list of its files has %d bytes, more than %d: name fewer files", n, MaxManifest)
	}
	return &Contents{Manifest: m, Notes: c.notes, from: c.from}, nil
}

// place gives the path in the bundle of what lies in the module.
func (c *collector) place(local string) (string, error) {
	rel, err := filepath.Rel(c.Root, local)
	if err != nil || rel != "." && !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside of the module at %s", local, c.Root)
	}
	return filepath.ToSlash(rel), nil
}

// addBinary takes the test binary, which says itself what it was built for.
func (c *collector) addBinary(m *Manifest) error {
	info, err := buildinfo.ReadFile(c.Binary)
	if err != nil {
		return fmt.Errorf("%s is not a test binary of Go: %w", c.Binary, err)
	}
	m.Go, m.GOOS, m.GOARCH = info.GoVersion, runtime.GOOS, runtime.GOARCH
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS":
			m.GOOS = s.Value
		case "GOARCH":
			m.GOARCH = s.Value
		}
	}
	m.Binary = "rehearse.test"
	if m.GOOS == "windows" {
		m.Binary += ".exe"
	}
	return c.add(c.Binary, m.Binary, Executable)
}

// addTestdata takes the package's testdata, in which saved schedules are.
func (c *collector) addTestdata() error {
	return c.addTestdataOf(c.Dir, c.dir)
}

func (c *collector) addTestdataOf(dir, place string) error {
	dir = filepath.Join(dir, "testdata")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return c.addAll(dir, path.Join(place, "testdata"))
}

// addAll takes a file, or all files of a folder.
func (c *collector) addAll(local, place string) error {
	return filepath.WalkDir(local, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && strings.HasSuffix(d.Name(), ".partial") {
			return nil // another process is writing it
		}
		rel, err := filepath.Rel(local, p)
		if err != nil {
			return err
		}
		return c.add(p, path.Join(place, filepath.ToSlash(rel)), "")
	})
}

// add takes one file. A mode of "" is that of the file.
func (c *collector) add(local, place string, mode Mode) error {
	if other, ok := c.from[place]; ok {
		if other == local {
			return nil
		}
		return fmt.Errorf("%s and %s would both be %s in the bundle: give one of them another place", other, local, place)
	}
	info, err := os.Lstat(local)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 && local != c.Binary {
		info, err = c.linked(local)
	}
	if err == nil {
		err = files.IsFile(local)
	}
	if err != nil {
		return err
	}
	if mode == "" {
		mode = Plain
		if info.Mode()&0o111 != 0 {
			mode = Executable
		}
	}
	if c.total += info.Size(); c.total > c.Limits.total() || len(c.files) == MaxFiles {
		if len(c.files) == MaxFiles {
			return fmt.Errorf("%s: it is one file more than %d: name fewer files", local, MaxFiles)
		}
		return fmt.Errorf("%s: with it and those before, %w", local, c.Limits.tooLarge(c.total))
	}
	f := File{Path: place, Mode: mode}
	if f.Size, f.SHA256, err = sumOf(local, c.Limits.total()); err != nil {
		return err
	}
	c.files, c.from[place] = append(c.files, f), local
	return nil
}

// linked gives the file that a link leads to. What lies outside of the module is not taken by way of a link.
func (c *collector) linked(local string) (fs.FileInfo, error) {
	target, err := filepath.EvalSymlinks(local)
	if err != nil {
		return nil, err
	}
	if _, err := c.place(target); err != nil {
		return nil, fmt.Errorf("%s is a link, and %w: put the file in its place, or name it with -file", local, err)
	}
	info, err := os.Stat(target)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a link to what is no file: links to folders do not travel; name the folder with -file", local)
	}
	return info, err
}

// sumOf reads a file for its size and its digest.
func sumOf(local string, most int64) (size int64, sum string, err error) {
	f, err := files.Open(local, os.O_RDONLY, 0)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	if size, err = io.Copy(h, io.LimitReader(f, most+1)); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(h.Sum(nil)), nil
}
