package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// Summed says how much is known.
func Summed(f *facts.File) string {
	unknown := 0
	for i := range f.Handlers {
		if f.Handlers[i].Unknown != "" {
			unknown++
		}
	}
	s := Many(len(f.Actors), "actor") + ", " + Many(len(f.Handlers), "handler") +
		fmt.Sprintf(", of which %d can save executions", f.Usable())
	if unknown > 0 {
		s += fmt.Sprintf(", and %d may do anything:", unknown)
	}
	return s
}

// Many counts things by their noun.
func Many(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Shown gives a path relative to the current folder where that is shorter.
func Shown(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

// PackageDirs gives the folders of the packages that patterns name.
func PackageDirs(patterns []string) ([]string, error) {
	listed, err := listPackages(".", append([]string{"-find", "-json=Dir", "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, p := range listed {
		dirs = append(dirs, p.Dir)
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no package matches %q: name packages that exist, such as ./...", patterns)
	}
	return dirs, nil
}
