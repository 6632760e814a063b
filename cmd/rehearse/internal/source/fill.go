package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var fillCommand = cli.Command{
	Name: "fill", Args: "[flags] [packages]",
	Short: "write tests that reach what the tests of actors leave out",
	Long: `Fill runs the tests of packages, finds the blocks of actors that none of them executes, and searches for messages and an order that reach each, as rehearse target
does. What is found is a test of the whole system, executed before it counts. It is kept if it executes a block that no test before it does. Of each test that is
kept all orders of its messages are explored for a while, so that it shows what else they lead to. Then the tests run once more, and coverage is told before and after.

The tests are written beside the drivers, to files *` + reachtest.Suffix + `. No file is overwritten that somebody has written or edited, and nothing is written in a second run: the
tests are there then. They assert what actors hold in the end, and what came back. docs/fill.md has the rest.

Exit codes: 0 everything is executed; 1 a test, or another order of its messages, leads to a panic, a deadlock or the like; 2 it could not run, and nothing is written;
3 something is left out. They are the same with -n and -json.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		f := &fillRun{targetRun: targetRun{flags: fs, pin: true, beside: true}}
		f.addSearch(fs)
		fs.Float64Var(&f.seconds, "seconds", 5, "`seconds` for the search for one block, which all drivers share")
		fs.DurationVar(&f.whole, "for", 10*time.Minute,
			"`time` for everything; runs of the tests that are there count, and are not cut")
		fs.DurationVar(&f.timeout, "timeout", time.Minute, "`time` for one run of a test")
		fs.DurationVar(&f.orders, "orders", 2*time.Second,
			"`time` to explore the orders of one test; 0: they are not explored")
		fs.BoolVar(&f.preview, "n", false, "write nothing; say what would be written")
		fs.BoolVar(&f.json, "json", false, "write nothing; print the report as JSON")
		return f.run
	},
}

// fillRun is one `rehearse fill`.
type fillRun struct {
	targetRun
	whole, orders time.Duration
	deadline      time.Time // of everything
	costs         fillCosts

	patterns []string
	scratch  string
	lister   *target.Lister
	report   fillReport
}

func (f *fillRun) run(s cli.Streams, a cli.Arguments) int {
	if err := f.checkFill(a); err != nil {
		return cli.Usage(s, "fill", err)
	}
	if os.Getenv("GOGC") == "" { // terms are many and small
		defer debug.SetGCPercent(debug.SetGCPercent(300))
	}
	code, err := f.fill(context.Background(), s, a.Operands)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse fill:", err)
		return cli.ExitError
	}
	return code
}

// checkFill says what is wrong with the command line.
func (f *fillRun) checkFill(a cli.Arguments) error {
	switch {
	case len(a.Rest) > 0:
		return fmt.Errorf("unexpected argument %q: only packages are wanted", a.Rest[0])
	case f.whole <= 0 || f.orders < 0:
		return fmt.Errorf("-for %v, -orders %v: want more than 0, and no negative time", f.whole, f.orders)
	}
	return f.checkSearch()
}

func (f *fillRun) fill(ctx context.Context, s cli.Streams, patterns []string) (int, error) {
	if f.patterns = patterns; len(patterns) == 0 {
		f.patterns = []string{"."}
	}
	store := term.NewStore()
	solver, err := f.solver.make(store)
	if err != nil {
		return 0, err
	}
	defer solver.Close()
	dir, remove, err := files.TempFolder("rehearse-fill")
	if err != nil {
		return 0, err
	}
	defer remove()
	f.scratch, f.deadline = dir, time.Now().Add(f.whole)
	if err := f.read(s); err != nil {
		return 0, err
	}
	f.begin(store, solver)
	f.lister = target.NewLister(ctx, f.loaded, f.system.Summaries())
	if len(f.lister.Blocks()) == 0 {
		return 0, f.nobody()
	}
	for _, t := range f.lister.Blocks() {
		f.packageOf(t).Blocks++
	}
	began := time.Now()
	open, err := f.profile(ctx, nil)
	if err != nil {
		return 0, err
	}
	f.costs.profile = time.Since(began)
	f.count(open, func(p *filledPackage) *int { return &p.Before })
	tests, err := f.tests(ctx, s, open)
	if err != nil {
		return 0, err
	}
	if err := f.explore(ctx, s, tests); err != nil {
		return 0, err
	}
	return f.end(ctx, s, open, tests)
}

// nobody says that there are no actors, and why.
func (f *fillRun) nobody() error {
	switch {
	case len(f.loaded.Problems) > 0:
		return errors.New("no actors could be read: mend what is told above, or name other packages")
	case f.lister.Generated():
		return errors.New("all actors of these packages are in generated files, which are left out: name packages with others")
	}
	return errors.New("these packages have no actors: name those that have, beside those with their tests")
}

// read reads the packages.
func (f *fillRun) read(s cli.Streams) (err error) {
	if f.dir, err = os.Getwd(); err != nil {
		return err
	}
	if f.loaded, err = gentest.Load(f.dir, f.patterns); err != nil {
		return err
	}
	for _, problem := range f.loaded.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	return nil
}
