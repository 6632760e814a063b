package reachtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// Goal is what the test has to execute.
type Goal struct {
	Blocks []*ssa.BasicBlock // one of them
	Kind   string            // of a violation that has to be found, "" if none has to be
}

// Run says how a test is run.
type Run struct {
	Scratch string        // a folder for what is overlaid
	Timeout time.Duration // of each run of the test: a minute
	Flags   []string      // further flags of go test
}

// Outcome is what the real program says to a test.
type Outcome struct {
	Covered bool
	Why     string          // it is not covered
	Finding *record.Finding // what goes wrong in the execution, nil if nothing does
	Guided  string          // how far the order was followed
	Diagram string          // of the execution
	Content []byte          // the file of the test
}

// Confirm executes a test in an overlay: no file is written beside those of the package. It is executed twice if something goes wrong, the second time with the
// Expectation of it. The places that count are those of the last execution, which repeats the one that followed the order.
func (t *Test) Confirm(ctx context.Context, r Run, g Goal) (*Outcome, error) {
	files := map[string]bool{}
	for _, b := range g.Blocks {
		files[t.w.d.program.Fset.PositionFor(b.Parent().Pos(), false).Filename] = true
	}
	c, err := gentest.Count(ctx, t.w.d.program, r.Scratch, t.Dir, t.Package, files)
	if err != nil {
		return nil, err
	}
	o, err := t.attempt(ctx, r, g, c)
	if err != nil || o.Finding == nil || !o.Covered {
		return o, err
	}
	t.Expect = expected(o.Finding)
	again, err := t.attempt(ctx, r, g, c)
	if err == nil && again.Covered && (again.Finding == nil || !again.Finding.Expected) {
		again.Covered, again.Why = false, "executed again, it does something else"
	}
	return again, err
}

// expected is the Expectation of a finding. Its text is left out where it is long or has several lines: what is printed may be another one each time.
func expected(f *record.Finding) *Expected {
	x := &Expected{Kind: f.Kind}
	if !strings.Contains(f.Text, "\n") && len(f.Text) <= longestText {
		x.Text = f.Text
	}
	return x
}

// longestText bounds texts of violations that tests have.
const longestText = 160

// attempt runs the test once.
func (t *Test) attempt(ctx context.Context, r Run, g Goal, c *gentest.Counters) (*Outcome, error) {
	content, err := t.Source()
	if err != nil {
		return nil, err
	}
	o := &Outcome{Content: content}
	rec, said, err := t.goTest(ctx, r, c)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return o.not("the test did not run: %s", lines(said, 6)), nil
	}
	o.Guided, o.Diagram = rec.Guided, rec.Order
	if len(rec.Findings) > 0 {
		o.Finding = &rec.Findings[0]
		o.Diagram = o.Finding.Diagram
	}
	if !strings.HasPrefix(rec.Guided, "guide followed") {
		why := rec.Guided
		if i := strings.Index(said, "Config.Guide: "); i >= 0 {
			why = lines(said[i+len("Config.Guide: "):], 3)
		}
		return o.not("the program does not go the way that was found: %s", why), nil
	}
	return o, o.reached(t, g, c)
}

// reached decides whether an execution that followed the order has reached the target.
func (o *Outcome) reached(t *Test, g Goal, c *gentest.Counters) error {
	if g.Kind != "" && (o.Finding == nil || o.Finding.Kind != g.Kind) {
		o.not("the order is followed, and there is no %s", g.Kind)
		return nil
	}
	o.Covered = len(g.Blocks) == 0
	for _, b := range g.Blocks {
		been, err := c.Executed(t.Func, b)
		if err != nil {
			return err
		}
		o.Covered = o.Covered || been
	}
	if !o.Covered {
		o.not("the order is followed, and the target is not executed")
	}
	return nil
}

func (o *Outcome) not(format string, args ...any) *Outcome {
	o.Covered, o.Why = false, fmt.Sprintf(format, args...)
	return o
}

// lines gives the first lines of a text.
func lines(s string, n int) string {
	list := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(strings.Join(list[:min(n, len(list))], "\n"))
}

// instrumented is the file with what counts: each execution begins afresh, and none goes back in the middle of another one, as native actors can.
func (t *Test) instrumented() ([]byte, error) {
	w := t.w
	test := w.parameter(0)
	edits := []edit{}
	if test == "" {
		saved := w.edits
		test = w.free("t")
		w.nameParameter(0, test)
		edits = slices.Clone(w.edits[len(saved):])
		w.edits = saved
	}
	at := w.d.body.Lbrace + 1
	edits = append(edits, edit{at, at, fmt.Sprintf("\n%s()\n%s.Cleanup(func() {})\n", gentest.VisitsAfresh, test)})
	return t.source(edits, fmt.Sprintf("%s(%s)\n", gentest.VisitsOf, w.testing()))
}

// goTest runs go test. It gives what Check records, nil if the test did not come to it, and what is printed.
func (t *Test) goTest(ctx context.Context, r Run, c *gentest.Counters) (rec *record.Record, said string, err error) {
	content, err := t.instrumented()
	if err != nil {
		return nil, "", err
	}
	counted, variable := c.Overlay()
	replace := map[string]string{filepath.Join(t.Dir, t.File): filepath.Join(r.Scratch, t.File)}
	for from, to := range counted {
		replace[from] = to
	}
	overlay, report := filepath.Join(r.Scratch, "overlay.json"), filepath.Join(r.Scratch, "report.jsonl")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, "", err
	}
	os.Remove(report) // of the run before
	os.Remove(strings.SplitN(variable, "=", 2)[1])
	err = errors.Join(os.WriteFile(filepath.Join(r.Scratch, t.File), content, 0o666), os.WriteFile(overlay, data, 0o666))
	if err != nil {
		return nil, "", err
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	args := append([]string{"test", "-overlay=" + overlay, "-count=1", "-v", "-run=^" + t.Func + "$", "-timeout=" + timeout.String(), "-ldflags=-w", "-vet=off"}, r.Flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir, cmd.Env = t.Dir, append(os.Environ(), variable, "REHEARSE_SAVE=off", "REHEARSE_REPORT="+report)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, "", fmt.Errorf("go test: %w", err)
	}
	rec, err = lastRecord(report)
	return rec, string(out), err
}

// lastRecord reads what the last Check of a run records, nil if there was none.
func lastRecord(path string) (*record.Record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	list := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	rec := &record.Record{}
	return rec, json.Unmarshal(list[len(list)-1], rec)
}
