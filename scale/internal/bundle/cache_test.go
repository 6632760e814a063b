package bundle

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// unpackVariable has this test binary unpack what it reads from its standard input: the cache and the digest.
const unpackVariable = "REHEARSE_TEST_UNPACK"

// unpackHere is what the process does that is killed.
func unpackHere(how string) {
	cache, digest, _ := strings.Cut(how, "|")
	want, err := ParseDigest(digest)
	if err == nil {
		_, err = Unpack(os.Stdin, cache, want, Limits{})
	}
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}

// A process that is killed while it unpacks leaves nothing that counts, and the next one removes what it left.
func TestKilled(t *testing.T) {
	c := collect(t, sample(t))
	stream, want := pack(t, c), c.Manifest.Digest()
	cache := t.TempDir()
	partial := filepath.Join(cache, want.String()+partialSuffix)
	for _, part := range []int{len(stream) / 3, len(stream) - 1} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), unpackVariable+"="+cache+"|"+want.String())
		w, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(stream[:part]); err != nil {
			t.Fatal(err)
		}
		// It waits for the rest, and has made a file.
		for until := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(partial, filesFolder, "rehearse.test")); err == nil {
				break
			} else if time.Now().After(until) {
				t.Fatal("it unpacks nothing")
			}
		}
		if _, err := Open(cache, want); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("half of it opens with %v", err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := Open(cache, want); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after %d bytes and a kill it opens with %v", part, err)
		}
	}
	m, list := small()
	if _, err := Unpack(bytes.NewReader(compressed(t, flat(t, m, list))), cache, m.Digest(), Limits{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(partial); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unpacking something else leaves %s: %v", partial, err)
	}
	if _, err := Unpack(bytes.NewReader(stream), cache, want, Limits{}); err != nil {
		t.Fatal(err)
	}
	if names := below(t, cache); !strings.HasPrefix(strings.Join(names, " "), m.Digest().String()) &&
		!strings.HasPrefix(strings.Join(names, " "), want.String()) || strings.Contains(strings.Join(names, " "), ".lock") {
		t.Errorf("what is left: %q", names)
	}
}

// Of many that unpack the same at a time one reads its stream, and all have the bundle.
func TestManyAtATime(t *testing.T) {
	m, list := small()
	stream, cache := compressed(t, flat(t, m, list)), t.TempDir()
	var read atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r := &counted{r: bytes.NewReader(stream), first: func() { read.Add(1) }}
			b, err := Unpack(r, cache, m.Digest(), Limits{})
			if err == nil {
				_, err = os.Stat(b.Binary())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if read.Load() != 1 {
		t.Errorf("%d streams were read, want 1", read.Load())
	}
}

// counted notices when it is read for the first time.
type counted struct {
	r     io.Reader
	first func()
	begun bool
}

func (c *counted) Read(p []byte) (int, error) {
	if !c.begun {
		c.begun = true
		c.first()
	}
	return c.r.Read(p)
}

// A bundle that was damaged in the cache is not opened, and unpacking makes it anew.
func TestDamaged(t *testing.T) {
	m, list := small()
	stream, want := compressed(t, flat(t, m, list)), m.Digest()
	overwrite := func(name, text string) func(string) error {
		return func(dir string) error {
			os.Chmod(filepath.Join(dir, name), 0o644)
			return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	other, _ := small()
	other.Args = []string{"-other"}
	for what, damage := range map[string]func(dir string) error{
		"a byte":              overwrite("files/p/testdata/a", "alphb"),
		"a longer file":       overwrite("files/p/testdata/a", "alphabet"),
		"a shorter file":      overwrite("files/p/testdata/a", "alph"),
		"a new file":          overwrite("files/p/testdata/b", ""),
		"another manifest":    overwrite(manifestName, string(other.Bytes())),
		"no manifest any way": overwrite(manifestName, "{}"),
		"a missing file":      func(dir string) error { return os.Remove(filepath.Join(dir, "files/p/testdata/a")) },
		"no files":            func(dir string) error { return os.RemoveAll(filepath.Join(dir, "files")) },
		"a mode":              func(dir string) error { return os.Chmod(filepath.Join(dir, "files/rehearse.test"), 0o644) },
		"a link": func(dir string) error {
			name := filepath.Join(dir, "files/p/testdata/a")
			elsewhere := filepath.Join(t.TempDir(), "a")
			return errors.Join(os.Rename(name, elsewhere), os.Symlink(elsewhere, name))
		},
	} {
		cache := t.TempDir()
		b, err := Unpack(bytes.NewReader(stream), cache, want, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := damage(b.dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(cache, want); err == nil || errors.Is(err, fs.ErrNotExist) || !says(err, "is damaged") {
			t.Errorf("%s: opens with %v", what, err)
		}
		if _, err := Unpack(bytes.NewReader(stream), cache, want, Limits{}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := Open(cache, want); err != nil {
			t.Errorf("%s: after it was made anew: %v", what, err)
		}
	}
}

// A file that changes between opening and staging is noticed.
func TestStageVerifies(t *testing.T) {
	m, list := small()
	b, err := Unpack(bytes.NewReader(compressed(t, flat(t, m, list))), t.TempDir(), m.Digest(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	name := b.Path("p/testdata/a")
	if err := errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, []byte("alphb"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Stage(); !says(err, "p/testdata/a has other contents") {
		t.Errorf("%v", err)
	}
}

// Bundles that nobody uses go away, others stay.
func TestSweep(t *testing.T) {
	cache := t.TempDir()
	m, list := small()
	one, err := Unpack(bytes.NewReader(compressed(t, flat(t, m, list))), cache, m.Digest(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m.Args = []string{"-other"}
	if _, err := Unpack(bytes.NewReader(compressed(t, flat(t, m, list))), cache, m.Digest(), Limits{}); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(one.dir, old, old); err != nil {
		t.Fatal(err)
	}
	write(t, 0o644, "mine", cache, "notes")
	os.Chtimes(filepath.Join(cache, "notes"), old, old)
	Sweep(cache, 24*time.Hour)
	if _, err := Open(cache, one.Digest); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old one: %v", err)
	}
	if _, err := Open(cache, m.Digest()); err != nil {
		t.Errorf("the new one: %v", err)
	}
	if _, err := os.Stat(filepath.Join(cache, "notes")); err != nil {
		t.Error(err)
	}
}
