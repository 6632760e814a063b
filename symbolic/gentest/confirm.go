package gentest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// Run says how tests are run.
type Run struct {
	Scratch string        // a folder for what is overlaid
	Timeout time.Duration // of all tests of a package: a minute
	Flags   []string      // further flags of go test
	Overlay map[string]string
}

// rounds bounds how often tests that do not compile, or that end the process, are left out.
const rounds = 20

// Confirm runs the tests of a package in an overlay, so that nothing is written beside its files, and notes what the
// real program says to each.
func (p *Package) Confirm(ctx context.Context, r Run) error {
	defer p.judge()
	v := &visits{why: "the sources are laid over already"}
	if len(r.Overlay) == 0 {
		v = p.watch(ctx, r.Scratch)
	}
	for range rounds {
		files, err := p.Files(func(t *Test) bool { return t.State != Differs })
		if err != nil || len(files) == 0 {
			return err
		}
		again, err := p.attempt(ctx, r, v, files)
		if err != nil || !again {
			return err
		}
	}
	return fmt.Errorf("%s: tests still end the process after %d of them were left out", p.Path, rounds)
}

// judge notes at each case what the program says to its tests.
func (p *Package) judge() {
	for _, t := range p.Tests {
		switch {
		case t.State == Confirmed: // one input is enough to show it
			t.Case.Confirmed, t.Case.Note = cases.Confirmed, ""
		case t.Unconfirmed() && t.Case.Confirmed != cases.Confirmed:
			t.Case.Confirmed, t.Case.Note = cases.Contradicted, firstLines(t.Output, 1)
		}
	}
	for _, t := range p.Tests {
		if t.Way && t.State != Confirmed {
			p.demote(t)
		}
	}
	for _, s := range p.Suites {
		s.Executed()
	}
}

// demote has a failure be one of a state that is only assumed, if the real program did not go the way there.
func (p *Package) demote(way *Test) {
	c := way.Case
	why := way.Why
	if why == "" {
		why = firstLines(way.Output, 1)
	}
	c.Reached, c.StateAssumed = nil, "the way there that was found was not confirmed: "+why
	for _, t := range p.Tests {
		if t.Case == c && !t.Way && t.Why == "" && ofRuntime(c) && !p.assumed {
			t.State, t.Why = NotRun, onlyAssumed
		}
	}
}

// attempt runs the tests once. It reports whether some had to be left out, so that the others are to be run again.
func (p *Package) attempt(ctx context.Context, r Run, v *visits, files []*File) (again bool, err error) {
	out, failed, err := p.goTest(ctx, r, v, files)
	if err != nil {
		return false, err
	}
	tests := map[string]*Test{}
	for _, t := range p.Tests {
		if t.Why == "" && t.State != Differs {
			tests[t.Func+"/"+rewritten(t.Name)] = t
		}
	}
	l := &listener{tests: tests, text: map[*Test]*strings.Builder{}}
	l.listen(out)
	if l.built != "" {
		err := p.broken(files, l.built)
		if err != nil && v.why == "" { // not by the tests: do without
			v.why, err = err.Error(), nil
		}
		return true, err
	}
	left := 0
	for _, t := range tests {
		if t.State == NotRun {
			left++
		}
	}
	switch {
	case left == 0:
		return false, p.visited(v, tests)
	case l.running != nil:
		l.running.State, l.running.Output = Differs, "the test ends the process: "+l.rest.String()
		return true, nil
	case failed:
		return false, fmt.Errorf("the tests of %s could not be run:\n%s", p.Path, l.rest.String())
	}
	return false, fmt.Errorf("%s: %d tests were not run:\n%s", p.Path, left, l.rest.String())
}

// visited has no test confirm its case that went another way.
func (p *Package) visited(v *visits, tests map[string]*Test) error {
	if v.why != "" {
		p.Unseen = v.why
		return nil
	}
	p.Unseen = v.made
	all, err := v.read()
	if err != nil {
		return fmt.Errorf("what the tests of %s execute: %w", p.Path, err)
	}
	for name, t := range tests {
		if t.State != Confirmed {
			continue
		}
		if why := v.missed(p.program.Loaded(), t, all[name]); why != "" {
			t.State, t.Output = Differs, why
		}
	}
	return nil
}

// goTest runs go test with the files laid over the package's folder.
func (p *Package) goTest(ctx context.Context, r Run, v *visits, files []*File) (out []byte, failed bool, err error) {
	replace := map[string]string{}
	for from, to := range r.Overlay {
		replace[from] = to
	}
	old, _ := filepath.Glob(filepath.Join(p.Dir, "*"+Suffix))
	for _, f := range old {
		replace[f] = "" // what was generated before
	}
	for _, f := range files {
		at, content := filepath.Join(r.Scratch, f.Name), f.Content
		if v.why == "" {
			content = telling(content)
		}
		if err := os.WriteFile(at, content, 0o666); err != nil {
			return nil, false, err
		}
		replace[filepath.Join(p.Dir, f.Name)] = at
	}
	if v.why == "" {
		maps.Copy(replace, v.replace)
		os.Remove(v.out) // of the round before
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, false, err
	}
	overlay := filepath.Join(r.Scratch, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o666); err != nil {
		return nil, false, err
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	args := append([]string{"test", "-json", "-overlay=" + overlay, "-count=1",
		"-run=^(" + strings.Join(p.functions(), "|") + ")$",
		"-timeout=" + timeout.String(), "-ldflags=-s", "-vet=off"}, r.Flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), visitsVariable+"="+v.out)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err = cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, false, fmt.Errorf("go test: %w", err)
	}
	if len(bytes.TrimSpace(out)) == 0 && err != nil {
		return nil, false, fmt.Errorf("go test of %s: %s", p.Path, errOut.String())
	}
	return out, err != nil, nil
}

// functions lists the test functions.
func (p *Package) functions() (list []string) {
	for _, t := range p.Tests {
		if t.Why == "" && (len(list) == 0 || list[len(list)-1] != t.Func) {
			list = append(list, t.Func)
		}
	}
	return list
}

// event is a line of go test -json.
type event struct {
	Action, Test, Output, ImportPath string
}

// listener notes what tests have come to.
type listener struct {
	tests   map[string]*Test
	text    map[*Test]*strings.Builder
	running *Test
	built   string // what the compiler says
	rest    strings.Builder
}

func (l *listener) listen(out []byte) {
	for line := range bytes.Lines(out) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			l.rest.Write(line)
			continue
		}
		t := l.tests[e.Test]
		switch {
		case e.Action == "build-output":
			l.built += e.Output
		case t == nil:
			if e.Action == "output" {
				l.rest.WriteString(e.Output)
			}
		case e.Action == "run":
			l.running = t
		case e.Action == "output":
			l.output(t, e.Output)
		case e.Action == "pass" && t.State != Differs:
			t.State, l.running = Confirmed, nil
		case e.Action == "fail":
			if l.text[t] != nil {
				t.Output = strings.TrimSpace(l.text[t].String())
			}
			if !strings.Contains(t.Output, "panic: ") || l.running != t {
				l.running = nil
			}
			if t.State = Differs; strings.Contains(t.Output, refused) && !t.Way {
				t.Why = "the actor does not accept the message in this state"
			} else if blocked.MatchString(t.Output) && !t.Way {
				t.Why = "the handler does not end: it loops for ever, or waits for something that is no actor, such as a mutex or a channel"
			}
		}
	}
}

// refused is what package steptest says where an actor with constraints has to handle a message.
const refused = ": the actor does not accept "

// blocked is what an execution says of a handler that does not go on.
var blocked = regexp.MustCompile(`: the handler could not be executed: .*: no progress for `)

// output keeps what a test says, without the lines of the framework.
func (l *listener) output(t *Test, line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "=== ") || strings.HasPrefix(trimmed, "--- ") {
		return
	}
	if l.text[t] == nil {
		l.text[t] = &strings.Builder{}
	}
	l.text[t].WriteString(line)
}

var compilerLine = regexp.MustCompile(`(?m)^(?:vet: )?\S*?([^/\\\s:]+_test\.go):(\d+)(?::\d+)?: (.*)$`)

// broken leaves out the tests that do not compile.
func (p *Package) broken(files []*File, said string) error {
	found := false
	for _, m := range compilerLine.FindAllStringSubmatch(said, -1) {
		line, _ := strconv.Atoi(m[2])
		for _, f := range files {
			if f.Name != m[1] {
				continue
			}
			if t := f.at(line); t != nil {
				t.State, t.Output, found = Differs, "the test does not compile: "+m[3], true
			}
		}
	}
	if !found {
		return fmt.Errorf("the tests of %s do not compile:\n%s", p.Path, said)
	}
	return nil
}

// rewritten gives the name of a subtest as package testing tells it.
func rewritten(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			s := strconv.QuoteRune(r)
			b.WriteString(s[1 : len(s)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
