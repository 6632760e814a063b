package parallel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/files"
)

// fileVersion is the version of the format. Another one is refused: the state of a search means something only to the
// program that made it, which the header binds it to anyway.
const fileVersion = 1

// Header binds the file of an exploration to what it explores. Two are the same if all fields are.
type Header struct {
	Version  int    `json:"rehearse_exploration"`
	Tool     string `json:"tool"`
	Package  string `json:"package"`
	Test     string `json:"test"`
	Call     string `json:"call"` // which of the test's explorations
	Strategy string `json:"strategy"`
	Seed     uint64 `json:"seed"`
	Model    string `json:"model"`
	Timers   string `json:"timers"`
	Faults   string `json:"faults"`
	Horizon  string `json:"horizon"`
	MaxSteps int    `json:"max_steps"`
	Copy     bool   `json:"copy"`
	Cases    string `json:"cases,omitempty"` // hash of what is known of the cases of handlers, "" if nothing is
	Binary   string `json:"binary"`          // hash of the test binary
}

// file is where a tally is kept: a line for the header, then one for each report, each behind the checksum of its text.
// What is appended is on the disk before anybody acts on it.
type file struct {
	path   string
	f      *os.File
	lock   *os.File
	header Header
	size   int64
	limit  int64 // rewrite the file when it is larger
}

// limit from which the file is rewritten with what is open only; it then grows with what it was after that.
const fileLimit = 64 << 20

// openFile takes up what is in the file, if there is one, and rewrites it with what is open.
func openFile(path string, h Header, s explore.Divisible) (*file, *Tally, error) {
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, nil, err
	}
	held, err := lockFile(path + ".lock")
	if err != nil {
		return nil, nil, err
	}
	removePartial(path)
	h.Version = fileVersion
	t, err := readFile(path, h, s)
	if errors.Is(err, fs.ErrNotExist) {
		t, err = Begun(s)
	}
	f := &file{path: path, lock: held, header: h}
	if err == nil {
		t.Reopen()
		err = f.rewrite(t)
	}
	if err != nil {
		held.Close()
		return nil, nil, err
	}
	return f, t, nil
}

// lockFile keeps other processes from going on with the same exploration, where there are locks; who asks for one says
// where there are not.
func lockFile(path string) (*os.File, error) {
	f, err := files.Open(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err = files.TryLock(f); errors.Is(err, files.ErrLocked) {
		err = fmt.Errorf("another process goes on with this exploration at the moment: it holds %s", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// partial ends the name of a file that is to take the place of the file, when it is whole.
const partial = ".partial"

// removePartial removes what processes left that were killed while they rewrote the file. Whoever holds its lock is the
// only one.
func removePartial(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // an error there is one of making a file too
	for _, e := range entries {
		if n := e.Name(); e.Type().IsRegular() && strings.HasPrefix(n, filepath.Base(path)+".") &&
			strings.HasSuffix(n, partial) {
			os.Remove(filepath.Join(filepath.Dir(path), n))
		}
	}
}

// readFile gives the tally in a file. A last line that is not whole was being written when the process died: nobody
// acted on it. The first two are written at once, before the file has its name: one that has less is none of ours any
// more.
func readFile(path string, h Header, s explore.Divisible) (*Tally, error) {
	b, err := files.Read(path)
	if err != nil {
		return nil, err
	}
	if bytes.Count(b, []byte{'\n'}) < 2 {
		return nil, fmt.Errorf("the file of the exploration, %s, was cut short (%d bytes): what was executed is not in it; "+
			"delete it to begin anew", path, len(b))
	}
	t := newTally(s)
	for n := 1; len(b) > 0; n++ {
		l, rest, whole := bytes.Cut(b, []byte{'\n'})
		b = rest
		text, err := checked(l)
		switch {
		case err != nil && len(rest) == 0 && n > 2, !whole:
			return t, nil
		case err != nil:
			err = fmt.Errorf("is damaged: %w; delete it to begin anew", err)
		case n == 1:
			err = h.check(text)
		default:
			r := &Report{}
			if err = json.Unmarshal(text, r); err == nil {
				_, err = t.add(r)
			}
			if err != nil {
				err = fmt.Errorf("contradicts itself: %w; delete it to begin anew", err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the file of the exploration, %s, line %d: %w", path, n, err)
		}
	}
	return t, nil
}

// check compares the header of a file with that of the exploration.
func (h Header) check(text []byte) error {
	var was Header
	if err := json.Unmarshal(text, &was); err != nil {
		return err
	}
	for _, d := range []struct {
		what      string
		was, want any
	}{
		{"the format", was.Version, h.Version}, {"Rehearse", was.Tool, h.Tool}, {"package", was.Package, h.Package},
		{"test", was.Test, h.Test},
		{"exploration", was.Call, h.Call}, {"strategy", was.Strategy, h.Strategy}, {"seed", was.Seed, h.Seed},
		{"delivery model", was.Model, h.Model},
		{"timers", was.Timers, h.Timers}, {"faults", was.Faults, h.Faults}, {"horizon", was.Horizon, h.Horizon},
		{"bound on steps", was.MaxSteps, h.MaxSteps},
		{"copying of messages", was.Copy, h.Copy}, {"what facts say of the cases of handlers", was.Cases, h.Cases},
	} {
		if d.was != d.want {
			return fmt.Errorf("it belongs to another exploration: %s was %v and is %v now; use another folder, or delete the "+
				"file to begin anew", d.what, d.was, d.want)
		}
	}
	if was.Binary != h.Binary {
		return fmt.Errorf("the program has changed since: the test binary is another one, so that what was executed may " +
			"say nothing of it; delete the file to begin anew")
	}
	return nil
}

// seal puts a checksum before the text of a line.
func seal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, "%08x ", crc32.ChecksumIEEE(text)), append(text, '\n')...), nil
}

var errChecksum = errors.New("its checksum is wrong")

func checked(l []byte) ([]byte, error) {
	sum, text, ok := bytes.Cut(l, []byte{' '})
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return nil, errChecksum
	}
	return text, nil
}

// append adds reports, which are on the disk when it returns.
func (f *file) append(t *Tally, reports []*Report) error {
	if f == nil {
		return nil
	}
	if f.size > f.limit {
		return f.rewrite(t)
	}
	var b []byte
	for _, r := range reports {
		l, err := seal(r)
		if err != nil {
			return err
		}
		b = append(b, l...)
	}
	n, err := f.f.Write(b)
	f.size += int64(n)
	if err == nil {
		err = f.f.Sync()
	}
	return f.failed(err)
}

// rewrite replaces the file by one that says the same in one report.
func (f *file) rewrite(t *Tally) error {
	h, err := seal(f.header)
	if err != nil {
		return err
	}
	r, err := seal(t.snapshot())
	if err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*"+partial)
	if err != nil {
		return f.failed(err)
	}
	_, err = next.Write(append(h, r...))
	if err == nil {
		err = next.Sync()
	}
	if err == nil {
		err = os.Rename(next.Name(), f.path)
	}
	if err != nil {
		next.Close()
		os.Remove(next.Name())
		return f.failed(err)
	}
	syncDir(filepath.Dir(f.path))
	if f.f != nil {
		f.f.Close()
	}
	f.f, f.size = next, int64(len(h)+len(r))
	f.limit = max(fileLimit, 4*f.size)
	return nil
}

func (f *file) failed(err error) error {
	if err != nil {
		err = fmt.Errorf("the exploration cannot be kept in %s: %w", f.path, err)
	}
	return err
}

// syncDir makes a rename last where folders can be synchronised; elsewhere the file system has to see to that.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

func (f *file) close() {
	if f != nil {
		f.f.Close()
		f.lock.Close()
	}
}
