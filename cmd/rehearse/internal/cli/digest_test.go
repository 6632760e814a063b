package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/explorer"
)

// TestDigest: a program has one digest wherever it lies, and another one when a file of it changes.
func TestDigest(t *testing.T) {
	t.Setenv("GOWORK", "off")
	files := map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.25\n", "a.go": "package m\n",
		"a_test.go": "package m\n\nimport _ \"example.org/m/b\"\n",
		"b/b.go":    "package b\n", "c/c.go": "package c\n", "notes.txt": "nothing",
	}
	make := func() string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		d, err := digestOf(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := make()
	files["notes.txt"], files["c/c.go"] = "something", "package c\n\nvar C int\n"
	if d := make(); d != first || len(d) != 12 {
		t.Errorf("in another folder, and with other files that are none of it: %s, before %s", d, first)
	}
	for _, name := range []string{"a.go", "a_test.go", "b/b.go"} {
		was := files[name]
		files[name] += "\nvar X int\n"
		if make() == first {
			t.Errorf("%s has changed, and the digest has not", name)
		}
		files[name] = was
	}
	if _, err := digestOf(t.TempDir(), nil); err == nil {
		t.Error("a folder without a program has a digest")
	}
}

// TestListFlags: a flag is known with its value, in one word or two.
func TestListFlags(t *testing.T) {
	got := listFlags([]string{"-v", "-tags", "integration", "-race", "--mod=mod", "-run", "tags", "-modfile"})
	if want := []string{"-tags", "integration", "-race", "--mod=mod", "-modfile"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBuildError: what the compiler says of a test that does not build is for the page, too.
func TestBuildError(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.25\n",
		"a_test.go": "package m\n\nvar x int = missing\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var printed strings.Builder
	e := &exploreRun{dir: dir, pkg: ".", test: "TestX", number: 1, plain: true, temp: t.TempDir(),
		streams: Streams{Err: &printed}}
	_, err := e.Build()
	var failed *explorer.BuildError
	if !errors.As(err, &failed) || !strings.Contains(failed.Output, "undefined: missing") ||
		!strings.Contains(printed.String(), "undefined: missing") {
		t.Errorf("%v: %+v; printed %q", err, failed, &printed)
	}
}
