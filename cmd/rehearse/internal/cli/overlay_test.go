package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Where an overlay cannot be had a line says why, and the test is a plain one.
func TestPlainTests(t *testing.T) {
	for name, c := range map[string]struct {
		in   installation
		args []string
		want string
	}{
		"flag": {installation{GOOS: "linux", GOARCH: "amd64"}, []string{"-v", "-overlay=x.json"},
			"go test is given an -overlay already"},
		"two dashes": {installation{GOOS: "linux", GOARCH: "amd64"}, []string{"--overlay", "x.json"},
			"go test is given an -overlay already"},
		"GOFLAGS": {installation{GOOS: "linux", GOARCH: "arm64", GOFLAGS: "-v -overlay=x.json"}, nil,
			"go test is given an -overlay already"},
		"experiment": {installation{GOVERSION: "go1.25.4", GOOS: "linux", GOARCH: "amd64", GOEXPERIMENT: "noswissmap"}, nil,
			"go1.25.4 with GOEXPERIMENT=noswissmap was not tested"},
		"processor": {installation{GOVERSION: "go1.26.8", GOOS: "linux", GOARCH: "386"}, nil,
			"go1.26.8 on GOARCH=386 was not tested"},
		"system": {installation{GOVERSION: "go1.26.8", GOOS: "plan9", GOARCH: "amd64"}, nil,
			"go1.26.8 on GOOS=plan9 was not tested"},
		"fine": {installation{GOOS: "linux", GOARCH: "amd64", GOFLAGS: "-mod=mod"},
			[]string{"./overlay", "-run=-overlay"}, ""},
	} {
		err := c.in.refuse(c.args)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	var said bytes.Buffer
	t.Setenv(plainVariable, "")
	g := &goTest{args: []string{"-overlay=x.json"}, err: &said}
	g.numberDraws()
	if want := "rehearse: go test is given an -overlay already; plain tests are used, in which Go's own choices have no " +
		"numbers\n"; said.String() != want || len(g.args) != 1 || g.command != "" {
		t.Errorf("said %q, arguments %v, want %q", said.String(), g.args, want)
	}
}

// The command's tests are built with the overlay: their draws have numbers. Other tests of package overlay have built
// the same.
func TestOverlay(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return // it links one more test
	}
	t.Setenv(plainVariable, "")
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // where overlays go
	t.Setenv("DRAWING", "enumerate,0,map of 5")
	var out, said bytes.Buffer
	code := Main([]string{"test", "-v", "-count=1", "github.com/rehearse-go/rehearse/internal/tests/choosers"},
		Streams{Out: &out, Err: &said})
	if code != ExitOK || !strings.Contains(out.String(), "drawn: map of 5: 5 executions, 5 outcomes") || said.Len() > 0 {
		t.Errorf("exit %d:\n%s%s", code, &out, &said)
	}
	out.Reset()
	if code := Main([]string{"test", "-no-overlay", "-v", "-count=1",
		"github.com/rehearse-go/rehearse/internal/tests/choosers"}, Streams{Out: &out, Err: &said}); code == ExitOK ||
		!strings.Contains(out.String(), "draws have no numbers") {
		t.Errorf("without: exit %d:\n%s%s", code, &out, &said)
	}
}
