package effects

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// A package with files of other platforms has facts; one that does not compile has none, and several at a time are
// asked for one by one.
func TestFactsOfPackages(t *testing.T) {
	if f, _, err := Facts("testdata/platforms", "."); err != nil || f.Of("platforms.Door", "platforms.Open") == nil {
		t.Errorf("files of other platforms: %v", err)
	}
	if _, _, err := Facts("testdata", "./tricky", "./random"); err == nil || !strings.Contains(err.Error(), "one package at a time") {
		t.Errorf("two packages: %v", err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/broken\n\ngo 1.25\n", "broken.go": "package broken\n\nvar x int = \"\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := Facts(dir, "."); err == nil || !strings.Contains(err.Error(), "broken.go:3") {
		t.Errorf("a package that does not compile: %v", err)
	}
}

// The sources of a facts file are where it says, and as it says.
func TestSourcesAreFresh(t *testing.T) {
	f, folder, err := Facts("testdata/tricky", ".")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, filepath.FromSlash(facts.Place))
	if why := f.Stale(path); why != "" {
		t.Error(why)
	}
	f.Sources[0].Hash = "0"
	if why := f.Stale(path); !strings.Contains(why, "testdata/tricky has changed") {
		t.Errorf("another hash: %q", why)
	}
}
