package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/targets"
)

// sharing starts a process that has read the program.
func sharing(t *testing.T, out *bytes.Buffer, args ...string) (*child.Process, targets.Ready) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stdout, cmd.Stderr = out, out
	p, err := child.Start(cmd, targets.Variable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.End(); _ = p.Wait() })
	var r targets.Ready
	if err := p.Receive(&r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p, r
}

// searched has a process search for targets.
func searched(t *testing.T, p *child.Process, numbers ...int) []json.RawMessage {
	t.Helper()
	var did targets.Did
	if err := p.Send(targets.Do{Search: numbers}); err != nil {
		t.Fatal(err)
	}
	if err := p.Receive(&did); err != nil || did.Error != "" || len(did.Answers) != len(numbers) {
		t.Fatalf("%v: %d answers, %s", err, len(did.Answers), did.Error)
	}
	return did.Answers
}

// exitCode is that of a process that has ended by itself.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// answersIn are what the command has written as JSON, but for the time that it took.
func answersIn(t *testing.T, text []byte) (texts []string) {
	t.Helper()
	var all []map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, a := range all {
		delete(a, "seconds")
		one, err := json.MarshalIndent(a, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(one))
	}
	return texts
}

// What processes answer that share the targets, in whatever order, is what one process tells of all. A target that
// nobody has searched for says why.
func TestTargetsShared(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", "..", "examples"))
	args := []string{"target", "-json", "-sample=3", "-seed=2", "./bank"}
	var whole bytes.Buffer
	code := Main(args, cli.Streams{Out: &whole, Err: os.Stderr})
	want := answersIn(t, whole.Bytes())

	var first, second bytes.Buffer
	p, r := sharing(t, &first, args...)
	q, s := sharing(t, &second, args...)
	if len(r.Names) != len(want) || r.Digest() != s.Digest() {
		t.Fatalf("targets %q and %q, want %d", r.Names, s.Names, len(want))
	}
	last := searched(t, q, 2)
	answers := append(searched(t, p, 0, 1), last...)
	if err := p.Send(targets.Do{Tell: &targets.Tell{Answers: answers}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); exitCode(err) != code {
		t.Errorf("it ends with %v, want %d", err, code)
	}
	for i, got := range answersIn(t, first.Bytes()) {
		if got != want[i] {
			t.Errorf("shared:\n%s\nin one process:\n%s", got, want[i])
		}
	}
	none := &targets.Tell{Answers: make([]json.RawMessage, 3), Why: "interrupted"}
	if err := q.Send(targets.Do{Tell: none}); err != nil {
		t.Fatal(err)
	}
	if err := q.Wait(); exitCode(err) != exitNotCovered || strings.Count(second.String(), `"why": "interrupted"`) != 3 {
		t.Errorf("%v: %s", err, &second)
	}
}

// One line is no work for many.
func TestLineNotShared(t *testing.T) {
	cmd := exec.Command(os.Args[0], "target", "bank/server.go:17")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	p, err := child.Start(cmd, targets.Variable)
	if err != nil {
		t.Fatal(err)
	}
	var r targets.Ready
	if err := p.Receive(&r); err == nil {
		t.Errorf("it has targets: %q", r.Names)
	}
	if err := p.Wait(); exitCode(err) != cli.ExitError || !strings.Contains(out.String(), "one line is no work for many") {
		t.Errorf("%v: %s", err, &out)
	}
}
