package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// makeFacts is the value of -facts with which `rehearse test` also makes files that are not there.
const makeFacts = "make"

// renewFacts makes facts files anew that are stale, before the packages are tested; with make also those that are not
// there. It costs a look at the folders where there is none. What goes wrong is told and no more: stale facts are not
// used.
func renewFacts(w io.Writer, patterns []string, make bool) error {
	var dirs []string
	var err error
	if make {
		if dirs, err = PackageDirs(patterns); err != nil {
			return err
		}
	} else {
		dirs = withFacts(patterns)
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, filepath.FromSlash(facts.Place))
		f, err := facts.Load(path)
		if err == nil && f.Stale(path) == "" {
			continue
		}
		switch f, err = makeAnew(dir, path); {
		case err != nil:
			fmt.Fprintf(w, "rehearse test: %s cannot be made, and facts are not used: %v\n", Shown(path), err)
		case f != nil:
			text, _, _ := strings.Cut(Summed(f), ":")
			fmt.Fprintf(w, "rehearse test: %s was made: %s\n", Shown(path), text)
		}
	}
	return nil
}

// makeAnew has the facts of a package made, nil if it has no actors.
func makeAnew(dir, path string) (*facts.File, error) {
	var problems strings.Builder
	code, err := sourceCompanion.run(dir, Streams{Out: io.Discard, Err: &problems}, []string{"facts", "."})
	if err == nil && code != ExitOK {
		err = errors.New(strings.TrimPrefix(strings.TrimSpace(problems.String()), "rehearse facts: "))
	}
	if err != nil {
		return nil, err
	}
	f, err := facts.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// withFacts gives the folders with a facts file among those that patterns of paths name. Import paths are not looked
// up.
func withFacts(patterns []string) (dirs []string) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	has := func(dir string) {
		if m, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(facts.Place))); err == nil && len(m) > 0 {
			dirs = append(dirs, dir)
		}
	}
	for _, p := range patterns {
		base, below := strings.CutSuffix(p, "...")
		if !strings.HasPrefix(p, ".") && !filepath.IsAbs(p) {
			continue
		}
		if !below {
			has(p)
			continue
		}
		filepath.WalkDir(filepath.Clean(base), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil // go test tells of folders that cannot be read
			}
			if name := d.Name(); name == "testdata" || len(name) > 1 && strings.ContainsAny(name[:1], "._") && name != ".." {
				return fs.SkipDir
			}
			has(path)
			return nil
		})
	}
	return dirs
}
