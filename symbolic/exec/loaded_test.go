package exec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
)

// loaded loads the source of a package p, which is a module of its own.
func loaded(t *testing.T, source string) *load.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.24\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Config{Dir: dir, Patterns: []string{"."}}.Load()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
