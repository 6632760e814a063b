package shows

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/tests/markup"
)

var update = flag.Bool("update", false, "write down anew what pictures are like")

// hashes is the file that says what the pictures of an example are like. Those in the documents are files. numbered is
// the one for tests in which Go's choices have numbers, where that changes the pictures: they show these choices.
const (
	hashes   = "testdata/pictures.txt"
	numbered = "testdata/pictures_numbered.txt"
)

// Picture runs a test of this package, which must find something, in a process of its own. The picture of what it found
// and its page must be valid, the same each time, and those of hashes. What the documents show of it must be that
// picture: see docs/reading.md for the command that makes it.
func Picture(t *testing.T, test string) {
	t.Helper()
	r := recordOf(t, test)
	if len(r.Findings) == 0 || r.Findings[0].Picture == nil {
		t.Fatalf("%s: no finding with a picture", test)
	}
	svg := r.Findings[0].Picture.SVG()
	// What was counted is left out, and how to replay it: that differs where the choices of Go have numbers.
	for i := range r.Findings {
		r.Findings[i].Replay, r.Findings[i].Found = "", 1
	}
	d := record.Document{Records: []record.Record{{Package: r.Package, Test: r.Test, Findings: r.Findings}}}
	html := string(record.HTML(&d))
	if again := string(record.HTML(&d)); again != html || r.Findings[0].Picture.SVG() != svg {
		t.Error("drawn twice it is not the same")
	}
	for _, text := range []string{svg, html} {
		if bad := markup.Invalid(text); bad != "" {
			t.Errorf("%s in\n%s", bad, text)
		}
	}
	file := hashes
	if _, err := os.Stat(numbered); err == nil && chance.Numbered() {
		file = numbered
	}
	compare(t, file, line("svg", svg)+line("html", html))
	shown := filepath.Join("..", "..", "docs", "pictures", r.Name()+"-1.svg")
	if _, err := os.Stat(shown); err == nil {
		compare(t, shown, svg)
	}
}

func line(format, text string) string {
	return fmt.Sprintf("%s, %d bytes, sha256 %x\n", format, len(text), sha256.Sum256([]byte(text)))
}

// compare compares with a file, which -update writes.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has\n%s\nwhere now is\n%s\nlook at it (rehearse report), and run with -update", file, want, got)
	}
}

// recordOf runs a test in a process of its own and gives the record of its Check.
func recordOf(t *testing.T, test string) *record.Record {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "record")
	cmd := exec.Command(self, "-test.run=^"+test+"$", "-test.count=1")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "REHEARSE_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "REHEARSE_REPORT="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	r := &record.Record{}
	if err := json.Unmarshal(first, r); err != nil {
		t.Fatal(err)
	}
	return r
}
