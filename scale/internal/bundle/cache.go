package bundle

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/files"
)

// This file keeps unpacked bundles. A folder named by a digest has the bundle in whole. Until then it has another name,
// under a lock that ends with its process. So a process that is killed leaves nothing that counts.

// Bundle is one that lies in a cache. Its files were verified when it was opened.
type Bundle struct {
	Manifest *Manifest
	Digest   Digest
	dir      string
}

// partialSuffix ends the names of folders that are not whole.
const partialSuffix = ".partial"

// Unpack reads the stream of the bundle with the digest into the cache, a folder. If the bundle is there already, the
// stream is not read. Other processes may unpack the same at the same time: one does, and the others wait for it.
func Unpack(r io.Reader, cache string, want Digest, l Limits) (*Bundle, error) {
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, noRoom(err)
	}
	sweepPartial(cache)
	lock := filepath.Join(cache, want.String()+".lock")
	unlock, err := files.Hold(lock)
	if err != nil {
		return nil, noRoom(err)
	}
	defer func() { os.Remove(lock); unlock() }()
	if b, err := Open(cache, want); err == nil {
		return b, nil
	}
	place := filepath.Join(cache, want.String())
	partial := place + partialSuffix
	// Of a process that was killed, or damaged: whoever held the lock is dead.
	if err := errors.Join(os.RemoveAll(partial), os.RemoveAll(place)); err != nil {
		return nil, noRoom(err)
	}
	if err := os.Mkdir(partial, 0o700); err != nil {
		return nil, noRoom(err)
	}
	m, err := receive(r, partial, want, l)
	if err == nil {
		err = noRoom(os.Rename(partial, place))
	}
	if err != nil {
		os.RemoveAll(partial)
		return nil, fmt.Errorf("bundle %s: %w", want, err)
	}
	return &Bundle{m, want, place}, nil
}

// sweepPartial removes what processes left that were killed while they unpacked. Where there are no locks, nobody knows
// whether they were.
func sweepPartial(cache string) {
	entries, _ := os.ReadDir(cache) // an error there is one of Unpack too
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), partialSuffix)
		if _, err := ParseDigest(name); !ok || err != nil || files.NoLocks != "" {
			continue
		}
		f, err := files.Open(filepath.Join(cache, name+".lock"), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			continue
		}
		// SUBTLE: a lock file that was removed meanwhile keeps nobody out.
		if files.TryLock(f) == nil && names(f) {
			os.RemoveAll(filepath.Join(cache, e.Name()))
			os.Remove(f.Name())
		}
		f.Close()
	}
}

// names reports whether an open file has its name still.
func names(f *os.File) bool {
	held, err := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err == nil && err2 == nil && os.SameFile(held, there)
}

// Open gives the bundle with the digest, whose every file it verifies. The error is fs.ErrNotExist if it is not in the
// cache. Another error says how it is damaged: Unpack makes it anew.
func Open(cache string, want Digest) (*Bundle, error) {
	place := filepath.Join(cache, want.String())
	data, err := readAtMost(filepath.Join(place, manifestName), MaxManifest)
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(data) != want {
		return nil, damaged(want, errors.New("its manifest has another digest"))
	}
	m, err := ParseManifest(data)
	if err != nil {
		return nil, damaged(want, err)
	}
	b := &Bundle{m, want, place}
	if err := b.verify(); err != nil {
		return nil, damaged(want, err)
	}
	now := time.Now()
	os.Chtimes(place, now, now) // for Sweep, which may err on the side of keeping
	return b, nil
}

func damaged(want Digest, err error) error {
	// SUBTLE: not %w. A file that is missing is no bundle that is missing.
	return fmt.Errorf("bundle %s is damaged: %v", want, err)
}

// verify compares the folder with the manifest: these files, and no others.
func (b *Bundle) verify() error {
	n := 0
	root := filepath.Join(b.dir, filesFolder)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		n++
		f := b.Manifest.find(filepath.ToSlash(rel))
		if f == nil || !d.Type().IsRegular() {
			return fmt.Errorf("%s is there, which its manifest does not have", rel)
		}
		return f.same(p)
	})
	if err == nil && n != len(b.Manifest.Files) {
		err = fmt.Errorf("it has %d files of %d", n, len(b.Manifest.Files))
	}
	return err
}

// same compares the file at a path with what the manifest says.
func (f *File) same(local string) error {
	size, sum, err := sumOf(local, f.Size)
	if err != nil {
		return err
	}
	info, err := os.Stat(local)
	if err != nil {
		return err
	}
	runs := runtime.GOOS == "windows" || (info.Mode()&0o111 != 0) == (f.Mode == Executable)
	if size != f.Size || sum != f.SHA256 || !runs {
		return fmt.Errorf("%s has other contents or another mode than its manifest says", f.Path)
	}
	return nil
}

// Path is where a file of the bundle lies.
func (b *Bundle) Path(name string) string {
	return filepath.Join(b.dir, filesFolder, filepath.FromSlash(path.Clean(name)))
}

// Sweep removes bundles that nobody has opened for so long.
func Sweep(cache string, unused time.Duration) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		info, err := e.Info()
		if _, notOurs := ParseDigest(e.Name()); notOurs != nil || err != nil || time.Since(info.ModTime()) < unused {
			continue
		}
		// Renamed first: a bundle that is half there is not whole.
		place := filepath.Join(cache, e.Name())
		if os.Rename(place, place+partialSuffix) == nil {
			os.RemoveAll(place + partialSuffix)
		}
	}
}

// readAtMost reads a file, unless it is larger.
func readAtMost(name string, most int64) ([]byte, error) {
	f, err := files.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, err
}
