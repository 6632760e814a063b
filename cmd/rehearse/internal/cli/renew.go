package cli

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/effects"
)

// makeFacts is the value of -facts with which `rehearse test` also makes files that are not there.
const makeFacts = "make"

// renewFacts makes facts files anew that are stale, before the packages are tested; with make also those that are not there. It costs a look
// at the folders where there is none. What goes wrong is told and no more: stale facts are not used.
func renewFacts(w io.Writer, patterns []string, make bool) error {
	var dirs []string
	var err error
	if make {
		if dirs, err = packageDirs(patterns); err != nil {
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
		if f, _, err = effects.Facts(dir, "."); err == nil && len(f.Actors) > 0 {
			if err = f.Write(path); err == nil {
				text, _, _ := strings.Cut(summed(f), ":")
				fmt.Fprintf(w, "rehearse test: %s was made: %s\n", shown(path), text)
			}
		}
		if err != nil {
			fmt.Fprintf(w, "rehearse test: %s cannot be made, and facts are not used: %v\n", shown(path), err)
		}
	}
	return nil
}

// withFacts gives the folders with a facts file among those that patterns of paths name. Import paths are not looked up.
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
