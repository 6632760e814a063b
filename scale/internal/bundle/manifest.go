package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is the version of the manifest and of the stream. Only this one is read: the two ends of a job are of one
// version of Rehearse.
const Format = 1

// Bounds of a manifest. What is beyond them is no bundle of a test, but an attack or an accident.
const (
	MaxManifest = 16 << 20 // bytes
	MaxFiles    = 100_000
	MaxWords    = 10_000 // arguments, and variables
	maxWord     = 1 << 20
	maxName     = 1024
)

// Manifest is what a bundle has and how its test is started. Equal manifests have equal bytes.
type Manifest struct {
	Format  int      `json:"format"`
	Tool    string   `json:"tool"`    // version of Rehearse
	Package string   `json:"package"` // import path
	Test    string   `json:"test"`    // pattern of -run
	GOOS    string   `json:"goos"`
	GOARCH  string   `json:"goarch"`
	Go      string   `json:"go"`     // that built the binary, as in runtime.Version
	Dir     string   `json:"dir"`    // where the test runs: the package's folder, "." for the root of the bundle
	Binary  string   `json:"binary"` // the file that is the test binary
	Args    []string `json:"args"`   // of the test binary
	Env     []string `json:"env"`    // NAME=value, sorted
	Files   []File   `json:"files"`  // sorted by path
	// Toolchain is the go command that must be there, as in runtime.Version; "": none is needed.
	Toolchain string `json:"toolchain,omitempty"`
}

// File is a file of a bundle.
type File struct {
	Path   string `json:"path"` // relative to the root of the bundle, with slashes
	Size   int64  `json:"size"` // bytes
	Mode   Mode   `json:"mode"`
	SHA256 string `json:"sha256"`
}

// Mode is the access of a file, as an octal number. There are two.
type Mode string

// The modes.
const (
	Plain      Mode = "0644"
	Executable Mode = "0755"
)

// Digest names contents: the SHA-256 of a manifest's bytes.
type Digest [sha256.Size]byte

// String is the digest in hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ParseDigest reads what String gives.
func ParseDigest(s string) (d Digest, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(d) || s != strings.ToLower(s) {
		return d, fmt.Errorf("%.80q is no digest: want %d hexadecimal digits in lower case", s, 2*len(d))
	}
	return Digest(b), nil
}

// Bytes are the canonical bytes of a manifest: one line of JSON, without spaces.
func (m *Manifest) Bytes() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	c := *m
	// SUBTLE: nil and empty are the same contents, so they have the same bytes.
	c.Args, c.Env, c.Files = notNil(m.Args), notNil(m.Env), notNil(m.Files)
	if err := enc.Encode(&c); err != nil {
		panic("bundle: a struct of strings and numbers has no JSON: " + err.Error())
	}
	return b.Bytes()
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Digest is that of the canonical bytes.
func (m *Manifest) Digest() Digest { return sha256.Sum256(m.Bytes()) }

// Total is the size of all files in bytes.
func (m *Manifest) Total() (sum int64) {
	for i := range m.Files {
		sum += m.Files[i].Size
	}
	return sum
}

// ParseManifest reads a manifest and checks it. Exactly what Bytes gives is read: another spelling of the same would
// have another digest.
func ParseManifest(data []byte) (*Manifest, error) {
	if len(data) > MaxManifest {
		return nil, fmt.Errorf("manifest: it has %d bytes, more than %d", len(data), MaxManifest)
	}
	m := &Manifest{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("manifest: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("manifest: something follows it")
	}
	if m.Format != Format {
		return nil, fmt.Errorf("manifest: it has format %d and this Rehearse reads %d: use the same version on all machines",
			m.Format, Format)
	}
	if !bytes.Equal(data, m.Bytes()) {
		return nil, errors.New("manifest: it is not written as Rehearse writes it: fields, their order or their spelling " +
			"differ")
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}

// check says what is wrong with a manifest, in whatever way it came about.
func (m *Manifest) check() error {
	for _, f := range []struct{ name, value string }{{"tool", m.Tool}, {"package", m.Package}, {"test", m.Test},
		{"goos", m.GOOS}, {"goarch", m.GOARCH}, {"go", m.Go}} {
		if f.value == "" || len(f.value) > maxWord || !plain(f.value) {
			return fmt.Errorf("%s %.80q: want a text without control characters", f.name, f.value)
		}
	}
	if len(m.Toolchain) > maxWord || !plain(m.Toolchain) {
		return fmt.Errorf("toolchain %.80q: want a text without control characters", m.Toolchain)
	}
	if m.Dir != "." {
		if err := checkName(m.Dir, m.GOOS); err != nil {
			return fmt.Errorf("dir: %w", err)
		}
	}
	if len(m.Args) > MaxWords || len(m.Env) > MaxWords || len(m.Files) > MaxFiles {
		return fmt.Errorf("it has %d arguments, %d variables and %d files: want at most %d, %d and %d", len(m.Args),
			len(m.Env), len(m.Files), MaxWords, MaxWords, MaxFiles)
	}
	for i, a := range m.Args {
		if len(a) > maxWord || !utf8.ValidString(a) || strings.ContainsRune(a, 0) {
			return fmt.Errorf("argument %d: want UTF-8 of at most %d bytes without NUL", i+1, maxWord)
		}
	}
	if err := checkEnv(m.Env); err != nil {
		return err
	}
	return m.checkFiles()
}

// checkFiles says what is wrong with the files of a manifest.
func (m *Manifest) checkFiles() error {
	var all tree
	var total int64
	for i := range m.Files {
		f := &m.Files[i]
		if err := checkName(f.Path, m.GOOS); err != nil {
			return err
		}
		if err := all.add(f.Path); err != nil {
			return err
		}
		if _, err := ParseDigest(f.SHA256); err != nil {
			return fmt.Errorf("file %q: %w", f.Path, err)
		}
		if f.Mode != Plain && f.Mode != Executable {
			return fmt.Errorf("file %q: mode %.20q: want %s or %s", f.Path, string(f.Mode), Plain, Executable)
		}
		if total += f.Size; f.Size < 0 || total < 0 {
			return fmt.Errorf("file %q: a size of %d bytes, or with those before it a sum, that no files have", f.Path, f.Size)
		}
	}
	if !slices.IsSortedFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) }) {
		return errors.New("its files are not sorted by path")
	}
	binary := m.find(m.Binary)
	if binary == nil || binary.Mode != Executable {
		return fmt.Errorf("binary %.80q: it is not among the executable files", m.Binary)
	}
	return nil
}

// find gives a file by its path, nil if there is none.
func (m *Manifest) find(path string) *File {
	i, ok := slices.BinarySearchFunc(m.Files, path, func(f File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return nil
	}
	return &m.Files[i]
}

// RunsOn refuses a machine on which the binary cannot run, and a worker of another version.
func (m *Manifest) RunsOn(goos, goarch, tool string) error {
	if m.GOOS != goos || m.GOARCH != goarch {
		return fmt.Errorf("the job's test binary is for %s/%s and this machine is %s/%s: start workers on machines of the "+
			"first kind, or begin the job on one of the second", m.GOOS, m.GOARCH, goos, goarch)
	}
	if m.Tool != tool {
		return fmt.Errorf("the job is of Rehearse %s and this worker of %s: install the same version on all machines", m.Tool,
			tool)
	}
	return nil
}
