package reachtest

import (
	"bytes"
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

	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/static/load"
	symbolic "github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs drivers for real, up to what they make: tests as they are, and other functions by a copy.

// Ran is what came of running a driver.
type Ran struct {
	States []*startstate.State // of each time that the place of the driver was reached, in their order
	Why    string              // there is none
	// at other places of the same test, at which function values make systems: with their states
	Others []*system.Driver
}

// States runs drivers for real, those of one package together, and gives what there is when they have returned, or
// wait. No file is written beside those of their packages.
func States(ctx context.Context, r Run, p *load.Program, x *symbolic.Program, s *system.Program,
	drivers []*system.Driver) (map[*system.Driver]*Ran, error) {
	all := map[*system.Driver]*Ran{}
	runs := map[string]*stateRun{}
	for i, d := range drivers {
		all[d] = &Ran{}
		t, err := asItIs(p, x, d, i)
		var no *Unwritable
		if errors.As(err, &no) {
			all[d].Why = no.Why
			continue
		} else if err != nil {
			return nil, err
		}
		dir := filepath.Dir(p.Fset.Position(d.Entry.Pos()).Filename)
		if runs[dir] == nil {
			runs[dir] = &stateRun{dir: dir, tests: map[*system.Driver]string{}, copies: map[*system.Driver]*Test{}}
		}
		if err := runs[dir].add(r.Scratch, d, t); err != nil {
			return nil, err
		}
	}
	for i, dir := range slices.Sorted(maps.Keys(runs)) {
		if err := runs[dir].run(ctx, r.share(len(runs)-i), s, all); err != nil {
			return nil, err
		}
	}
	return all, again(ctx, r, p, x, s, all)
}

// share is a run that takes its part of the time that is left, which so many share.
func (r Run) share(left int) Run {
	if r.Until.IsZero() {
		return r
	}
	part := max(time.Until(r.Until)/time.Duration(left), 0)
	r.Until = time.Now().Add(part)
	if part = max(part, time.Millisecond); r.Timeout == 0 || part < r.Timeout {
		r.Timeout = part
	}
	return r
}

// again runs copies once more that wait for somebody outside, without that wait.
func again(ctx context.Context, r Run, p *load.Program, x *symbolic.Program, s *system.Program,
	all map[*system.Driver]*Ran) error {
	var list []*system.Driver
	for d, ran := range all {
		if !d.Plain || len(ran.States) == 0 || ran.States[0].Err == "" {
			continue
		}
		if name := waitsIn(ran.States[0].Err); name != "" && !slices.Contains(d.Waits, name) {
			d.Waits = append(d.Waits, name)
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return nil
	}
	more, err := States(ctx, r, p, x, s, list)
	maps.Copy(all, more)
	return err
}

// waitsIn gives the function that a copy has called and that has not returned, by the stack in an error; "" if none is
// named there.
func waitsIn(stack string) string {
	called, function := "", "" // the one that function has called
	for line := range strings.Lines(stack) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "\t") {
			if strings.Contains(line, Suffix+":") {
				return called
			}
		} else if i := strings.LastIndexByte(line, '('); i > 0 {
			called, function = function, line[:i]
		}
	}
	return ""
}

// asItIs gives a test that has a driver run, nil if the driver is a test that does so itself.
func asItIs(p *load.Program, x *symbolic.Program, d *system.Driver, n int) (*Test, error) {
	params := d.Entry.Signature.Params()
	isTest := params.Len() == 1 && strings.HasPrefix(d.Entry.Name(), "Test") &&
		params.At(0).Type().String() == "*testing.T"
	if !d.Plain {
		if !isTest {
			return nil, unwritable("%s, which makes the system, is no test", d.Entry.Name())
		}
		return nil, nil
	}
	way := &system.Way{Start: &system.Start{Driver: d}, Plan: system.Plan{Model: trace.Mailbox}, Own: true}
	return New(p, x, Wanted{Way: way, Name: fmt.Sprintf("start%d", n)})
}

// stateRun is one run of tests of a package.
type stateRun struct {
	dir     string
	tests   map[*system.Driver]string // the names of their tests
	copies  map[*system.Driver]*Test  // of drivers that are copied
	replace map[string]string
}

// add adds a driver.
func (s *stateRun) add(scratch string, d *system.Driver, t *Test) error {
	if t == nil {
		s.tests[d] = d.Entry.Name()
		return nil
	}
	s.tests[d], s.copies[d] = t.Func, t
	content, err := t.source(t.literals(), "")
	if err != nil {
		return err
	}
	at := filepath.Join(scratch, t.File)
	if s.replace == nil {
		s.replace = map[string]string{}
	}
	s.replace[filepath.Join(t.Dir, t.File)] = at
	return os.WriteFile(at, content, 0o666)
}

// literals has the function literals of a copy say where they stand in the driver, since functions in memory are found
// in the source by their places. Between them the lines are the copy's own, by which stacks tell them apart.
func (t *Test) literals() (edits []edit) {
	for _, decl := range t.w.d.copied {
		ast.Inspect(decl, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			if ok {
				at := t.w.d.program.Fset.Position(lit.Pos())
				edits = append(edits, edit{lit.Pos(), lit.Pos(), fmt.Sprintf("/*line %s:%d:1*/", at.Filename, at.Line)},
					edit{lit.End(), lit.End(), fmt.Sprintf("/*line %s:1:1*/", t.File)})
			}
			return !ok // what is inside of a literal follows its lines
		})
	}
	return edits
}

// original gives actors that are function literals of a copy the type that they have in the driver: that of the
// function around them.
func (t *Test) original(s *startstate.State) {
	if t == nil || s == nil {
		return
	}
	for i := range s.Actors {
		if a := &s.Actors[i]; strings.HasSuffix(a.Type, "."+t.w.d.name) {
			a.Type = strings.TrimSuffix(a.Type, t.w.d.name) + t.w.d.entry.Name.Name
		}
	}
	t.original(s.Begun)
}

// run runs the tests, and finds what they tell of each driver.
func (s *stateRun) run(ctx context.Context, r Run, p *system.Program, all map[*system.Driver]*Ran) error {
	var list []*startstate.State
	said, over := "the time for it was over", !r.Until.IsZero() && !time.Now().Before(r.Until)
	if !over {
		var err error
		if list, said, err = s.states(ctx, r); err != nil {
			return err
		}
	}
	others := map[*startstate.State]bool{}
	for d, test := range s.tests {
		for _, state := range list {
			top, _, _ := strings.Cut(state.Test, "/")
			if (top == test || top == "") && (d.Plain || p.Made(d, state)) { // an Explore does not know its test
				s.copies[d].original(state)
				all[d].States = append(all[d].States, state)
			} else if other := p.Elsewhere(d, state); other != nil && !d.Plain && !others[state] {
				others[state] = true
				other.Nth = len(all[d].Others)
				all[d].Others = append(all[d].Others, other)
			}
		}
		if len(all[d].States)+len(all[d].Others) == 0 {
			all[d].Why = "it does not come to a Check of that system: " + lines(said, 4)
		}
	}
	return nil
}

// states runs go test.
func (s *stateRun) states(ctx context.Context, r Run) ([]*startstate.State, string, error) {
	overlay, report := filepath.Join(r.Scratch, "startoverlay.json"), filepath.Join(r.Scratch, "starts.jsonl")
	data, err := json.Marshal(map[string]any{"Replace": s.replace})
	if err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(overlay, data, 0o666); err != nil {
		return nil, "", err
	}
	os.Remove(report) // of the run before
	timeout := r.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	names := slices.Compact(slices.Sorted(maps.Values(s.tests)))
	args := append([]string{"test", "-overlay=" + overlay, "-count=1", "-run=^(" + strings.Join(names, "|") + ")$",
		"-timeout=" + timeout.String(), "-ldflags=-s", "-vet=off"}, r.Flags...)
	if !r.Until.IsZero() { // compiling counts, too
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, r.Until)
		defer stop()
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.WaitDelay = time.Second // the test that it has started ends by its own -timeout
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "REHEARSE_SAVE=off", startstate.Variable+"="+report)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil: // what was written until then counts
		out = []byte("the time for it was over")
	case err != nil && !errors.As(err, &exit):
		return nil, "", fmt.Errorf("go test: %w", err)
	}
	data, err = os.ReadFile(report)
	if errors.Is(err, os.ErrNotExist) {
		return nil, string(out), nil
	} else if err != nil {
		return nil, "", err
	}
	if ctx.Err() != nil {
		data = data[:bytes.LastIndexByte(data, '\n')+1] // the last line may not be whole
	}
	list, err := startstate.Read(data)
	return list, string(out), err
}
