package cli

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/internal/strategies"
)

var testCommand = Command{
	Name: "test", Args: "[flags] [packages] [-- flags of go test]",
	Short: "run tests and sum up what their Checks explored",
	Long: `Test runs go test on the packages (default: the one in the current directory) and then prints a table with one row a
Check: how many executions, classes of equivalent executions (- if not counted) and deliveries; what that amounts to;
how much of the budget it used; what it found. A violation that its test expects is shown with its diagram.

  complete  every execution was explored (or one of each class); "complete up to 3 deviations": all within the strategy's own bound
  bounded   an execution was cut at the bound on steps (Config.MaxSteps), or a timer beyond Config.Horizon was left out
  sampled   some executions were run, up to the budget or a finding; others may behave differently
  replayed  only a schedule was replayed
  guide     "followed" or "not followed": how many entries of Config.Guide happened in their order
  error     it could not go on, or not begin: the test says why

Tests are built with a standard library in which Go's own choices have numbers: where a loop over a map begins, which case a select takes, which
goroutine goes on. Then each value is explored (-choices says how far). The library is made from the installed Go; nothing is installed, and other
builds do not see it. The first such build compiles it, which takes as long as go test takes to build all of the standard library. With -no-overlay
tests are built as go test builds them: then these choices repeat, and are sampled. So they are where the library cannot be made, for another version
of Go say, which a line tells. A release is never built like that: the seed of the library's hash tables is a constant, so whoever sends keys could
make them slow, and its mutexes are not fair.

What follows -- goes to go test as it is, as in: rehearse test ./... -- -race -tags=integration

Strategies (options follow a slash, as in source/LCA, reverse/3, stateful/generic/bfs):

` + strategies.Doc(),
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		t := &testRun{}
		t.declare(fs)
		t.outputs.Declare(fs, FormatText, FormatJSON, FormatGitHub, FormatSARIF, FormatJUnit)
		return t.run
	},
}

// testRun is one `rehearse test`.
type testRun struct {
	settings command.Values // flags that become REHEARSE_* variables
	goFlags  command.Values // flags that go to `go test`
	verbose  bool
	json     bool
	outputs  Outputs
	suites   suites // what go test told
	unguard  func() // ends what Guard began
	overlay  bool   // what Go chooses is to have numbers
	orders   bool   // records say which orders were seen
	plain    bool   // -no-overlay: it is to have none, whatever overlay says
}

// passed are the flags of `go test` that need no "--".
var passed = []struct {
	name, doc string
	isBool    bool
}{
	{"run", "run only the tests that match this `regexp` (go test)", false},
	{"short", "tell tests to be short; Check then uses its smaller budget (go test)", true},
	{"timeout", "give a test binary up after this `duration` (go test)", false},
	{"count", "run each test `n` times (go test)", false},
}

func (t *testRun) declare(fs *flag.FlagSet) {
	command.DeclareSettings(fs, &t.settings)
	for _, p := range passed {
		t.goFlags.Add(fs, p.name, p.doc, p.isBool, nil)
	}
	fs.BoolVar(&t.verbose, "v", false, "show the output of passing tests too (go test)")
	fs.BoolVar(&t.plain, "no-overlay", false, noOverlayDoc)
	fs.BoolVar(&t.overlay, "overlay", true, overlayDoc)
	fs.BoolVar(&t.json, "json", false,
		"write one JSON record a Check to standard output, everything else to standard error: -format json")
}

func (t *testRun) run(s Streams, a Arguments) int {
	code, _, err := t.do(s, a)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse test:", err)
		return ExitError
	}
	return code
}

// do runs the tests and sums up the records of their Checks, which it gives with the exit code.
func (t *testRun) do(s Streams, a Arguments) (int, []record.Record, error) {
	if err := t.check(); err != nil {
		return ExitError, nil, err
	}
	out := Coloured(s.Out)
	if c, ok := out.(io.Closer); ok && out != s.Out {
		defer c.Close()
	}
	s.Out = out
	report, remove, err := reportFile()
	if err != nil {
		return ExitError, nil, err
	}
	defer remove()
	if t.outputs.Standard() == FormatGitHub {
		s.Err = s.Out // one stream, so that all of it is between the guards
		end := sync.OnceFunc(Guard(s.Out))
		defer end()
		t.unguard = end
	}
	g, err := t.command(s, a, report)
	if err != nil {
		return ExitError, nil, err
	}
	code, err := t.watched(s, g)
	if err != nil {
		return ExitError, nil, err
	}
	if g.packages == 0 && code == ExitOK {
		return ExitError, nil, fmt.Errorf("no package matches %q: name packages that exist, such as ./...", a.Operands)
	}
	rs, err := t.conclude(s.Out, report, code)
	if err != nil {
		return ExitError, nil, err
	}
	return max(code, verdict(rs)), rs, nil
}

// watched runs go test and shows how far it is meanwhile, unless -progress is off.
func (t *testRun) watched(s Streams, g *goTest) (int, error) {
	every, err := t.progress()
	if err != nil {
		return ExitError, err
	}
	if every < 0 {
		return g.run()
	}
	g.status = newStatus(s.Err, every, time.Now)
	g.show, g.err = g.status.beside(g.show), g.status.beside(g.err)
	defer g.status.run()()
	return g.run()
}

// progress is what -progress says, or its variable: how often to show how far it is, negative for never, 0 for as it
// suits.
func (t *testRun) progress() (time.Duration, error) {
	name := command.Variable("progress")
	v, err := settings.Read(func(n string) string {
		if n != name {
			return ""
		}
		return cmp.Or(t.settings.Value["progress"], os.Getenv(name))
	})
	return v.Progress, err
}

// check refuses, before anything runs, what could only be refused after it.
func (t *testRun) check() error {
	if err := settings.Unknown(os.Environ()); err != nil {
		return err
	}
	if t.json {
		if err := t.outputs.Add(FormatJSON); err != nil {
			return fmt.Errorf("-json: %w", err)
		}
	}
	if err := t.outputs.Check(); err != nil {
		return err
	}
	for _, flag := range []string{"coverprofile", "report"} {
		if path := t.settings.Value[flag]; path != "" {
			if err := files.InFolder(path); err != nil {
				return fmt.Errorf("-%s %w", flag, err)
			}
		}
	}
	return nil
}

// command is the go test of this run: its Checks write their records to the file report. Facts that it needs are made
// first.
func (t *testRun) command(s Streams, a Arguments, report string) (*goTest, error) {
	g := &goTest{args: t.goArgs(a), env: append(os.Environ(), command.Environment(&t.settings)...), show: s.Out,
		err: s.Err, verbose: t.verbose}
	if !t.tells() {
		g.show = s.Err
	}
	g.each = t.suites.take
	if t.settings.Value["progress"] == "" && os.Getenv(command.Variable("progress")) == "" {
		g.env = append(g.env, command.Variable("progress")+"="+statusEvery.String())
	}
	g.env = append(g.env, command.Variable("report")+"="+report)
	if t.orders {
		g.env = append(g.env, record.OrdersVariable+"=1")
	}
	if file := t.settings.Value["coverprofile"]; file != "" {
		// Of the command: it starts where the command does, not in the folder of each package.
		file, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		g.env = append(g.env, command.Variable("coverprofile")+"="+file)
	}
	if how := t.settings.Value["facts"]; how != "off" {
		if err := renewFacts(s.Err, a.Operands, how == makeFacts); err != nil {
			return nil, err
		}
		if how == makeFacts {
			g.env = append(g.env, command.Variable("facts")+"=on")
		}
	}
	if t.wantsOverlay() {
		g.numberDraws()
	}
	return g, nil
}

// wantsOverlay reports whether the tests are built with the overlay. With -choices off nothing looks at the numbers.
// What -choices does not understand is told by the settings.
func (t *testRun) wantsOverlay() bool {
	l, err := chance.ParseLimits(t.settings.Value["choices"])
	return t.overlay && !t.plain && (err != nil || l != chance.LimitsOff)
}

// conclude keeps the records of the file report where -report wants them, and sums them up on w. code is the exit code
// of the tests.
func (t *testRun) conclude(w io.Writer, report string, code int) ([]record.Record, error) {
	if err := keepReport(report, t.settings.Value["report"]); err != nil {
		return nil, err
	}
	rs, err := readRecords(report)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rs, compareRecords)
	if err := t.outputs.Write(w, FormatJSON, func(w io.Writer) error { return writeJSON(w, rs) }); err != nil {
		return nil, err
	}
	text := func(w io.Writer) error { return summarise(w, rs, code) }
	if err := t.outputs.Write(w, FormatText, text); err != nil {
		return nil, err
	}
	if t.outputs.Standard() == FormatGitHub {
		if err := text(w); err != nil {
			return nil, err
		}
		t.unguard()
	}
	return rs, t.tell(w, rs)
}

// tells reports whether the standard output is for people, so that what tests print belongs there.
func (t *testRun) tells() bool {
	return t.outputs.Standard() == FormatText || t.outputs.Standard() == FormatGitHub
}

// goArgs puts the flags before the packages and what is for the test binary after them, as `go test` wants it.
func (t *testRun) goArgs(a Arguments) []string {
	args := t.goFlags.Flags()
	rest, binary := a.Rest, []string(nil)
	for i, r := range rest {
		if r == "-args" || r == "--args" {
			rest, binary = rest[:i], rest[i:]
			break
		}
	}
	args = append(args, rest...)
	args = append(args, a.Operands...)
	return append(args, binary...)
}

// verdict is the exit code that the records alone justify: a Check that refused what it was told to do did not run.
func verdict(rs []record.Record) int {
	if slices.ContainsFunc(rs, func(r record.Record) bool { return r.Refused && !explored(&r) }) {
		return ExitError
	}
	for _, r := range rs {
		for _, f := range r.Findings {
			if !f.Expected && !explored(&r) {
				return ExitFound
			}
		}
	}
	return ExitOK
}

// summarise shows what was found as expected, and the table. code is the exit code of the tests.
func summarise(w io.Writer, rs []record.Record, code int) error {
	if len(rs) == 0 && code == ExitError {
		// What stopped it has been said.
		return nil
	} else if len(rs) == 0 {
		why := "no Check ran: no test that was run calls rehearse.Check"
		if code != ExitOK {
			why = "no Check came to its end: the tests that failed call none, or their process died, of which the next run " +
				"tells more"
		}
		_, err := fmt.Fprintln(w, "\nrehearse: "+why)
		return err
	}
	for _, r := range rs {
		for _, f := range r.Findings {
			if f.Expected && !explored(&r) {
				if err := showFinding(w, r, f); err != nil {
					return err
				}
			}
		}
	}
	return table(w, rs)
}
