package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Named is a file or a folder that a user names because the test reads it.
type Named struct {
	Path  string // relative to the package's folder, or absolute
	Place string // the same in the bundle, with slashes; "": as Path
}

// ParseNamed reads PATH or PATH=PLACE.
func ParseNamed(s string) (Named, error) {
	p, place, placed := strings.Cut(s, "=")
	if p == "" || placed && place == "" {
		return Named{}, fmt.Errorf("%q: want PATH, or PATH=PLACE, relative to the package's folder", s)
	}
	return Named{p, filepath.ToSlash(place)}, nil
}

// addNamed takes what the user has named.
func (c *collector) addNamed() error {
	for _, n := range c.Named {
		if err := c.addOne(n); err != nil {
			return fmt.Errorf("-file %s: %w", n.Path, err)
		}
	}
	return nil
}

func (c *collector) addOne(n Named) error {
	local := n.Path
	if !filepath.IsAbs(local) {
		local = filepath.Join(c.Dir, local)
	}
	if _, err := os.Stat(local); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no such file: paths are relative to the package's folder %s", c.Dir)
	} else if err != nil {
		return err
	}
	place, err := c.place(local)
	if n.Place != "" {
		place = path.Join(c.dir, n.Place)
		if path.IsAbs(n.Place) || !fs.ValidPath(place) {
			return fmt.Errorf("place %s: want one relative to the package's folder, in the module", n.Place)
		}
	} else if err != nil {
		return fmt.Errorf("%w: say where the test is to find it, as in -file %s=testdata/%s", err, n.Path,
			filepath.Base(n.Path))
	}
	// The user has named it, so it may be a link to anywhere. What it has below it may not.
	real, err := filepath.EvalSymlinks(local)
	if err != nil {
		return err
	}
	return c.addAll(real, place)
}
