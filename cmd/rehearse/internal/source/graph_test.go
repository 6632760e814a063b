package source

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// What docs/graph.md shows is what the commands in it print, in the folder of the examples; times and lines apart,
// which change without anything being wrong. The first two, with REHEARSE_TOY all four.
func TestGraphDocs(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/graph.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../../../examples")
	shown := regexp.MustCompile("(?s)\n    rehearse (graph [^\n]*)\n.*?\n```[a-z]*\n(.*?)\n```").FindAllStringSubmatch(string(text), -1)
	if len(shown) != 4 {
		t.Fatalf("%d commands with their output, want 4", len(shown))
	}
	if os.Getenv("REHEARSE_TOY") == "" {
		shown = shown[:2]
	}
	for _, m := range shown {
		var out, problems bytes.Buffer
		if code := Main(strings.Fields(m[1]), cli.Streams{Out: &out, Err: &problems}); code == cli.ExitError {
			t.Errorf("%s: %s", m[1], problems.String())
		}
		if got, want := loose(out.String()), loose(m[2]); got != want {
			t.Errorf("docs/graph.md is not what `rehearse %s` prints:\n%s\nwant\n%s", m[1], got, want)
		}
	}
}

var (
	isLine = regexp.MustCompile(`(\.go:)\d+`)
	isTime = regexp.MustCompile(`\d+\.\d{3,}`)
	blanks = regexp.MustCompile(` +`)
)

// loose leaves out what may change: lines, times, and the width of columns.
func loose(s string) string {
	s = isTime.ReplaceAllString(isLine.ReplaceAllString(s, "${1}N"), "T")
	return strings.TrimSpace(blanks.ReplaceAllString(s, " "))
}
