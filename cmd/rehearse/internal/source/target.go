package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	shared "github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

var targetCommand = cli.Command{
	Name: "target", Args: "[flags] FILE.go:LINE [packages], or target -panics|-checks|-blocks|-dead|-diff " +
		"REVISION|-uncovered FILE|-sample N [flags] [packages]",
	Short: "find messages and an order that reach a line, and write the test that shows it",
	Long: `Target asks whether a program of actors can come to a line, and answers with messages from outside, the order in which actors receive, and a Go test.
Packages say where the tests, or main, are that make the actors (default: the package of the file, and if it has none, those of the
module that import it).

It searches backward, from the line to what a driver makes: a function that makes a system of actors. An answer is executed before it is shown: the test is a
copy of the driver with the messages that were found, compiled and run without a file in your folders. Only then it is written, to a file *` + reachtest.Suffix + `
beside the driver. A line that panics, or fails a check of a test, is reached when it does.

With -panics, -checks, -blocks, -dead, -diff or -uncovered there are many targets, of which -sample takes some; -sample alone takes some of all blocks and
implicit panics. They get a line each, then a row, and nothing is written.

The verdicts are: covered (executed, and the line was reached); not confirmed (a way was found, and the program does not go it, or no test can be written); infeasible
within the bounds (everything within them was looked at, all of it exact); gave up, with the reason. None of them says that a line is unreachable.
docs/target.md has the rest.

Exit codes: 0 covered; 1 covered, and what it leads to is a panic or a failed check; 2 it could not run; 3 not covered. Of many targets: 1 if one leads to a
panic or a failed check, else 3 if one is not covered.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		r := &targetRun{flags: fs}
		r.addSearch(fs)
		fs.Float64Var(&r.seconds, "seconds", 60, "`seconds` for the search for one target, which all drivers share")
		fs.DurationVar(&r.timeout, "timeout", time.Minute, "`time` for one run of the test")
		fs.StringVar(&r.file, "o", "", "write the test to this `file`, in the folder of the driver")
		fs.BoolVar(&r.preview, "n", false, "write nothing; print the test")
		fs.BoolVar(&r.json, "json", false, "write nothing; print the answer as JSON")
		r.addLists(fs)
		return r.run
	},
}

// targetRun is one `rehearse target`.
type targetRun struct {
	flags         *flag.FlagSet
	model, driver string
	timers        string
	receptionists []string
	config        target.Config
	seconds       float64
	timeout       time.Duration
	numbers       *cases.Range
	solver        solverFlag
	file          string
	preview, json bool
	pin           bool      // tests assert what actors hold in the end
	until         time.Time // when drivers are not run any more; zero: never
	beside        bool      // where a file may not be overwritten a test goes into another one
	list          targetLists
	starter       *shared.Starter // shares the targets among processes; nil: nobody does

	dir     string
	loaded  *load.Program
	system  *system.Program
	engine  *target.Engine
	starts  []*system.Start
	usual   map[*system.Start]*system.Start // as usualOf gives it
	made    startsOf                        // as madeOf gives it
	odd     startsOf                        // as oddOf gives it
	codes   map[*system.Start]*code         // of the actors of starts
	entries map[*ssa.Function]*code         // of drivers
	handled map[*ssa.Function]bool          // functions that handlers call by name
	notes   []string                        // of drivers that give no start
}

func (r *targetRun) run(s cli.Streams, a cli.Arguments) int {
	err := r.beginShared()
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse target:", err)
		return cli.ExitError
	}
	file, line, err := r.check(a)
	if err != nil {
		return cli.Usage(s, "target", err)
	}
	if os.Getenv("GOGC") == "" { // terms are many and small
		defer debug.SetGCPercent(debug.SetGCPercent(300))
	}
	ctx := context.Background()
	var code int
	if r.lists() {
		code, err = r.all(ctx, s, a.Operands)
	} else {
		code, err = r.find(ctx, s, file, line, a.Operands[1:])
	}
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse target:", err)
		return cli.ExitError
	}
	return code
}

// check says what is wrong with the command line, and gives the line.
func (r *targetRun) check(a cli.Arguments) (file string, line int, err error) {
	switch {
	case len(a.Rest) > 0:
		return "", 0, fmt.Errorf("unexpected argument %q: only a line and packages are wanted", a.Rest[0])
	case !r.lists() && r.isSet("diff", "uncovered"):
		return "", 0, errors.New("-diff and -uncovered: want a revision, or a file")
	case !r.lists() && r.isSet("sample", "seed"):
		return "", 0, errors.New("-seed is for many targets: want -panics, -checks, -blocks, -dead, -diff, -uncovered or " +
			"-sample, too")
	case !r.lists() && r.starter != nil:
		return "", 0, errors.New("one line is no work for many: want -panics, -checks, -blocks, -dead or -sample")
	case len(a.Operands) == 0 && !r.lists():
		return "", 0, errors.New("want a line, as in account.go:17")
	case r.file != "" && (filepath.Base(r.file) != r.file || !strings.HasSuffix(r.file, "_test.go")):
		return "", 0, fmt.Errorf("-o %s: want the name of a file that ends in _test.go, without a folder: it goes beside "+
			"the driver", r.file)
	}
	if err := r.checkSearch(); err != nil {
		return "", 0, err
	}
	if r.lists() {
		return "", 0, r.checkLists()
	}
	return reachtest.ParseLine(a.Operands[0])
}

// isSet reports whether one of some flags is on the command line.
func (r *targetRun) isSet(names ...string) (is bool) {
	r.flags.Visit(func(f *flag.Flag) { is = is || slices.Contains(names, f.Name) })
	return is
}

// checkSearch says what is wrong with the flags of searches.
func (r *targetRun) checkSearch() (err error) {
	r.config.Probes = target.Probes
	switch {
	case r.config.Steps < 1 || r.config.Outside < 0 || r.config.Actors < 0:
		return fmt.Errorf("-steps %d, -outside %d, -actors %d: want at least 1 step, and no negative number", r.config.Steps,
			r.config.Outside, r.config.Actors)
	case r.config.Walks < 0 || r.config.Wanders < 0:
		return fmt.Errorf("-wanders %d, -walks %d: want no negative number", r.config.Wanders, r.config.Walks)
	case r.seconds <= 0 || r.timeout <= 0:
		return fmt.Errorf("-seconds %v, -timeout %v: want more than 0", r.seconds, r.timeout)
	case r.preview && r.json:
		return errors.New("-n and -json: want at most one")
	}
	bounded := r.isBounded() // which bounds what chance may do
	if (bounded || r.isSet("receptionist")) && !r.isSet("walks") {
		r.config.Walks = 0
	}
	if bounded && !r.isSet("wanders") {
		r.config.Wanders = 0
	}
	if r.model != "" {
		if r.config.Model, err = trace.ParseModel(r.model); err != nil || r.config.Model == trace.DefaultModel {
			return fmt.Errorf("-model %s: want bag, fifo, causal, mailbox or mailbox-serial", r.model)
		}
	}
	if _, err := trace.ParseTimerMode(r.timers); err != nil {
		return fmt.Errorf("-timers %s: want quiescent or async", r.timers)
	}
	return r.solver.check()
}

// isBounded reports whether the command line bounds what is searched.
func (r *targetRun) isBounded() bool {
	return r.flags != nil && r.isSet("steps", "outside", "actors", "numbers", "strings", "assume")
}

// find searches from every driver until a way is confirmed.
func (r *targetRun) find(ctx context.Context, s cli.Streams, file string, line int, patterns []string) (int, error) {
	var err error
	if r.dir, err = os.Getwd(); err != nil {
		return 0, err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.dir, file)
	}
	if err := reachtest.CheckLine(file, line); err != nil {
		return 0, err
	}
	store := term.NewStore()
	solver, err := r.solver.make(store)
	if err != nil {
		return 0, err
	}
	defer solver.Close()
	at, t, err := r.prepare(ctx, s, file, line, patterns, func() { r.begin(store, solver) })
	if err != nil {
		return 0, err
	}
	dir, remove, err := files.TempFolder("rehearse-target")
	if err != nil {
		return 0, err
	}
	defer remove()
	answer, err := r.reach(ctx, t, at, dir)
	if err != nil {
		return 0, err
	}
	return r.tell(s, answer)
}

// prepare reads the program, and executes the drivers.
func (r *targetRun) prepare(ctx context.Context, s cli.Streams, file string, line int, patterns []string,
	begin func()) (*reachtest.Line, *target.Target, error) {
	var err error
	if r.loaded, err = r.load(file, patterns); err != nil {
		return nil, nil, err
	}
	begin()
	if len(patterns) == 0 && r.driver == "" && len(r.system.Drivers()) == 0 {
		if err := r.widen(file, begin); err != nil {
			return nil, nil, err
		}
	}
	for _, problem := range r.loaded.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	if at, t := r.headOfJudge(ctx, file, line); t != nil {
		return at, t, r.drive(ctx)
	}
	at, err := reachtest.FindLine(r.loaded, file, line)
	if err != nil {
		return nil, nil, err
	}
	if t := r.inJudge(ctx, at); t != nil {
		return at, t, r.drive(ctx)
	}
	atEnd, err := r.inActor(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	t := &target.Target{Goal: system.Goal{Block: at.Block, Panic: at.Kind != "", Pos: at.Pos, AtEnd: atEnd}, Name: at.Name}
	return at, t, r.drive(ctx)
}

// begin makes what searches need.
func (r *targetRun) begin(store *term.Store, solver solve.Solver) {
	r.codes, r.entries = map[*system.Start]*code{}, map[*ssa.Function]*code{}
	r.system = system.New(r.loaded, store, solver)
	r.engine = target.New(r.loaded, r.system.Summaries(), store, r.system)
	r.config.Timeout = time.Duration(r.seconds * float64(time.Second))
	if r.numbers != nil {
		r.config.Numbers = &target.Range{Least: r.numbers.Least, Most: r.numbers.Most}
	}
}

// load reads the package of a file and those where drivers are.
func (r *targetRun) load(file string, patterns []string) (*load.Program, error) {
	own, err := filepath.Rel(r.dir, filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	own = "./" + filepath.ToSlash(own)
	if other := moduleOf(filepath.Dir(file)); other == "" || other != moduleOf(r.dir) && !r.works(other) {
		return nil, fmt.Errorf("%s is in another module: run the command in its folder", file)
	}
	if !slices.Contains(patterns, own) {
		patterns = append([]string{own}, patterns...)
	}
	return gentest.Load(r.dir, patterns)
}
