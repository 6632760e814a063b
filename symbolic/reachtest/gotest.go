package reachtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// This file runs the go command on tests, and reads what they tell.

// part gives what go test -v prints of one test.
func part(said, test string) string {
	_, said, _ = strings.Cut(said, "=== RUN   "+test+"\n")
	said, _, _ = strings.Cut(said, "=== RUN   ")
	said, _, _ = strings.Cut(said, "\n--- FAIL: ")
	return said
}

// lines gives the first lines of a text.
func lines(s string, n int) string {
	list := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(strings.Join(list[:min(n, len(list))], "\n"))
}

// instrumented is the file with what counts: each execution begins afresh, and none goes back in the middle of another
// one, as native actors can.
func (t *Test) instrumented(c *gentest.Counters) ([]byte, error) {
	w := t.w
	test := cmp.Or(w.test, w.parameter(0))
	edits := []edit{}
	if test == "" {
		saved := w.edits
		test = w.free("t")
		w.nameParameter(0, test)
		edits = slices.Clone(w.edits[len(saved):])
		w.edits = saved
	}
	var copied []ast.Node
	for _, s := range w.locals {
		copied = append(copied, s)
	}
	for _, f := range w.fields {
		if f.value != nil {
			copied = append(copied, f.value)
		}
	}
	counts, err := w.d.counts(c, copied)
	if err != nil {
		return nil, err
	}
	edits = append(edits, counts...)
	at := w.d.body.Lbrace + 1
	if t.Wanted.Pin && len(w.pins) == 0 {
		w.record = true
		defer func() { w.record = false }()
	}
	edits = append(edits, edit{at, at, fmt.Sprintf("\n%s()\n%s.Cleanup(func() {})\n", gentest.VisitsAfresh, test)})
	return t.source(edits, fmt.Sprintf("%s(%s)\n", gentest.VisitsOf, w.testing()))
}

// goTest runs go test on versions of tests of one package, with further files and variables of the environment. It
// gives what Check records, by test functions, and what is printed.
func goTest(ctx context.Context, r Run, jobs []Job, version func(*Test) ([]byte, error), files map[string]string,
	env ...string) (records map[string]*record.Record, said string, err error) {
	first := jobs[0].Test
	replace := map[string]string{}
	maps.Copy(replace, files)
	var names []string
	for _, j := range jobs {
		t := j.Test
		content, err := version(t)
		if err != nil {
			return nil, "", err
		}
		at := filepath.Join(r.Scratch, t.File)
		if err := os.WriteFile(at, content, 0o666); err != nil {
			return nil, "", err
		}
		replace[filepath.Join(t.Dir, t.File)] = at
		names = append(names, t.Func)
	}
	overlay, report, journals := filepath.Join(r.Scratch, "overlay.json"), filepath.Join(r.Scratch,
		"report.jsonl"), filepath.Join(r.Scratch, "journals")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, "", err
	}
	os.Remove(report)      // of the run before
	os.RemoveAll(journals) // a test that died before is no finding of this run
	if err := os.WriteFile(overlay, data, 0o666); err != nil {
		return nil, "", err
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	args := append([]string{"test", "-overlay=" + overlay, "-count=1", "-v", "-run=^(" + strings.Join(names, "|") + ")$",
		"-timeout=" + (timeout + time.Second*time.Duration(len(jobs)-1)).String(), "-ldflags=-s", "-vet=off"}, r.Flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir, cmd.Env = first.Dir, append(append(os.Environ(), "REHEARSE_SAVE=off", "REHEARSE_REPORT="+report,
		saved.JournalVariable+"="+journals), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, "", fmt.Errorf("go test: %w", err)
	}
	records, err = readRecords(report)
	return records, string(out), err
}

// readRecords reads what the last Check of each test records. There is no file if none came to a Check.
func readRecords(path string) (map[string]*record.Record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	list := map[string]*record.Record{}
	for line := range bytes.Lines(data) {
		rec := &record.Record{}
		if err := json.Unmarshal(line, rec); err != nil {
			return nil, err
		}
		list[rec.Test] = rec
	}
	return list, nil
}
