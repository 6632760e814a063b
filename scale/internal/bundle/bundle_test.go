package bundle

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// write makes a file, and the folders above it.
func write(t *testing.T, mode os.FileMode, text string, elements ...string) string {
	t.Helper()
	name := filepath.Join(elements...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return name
}

// sample is a module with a package that has testdata. Its test binary is the one that runs.
func sample(t *testing.T) Source {
	t.Helper()
	root := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "shop", "till")
	write(t, 0o644, "a schedule\n", dir, "testdata", "rehearse", "TestTill", "1.schedule")
	write(t, 0o755, "#!/bin/sh\n", dir, "testdata", "tool.sh")
	write(t, 0o644, "prices\n", root, "shop", "prices.csv")
	write(t, 0o600, "", dir, "testdata", "empty")
	return Source{Root: root, Dir: dir, Package: "example.com/shop/till", Test: "^TestTill$", Tool: "(devel)",
		Binary: binary, Args: []string{"-test.run=^TestTill$"}, Env: []string{"REHEARSE_SEED=7"},
		Named: []Named{{Path: "../prices.csv"}}}
}

func collect(t *testing.T, s Source) *Contents {
	t.Helper()
	c, err := Collect(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func pack(t *testing.T, c *Contents) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Pack(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	c := collect(t, sample(t))
	digest := c.Manifest.Digest()
	cache := filepath.Join(t.TempDir(), "cache")
	b, err := Unpack(bytes.NewReader(pack(t, c)), cache, digest, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = Open(cache, digest); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Manifest.Bytes(), c.Manifest.Bytes()) {
		t.Errorf("sent %s, received %s", c.Manifest.Bytes(), b.Manifest.Bytes())
	}
	var paths []string
	for _, f := range b.Manifest.Files {
		paths = append(paths, string(f.Mode)+" "+f.Path)
	}
	want := []string{"0755 rehearse.test", "0644 shop/prices.csv", "0644 shop/till/testdata/empty",
		"0644 shop/till/testdata/rehearse/TestTill/1.schedule", "0755 shop/till/testdata/tool.sh"}
	if !slices.Equal(paths, want) {
		t.Errorf("files %q, want %q", paths, want)
	}
	for _, f := range b.Manifest.Files {
		if info, err := os.Stat(b.Path(f.Path)); err != nil || info.Mode()&0o222 != 0 {
			t.Errorf("%s may be written to: %v, %v", f.Path, info.Mode(), err)
		}
	}
	s, err := b.Stage()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Remove()
	for name, want := range map[string]string{"../prices.csv": "prices\n", "testdata/tool.sh": "#!/bin/sh\n"} {
		if got, err := os.ReadFile(filepath.Join(s.Dir, name)); string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if m := b.Manifest; m.GOOS != runtime.GOOS || m.GOARCH != runtime.GOARCH || m.Go != runtime.Version() {
		t.Errorf("%s/%s %s", m.GOOS, m.GOARCH, m.Go)
	}
	// A test may write beside its files, and the cache stays as it is.
	write(t, 0o644, "new", s.Dir, "testdata", "empty")
	if _, err := Open(cache, digest); err != nil {
		t.Error(err)
	}
}

// TestMain is also what a job runs: it says what it sees.
func TestMain(m *testing.M) {
	if os.Getenv("REHEARSE_TEST_JOB") != "" {
		dir, _ := os.Getwd()
		os.Stdout.WriteString(filepath.Base(dir) + "\n" + strings.Join(os.Args[1:], " ") + "\n" +
			strings.Join(os.Environ(), "\n"))
		os.Exit(0)
	}
	if how := os.Getenv(unpackVariable); how != "" {
		unpackHere(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// What is run has the arguments and the variables of the job, and no variable of the worker that is its own affair.
func TestCommand(t *testing.T) {
	t.Setenv("TOKEN_OF_WORKER", "secret of the worker")
	src := sample(t)
	var err error
	src.Env, err = Environment([]string{"REHEARSE_TEST_JOB=1", "TOKEN_OF_USER=secret of the user", "REGION=north",
		"REHEARSE_SEED=1", "REHEARSE_SEED=7", "REHEARSE_REPORT=/here"}, []string{"REGION", "REHEARSE_TEST_JOB"})
	if err != nil {
		t.Fatal(err)
	}
	c := collect(t, src)
	b, err := Unpack(bytes.NewReader(pack(t, c)), t.TempDir(), c.Manifest.Digest(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Stage()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Remove()
	cmd := s.Command(context.Background(), []string{"-test.short=true"}, []string{"MORE=1"})
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("%v: %s%s", err, out, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	if lines[0] != "till" || lines[1] != "-test.run=^TestTill$ -test.short=true" {
		t.Errorf("folder and arguments: %q", lines[:2])
	}
	for _, want := range []string{"REGION=north", "REHEARSE_SEED=7", "MORE=1"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(string(out), "TOKEN") || strings.Contains(string(out), "secret") ||
		strings.Contains(string(out), "REPORT") {
		t.Errorf("variables that are nobody's business: %s", out)
	}
}

// Equal contents have equal digests: whatever their times, and wherever they lie.
func TestDigest(t *testing.T) {
	one := sample(t)
	two := sample(t)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(two.Root, "shop", "prices.csv"), old, old); err != nil {
		t.Fatal(err)
	}
	two.Named = append(two.Named, Named{Path: "../prices.csv"}, Named{Path: filepath.Join(two.Dir, "testdata")})
	a, b := collect(t, one), collect(t, two)
	if a.Manifest.Digest() != b.Manifest.Digest() {
		t.Errorf("%s\n%s", a.Manifest.Bytes(), b.Manifest.Bytes())
	}
	if !bytes.Equal(pack(t, a), pack(t, b)) {
		t.Error("the streams differ")
	}
	seen := map[Digest]string{a.Manifest.Digest(): "nothing"}
	for what, change := range map[string]func(*Source){
		"a file":        func(s *Source) { write(t, 0o644, "other\n", s.Root, "shop", "prices.csv") },
		"a mode":        func(s *Source) { os.Chmod(filepath.Join(s.Dir, "testdata", "empty"), 0o755) },
		"a new file":    func(s *Source) { write(t, 0o644, "", s.Dir, "testdata", "more") },
		"an argument":   func(s *Source) { s.Args = append(s.Args, "-x") },
		"a variable":    func(s *Source) { s.Env = append(s.Env, "A=1") },
		"the test":      func(s *Source) { s.Test = "^TestOther$" },
		"the tool":      func(s *Source) { s.Tool = "v1" },
		"the package":   func(s *Source) { s.Package = "example.com/x" },
		"an order":      func(s *Source) { s.Args = []string{"b", "a"} },
		"another order": func(s *Source) { s.Args = []string{"a", "b"} },
	} {
		s := sample(t)
		change(&s)
		d := collect(t, s).Manifest.Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("the digest is the same with %s changed as with %s", what, other)
		}
		seen[d] = what
	}
}
