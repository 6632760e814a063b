package bundle

import (
	"path/filepath"
	"syscall"
	"testing"
)

// What other systems do not have, or cannot keep apart, is refused on those that have it.
func TestCollectRefusesOnLinux(t *testing.T) {
	for what, c := range map[string]struct {
		change func(testdata string)
		want   string
	}{
		"names alike": {func(dir string) { write(t, 0o644, "", dir, "EMPTY") }, "are one name"},
		"a backslash": {func(dir string) { write(t, 0o644, "", dir, `a\b`) }, `a \ in the name`},
		"a line end":  {func(dir string) { write(t, 0o644, "", dir, "a\nb") }, "a control character"},
		"no UTF-8":    {func(dir string) { write(t, 0o644, "", dir, "a\xff") }, "or no UTF-8"},
		"a pipe": {func(dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "it is a pipe"}, // reading it would wait for ever
	} {
		s := sample(t)
		c.change(filepath.Join(s.Dir, "testdata"))
		if _, err := Collect(s); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}
