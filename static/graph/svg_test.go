package graph_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/graph"
)

// fakeDot puts a shell script in the place of Graphviz.
func fakeDot(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dot"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestSVGIsWhatGraphvizSays(t *testing.T) {
	fakeDot(t, `echo "<svg args='$*'>"; sed 's/.*/:&/'; echo '</svg>'`)
	d := document(bank)
	source := strings.TrimSuffix(string(render(t, d, graph.DOT)), "\n")
	want := "<svg args='-Tsvg'>\n:" + strings.ReplaceAll(source, "\n", "\n:") + "\n</svg>\n"
	if got := string(render(t, d, graph.SVG)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSVGFails(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'syntax error in line 1' >&2; exit 1": "failed: exit status 1: syntax error in line 1",
		"cat >/dev/null; echo '<svg><g>'":           "gave no complete SVG (9 bytes)",
		"cat >/dev/null; echo no fonts >&2":         "gave no complete SVG (0 bytes): no fonts",
	} {
		fakeDot(t, script)
		out, err := graph.Render(document(bank), graph.SVG)
		if err == nil || !strings.Contains(err.Error(), want) || out != nil {
			t.Errorf("%s: %d bytes, %v; want none and %q", script, len(out), err, want)
		}
	}
}

func TestSVGWithoutGraphviz(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, err := graph.Render(document(bank), graph.SVG)
	if err == nil || !strings.Contains(err.Error(), "apt-get install graphviz") || !strings.Contains(err.Error(), "-format mermaid") || out != nil {
		t.Errorf("%d bytes, %v: want an error that says what to install, or to use instead", len(out), err)
	}
}
