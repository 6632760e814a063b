package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/internal/files"
)

// ReadFile reads a profile in which there is something.
func ReadFile(path string) (*Profile, error) {
	p, err := readFile(path)
	if err == nil && len(p.Tests) == 0 {
		err = fmt.Errorf("%s: the profile is empty: it has a header, and no test; did no Check run, or no actor receive a "+
			"message?", filepath.ToSlash(path))
	}
	return p, err
}

// readFile reads a profile to which something is to be added.
func readFile(path string) (*Profile, error) {
	f, err := files.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, filepath.ToSlash(path))
}

// AddToFile merges p into the profile that the file holds; one that does not exist holds nothing. Other processes may
// do the same at the same time, and each may be killed at any point. The file is replaced in one step, by what it held
// and p, while no other process replaces it. Whoever reads it sees a whole profile.
func AddToFile(path string, p *Profile) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("coverage profile: %w", err)
		}
	}()
	if err := files.InFolder(path); err != nil {
		return err
	}
	if err := files.IsFile(path); err != nil {
		return fmt.Errorf("%w: what is there cannot be merged with what is new", err)
	}
	unlock, err := files.Hold(path)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || isEmpty(path):
		all = New()
	case err != nil:
		return fmt.Errorf("%w; nothing was added to it", err)
	}
	all.Merge(p)
	return all.WriteFile(path)
}

// isEmpty reports whether there is nothing in the file: whoever made it, to lock it, was killed, or people made it.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// WriteFile replaces the file in one step.
func (p *Profile) WriteFile(path string) error { return files.Write(path, p.Encode) }
