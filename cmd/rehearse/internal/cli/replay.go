package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/trace"
)

var replayCommand = Command{
	Name: "replay", Args: "[flags] FILE",
	Short: "replay a saved schedule and print it as a diagram, step by step",
	Long: `Replay runs the one test that the schedule in FILE belongs to, makes it follow the schedule, and prints what happens.
FILE names its package, so it may be given from anywhere in the module (or workspace) that holds the package; a file
below a package's testdata/rehearse also works from elsewhere. What follows -- goes to go test as it is.
`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		r := &replayRun{}
		fs.BoolVar(&r.states, "v", false, "print the states of the actors too")
		fs.BoolVar(&r.plain, "no-overlay", false, noOverlayDoc)
		fs.BoolVar(&r.overlay, "overlay", false,
			"build the test with numbers for what Go itself chooses: the default for schedules that have them")
		fs.BoolVar(&r.json, "json", false,
			"write the JSON record of the replay to standard output, everything else to standard error")
		return r.run
	},
}

// replayRun is one `rehearse replay`.
type replayRun struct{ states, json, overlay, plain bool }

func (r *replayRun) run(s Streams, a Arguments) int {
	if len(a.Operands) != 1 {
		return Usage(s, "replay",
			fmt.Errorf("got %d files: want one schedule file, such as testdata/rehearse/TestX/0123abcd.schedule",
				len(a.Operands)))
	}
	code, err := r.do(s, a)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse replay:", err)
		return ExitError
	}
	return code
}

func (r *replayRun) do(s Streams, a Arguments) (int, error) {
	if err := settings.Unknown(os.Environ()); err != nil {
		return ExitError, err
	}
	file, err := filepath.Abs(a.Operands[0])
	if err != nil {
		return ExitError, err
	}
	h, err := readHeader(file)
	if err != nil {
		return ExitError, err
	}
	dir, err := packageDir(h.Package, file)
	if err != nil {
		return ExitError, err
	}
	report, remove, err := reportFile()
	if err != nil {
		return ExitError, err
	}
	defer remove()
	args := append([]string{"-count=1", "-run=" + runPattern(h.Test)}, a.Rest...)
	g := &goTest{dir: dir, args: args, show: s.Out, err: s.Err, verbose: true, plain: true}
	g.env = append(os.Environ(), command.Variable("replay")+"="+file, command.Variable("report")+"="+report)
	if r.states {
		g.env = append(g.env, command.Variable("states")+"=1")
	}
	if r.json {
		g.show = s.Err
	}
	if !r.plain && (r.overlay || h.Layer == layerNumbers) {
		g.numberDraws()
	}
	code, err := g.run()
	if err != nil || code == ExitError {
		return ExitError, err
	}
	return r.finish(s, code, report, h, g)
}

// finish makes sure that the schedule's own Check ran, and writes the record if that was asked for.
func (r *replayRun) finish(s Streams, code int, report string, h trace.Header, g *goTest) (int, error) {
	rs, err := readRecords(report)
	if err != nil {
		return ExitError, err
	}
	switch {
	case g.noTests:
		return ExitError, fmt.Errorf("%s has no test %s any more: if it was renamed, move the schedule and change test in "+
			"its first line; if it is gone, delete the schedule", h.Package, h.Test)
	case len(rs) == 0 && code == ExitOK:
		return ExitError, fmt.Errorf("%s ran no Check number %d: the test has changed since the schedule was saved; delete "+
			"the schedule if its Check is gone", h.Test, h.Ordinal+1)
	}
	if r.json {
		if err := writeJSON(s.Out, rs); err != nil {
			return ExitError, err
		}
	}
	return max(code, verdict(rs)), nil
}

// layerNumbers is trace.Header.Layer of schedules that take an overlay.
const layerNumbers = 2

// readHeader reads the schedule to see that it is whole, and gives its header.
func readHeader(file string) (trace.Header, error) {
	f, err := files.Open(file, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return trace.Header{}, fmt.Errorf("no file %s: failing tests print the name of the schedule that they saved", file)
	} else if err != nil {
		return trace.Header{}, err
	}
	defer f.Close()
	sched, err := trace.DecodeSchedule(f, file)
	if err != nil {
		return trace.Header{}, err
	}
	if sched.Header.Package == "" || sched.Header.Test == "" {
		return trace.Header{}, fmt.Errorf("%s: its first line names no package and test, so there is nothing to replay it "+
			"with", file)
	}
	if sched.Draws() {
		sched.Header.Layer = layerNumbers // of files that are older than the field
	}
	return sched.Header, nil
}

// packageDir finds the directory of a package, from here or from where the schedule lies:
// <package>/testdata/rehearse/<Test>/<hash>.schedule.
func packageDir(pkg, file string) (string, error) {
	here, hereErr := goList(".", pkg)
	if hereErr == nil {
		return here, nil
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "testdata" {
			if there, err := goList(filepath.Dir(dir), pkg); err == nil {
				return there, nil
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", fmt.Errorf("its package %s is not found from here: run this inside the module that holds it\n%w", pkg,
		hereErr)
}

func goList(from, pkg string) (string, error) {
	cmd := exec.Command("go", "list", "-find", "-f", "{{.Dir}}", pkg)
	cmd.Dir = from
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %s", strings.TrimSpace(stderr.String()+" "+err.Error()))
	}
	return strings.TrimSpace(string(out)), nil
}

// runPattern is the -run pattern that selects exactly this test, with its subtests.
func runPattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
