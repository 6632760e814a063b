package source

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// A run that was ended goes on where it was: what is in its file is not searched for again, and a line that was cut is.
func TestTAPKeeps(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", "..", "examples"))
	file := filepath.Join(t.TempDir(), "results")
	run := func(more ...string) (int, string) {
		var out, err bytes.Buffer
		flags := []string{"-tests=false", "-settings=H1", "-sample=4", "-steps=20", "-keep=" + file}
		args := slices.Concat(flags, more, []string{"tap", "./bank"})
		code := reproduceCommand.Run(args, cli.Streams{Out: &out, Err: &err})
		return code, out.String() + err.String()
	}
	lines := func() []string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(string(data), "\n")
	}
	if code, said := run(); code != cli.ExitOK || len(lines()) != 6 {
		t.Fatalf("exit code %d, %d lines, want a head and 4 results\n%s", code, len(lines()), said)
	}
	first := lines()
	cut := strings.Join(first[:4], "") + first[4][:len(first[4])/2]
	if err := os.WriteFile(file, []byte(cut), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, said := run(); code != cli.ExitOK || strings.Count(said, "H1, bank/") != 1 {
		t.Errorf("exit code %d, want 1 search\n%s", code, said)
	}
	if again := lines(); len(again) != 6 || !slices.Equal(again[:4], first[:4]) {
		t.Errorf("%q, want the first 4 lines of %q, and one more", again, first)
	}
	if code, said := run("-seed=2"); code != cli.ExitError || !strings.Contains(said, "of another experiment") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	code, said := run("-after="+file, "-keep="+file+"2")
	if code != cli.ExitError || !strings.Contains(said, "leaves no target open") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// Of several seeds the table has the mean.
func TestTAPMean(t *testing.T) {
	for _, tt := range []struct {
		n, of, seeds int
		want         string
	}{{3, 4, 1, "3 (75%)"}, {7, 4, 2, "3.5 (88%)"}, {0, 0, 2, "0"}} {
		if got := mean(tt.n, tt.of, tt.seeds); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// Programs are packages, unless others make the actors of all.
func TestTAPPrograms(t *testing.T) {
	if got := commonPath([]string{"a.b/c/d", "a.b/c/e/f", "a.b/c/g"}); got != "a.b/c" {
		t.Error(got)
	}
	r := &tapRun{}
	list, err := r.programs([]string{"x", "y"})
	if err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if r.dir, err = filepath.Abs(filepath.Join("..", "..", "..", "..", "examples")); err != nil {
		t.Fatal(err)
	}
	r.drivers = "./bank"
	const bank = "github.com/rehearse-go/rehearse/examples/bank"
	list, err = r.programs([]string{"x", bank})
	if err != nil || len(list) != 1 || !slices.Equal(list[0], []string{"x", bank}) {
		t.Errorf("%v, %v", list, err)
	}
}
