package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	Elapsed     float64 // seconds
	ImportPath  string  // of what is built
	FailedBuild string  // of a failing package: what did not build
}

// goTest runs `go test -json` and shows of its output what `go test` would show, progress lines of Check at once.
type goTest struct {
	command string // the go command; "": the one in PATH
	dir     string
	args    []string
	env     []string
	show    io.Writer   // tests' output
	err     io.Writer   // diagnostics of the go command
	verbose bool        // show the output of passing tests too
	each    func(event) // is told all; nil: nobody
	status  *status     // is told how far Checks are; nil: that is shown as it is
	plain   bool        // leave out the lines that only say which test runs, and the package's result

	buffers map[string][]string // output of tests that are still running, by package and test
	order   []string            // keys of buffers, oldest first

	packages    int  // that started
	noTests     bool // "no tests to run"
	failed      bool // a test failed
	failedBuild bool // a package did not build
	misused     bool // a test binary was given flags that it does not understand
}

// run gives the exit code. An error means that the go command itself could not be run.
func (g *goTest) run() (int, error) {
	cmd := exec.Command(cmp.Or(g.command, "go"), append([]string{"test", "-json"}, g.args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = g.dir, g.env, g.err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return ExitError, err
	}
	if err := cmd.Start(); err != nil {
		return ExitError, fmt.Errorf("cannot run the go command: %w; is Go installed and in PATH?", err)
	}
	readErr := g.read(out)
	waitErr := cmd.Wait()
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return ExitError, waitErr
	}
	if readErr != nil {
		return ExitError, readErr
	}
	return g.code(waitErr != nil), nil
}

// compile builds the test binary of the package in dir, and does not run it.
func (g *goTest) compile(flags []string) error {
	args := append([]string{"test", "-c"}, g.args...)
	cmd := exec.Command(cmp.Or(g.command, "go"), append(append(args, flags...), ".")...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = g.dir, g.env, g.err, g.err
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errCompile
	} else if err != nil {
		return fmt.Errorf("cannot run the go command: %w; is Go installed and in PATH?", err)
	}
	return nil
}

// code tells a test that failed from tests that could not run. The go command gives 1 for both.
func (g *goTest) code(goFailed bool) int {
	switch {
	case g.failedBuild || g.misused:
		return ExitError
	case g.failed:
		return ExitFound
	case goFailed:
		return ExitError
	}
	return ExitOK
}

func (g *goTest) read(out io.Reader) error {
	g.buffers = map[string][]string{}
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				g.take(e)
			} else {
				// Not from test2json: something wrote to the go command's own output.
				g.show.Write(line)
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (g *goTest) take(e event) {
	if g.each != nil {
		g.each(e)
	}
	if g.status != nil {
		g.status.event(e)
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "start":
		g.packages++
	case "build-output":
		io.WriteString(g.err, e.Output)
	case "output":
		g.output(key, e)
	case "pass", "skip":
		delete(g.buffers, key)
	case "fail":
		if e.FailedBuild != "" {
			g.failedBuild = true
			delete(g.buffers, key)
			return
		}
		g.failed = true
		if e.Test == "" {
			// What ran when the package's process ended never got a result of its own.
			g.flushAll(e.Package)
		}
		g.flush(key)
	}
}

// output shows a line now, keeps it until its test has failed, or drops it.
func (g *goTest) output(key string, e event) {
	text := strings.TrimSpace(e.Output)
	if strings.Contains(text, "no tests to run") {
		g.noTests = true
	}
	if e.Test == "" && (strings.HasPrefix(text, "testing: invalid regexp") ||
		strings.HasPrefix(text, "flag provided but not defined: -")) {
		g.misused = true
	}
	framing := strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") && e.Test != ""
	switch {
	case g.plain && (framing || e.Test == "" && (packageResult(e.Output) || text == "PASS" || text == "FAIL")):
	case g.status != nil && progress(text):
		g.status.tell(e.Package, e.Test, text)
	case g.verbose, progress(text), e.Test == "" && packageResult(e.Output):
		io.WriteString(g.show, e.Output)
	case strings.HasPrefix(e.Output, "=== "), e.Test == "" && (text == "PASS" || text == "FAIL"):
	default:
		if _, ok := g.buffers[key]; !ok {
			g.order = append(g.order, key)
		}
		g.buffers[key] = append(g.buffers[key], e.Output)
	}
}

// progress reports whether Check wrote the line to say how far it is.
func progress(text string) bool { return strings.HasPrefix(text, "rehearse: elapsed:") }

// packageResult reports whether the line is the one that `go test` prints for each package.
func packageResult(line string) bool {
	for _, p := range []string{"ok  \t", "FAIL\t", "?   \t", "---\t"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

func (g *goTest) flush(key string) {
	for _, s := range g.buffers[key] {
		io.WriteString(g.show, s)
	}
	delete(g.buffers, key)
}

func (g *goTest) flushAll(pkg string) {
	for _, key := range g.order {
		if strings.HasPrefix(key, pkg+" ") && key != pkg+" " {
			g.flush(key)
		}
	}
}
