package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/internal/files"
)

// Stage is a copy of a bundle's files that a test may write to. The binary is run from the cache: it is large, and
// nobody writes to a program.
type Stage struct {
	*Bundle
	Dir    string // the package's folder
	temp   string // what remove removes
	remove func()
}

// Stage makes a copy below the temporary folder. What a process left there that was killed, the next one removes.
func (b *Bundle) Stage() (*Stage, error) {
	temp, remove, err := files.TempFolder("rehearse-stage")
	if err != nil {
		return nil, err
	}
	s := &Stage{b, filepath.Join(temp, filesFolder, filepath.FromSlash(b.Manifest.Dir)), temp, remove}
	err = os.MkdirAll(s.Dir, 0o755)
	for i := range b.Manifest.Files {
		if f := &b.Manifest.Files[i]; err == nil && f.Path != b.Manifest.Binary {
			err = b.copy(f, filepath.Join(temp, filesFolder, filepath.FromSlash(f.Path)))
		}
	}
	if err != nil {
		remove()
		return nil, fmt.Errorf("stage for bundle %s: %w", b.Digest, err)
	}
	return s, nil
}

// Remove removes the copy.
func (s *Stage) Remove() { s.remove() }

// copy copies a file and verifies it once more, since it was opened.
func (b *Bundle) copy(f *File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	r, err := files.Open(b.Path(f.Path), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer r.Close()
	mode := os.FileMode(header(f.Path, f.Size, f.Mode).Mode)
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer w.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(r, f.Size)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s has other contents than its manifest says", f.Path)
	}
	return w.Close()
}

// Binary is where the test binary lies.
func (b *Bundle) Binary() string { return b.Path(b.Manifest.Binary) }

// Command runs the test binary in the stage, with the arguments and the variables of the job and none of the worker's
// own, except for what every process needs. More of both may follow them.
func (s *Stage) Command(ctx context.Context, args, env []string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.Binary(), slices.Concat(s.Manifest.Args, args)...)
	c.Dir, c.Env = s.Dir, append(s.Manifest.environ(), env...)
	return c
}

// Temp makes a folder beside the files for what is temporary, which is removed with the stage.
func (s *Stage) Temp() (string, error) { return os.MkdirTemp(s.temp, "tmp") }
