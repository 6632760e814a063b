package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var generateCommand = cli.Command{
	Name: "generate", Args: "[flags] [packages]",
	Short: "write tests of handlers: a test for each way through them",
	Long: `Generate executes the handlers of the packages (default: the one in the current directory) on symbolic inputs, and writes a Go test for each way
through them: a state, a message, and what comes of it. The tests are in files *` + gentest.Suffix + ` in the folders of the packages. They state
what the code does today.

Before a test is shown or written, it is compiled and run, without a file in your folders. What the program does not confirm is listed as unconfirmed, and
is no test. A failure of a handler whose state can come about is a finding: it is listed first, and its test expects it. A panic of Go's runtime
from a state that is only assumed gets a test with -assumed.

A file that was edited since is never overwritten. With -update the flags are those of the files that are there, and what went, came or changed is listed.
docs/generate.md has the rest.

Exit codes: 0 nothing is wrong; 1 a finding; 2 it could not run; 3 unconfirmed cases. With -update -n: 0 the tests are those that are there; 1 there is a
difference; 2 it could not run.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		r := &generateRun{flags: fs}
		fs.StringVar(&r.pattern, "run", "",
			"handlers whose names match this `regexp`, as in Account.Withdraw, and functions whose whole names do")
		fs.IntVar(&r.config.Loops, "loop", 3, "`turns` of a loop that are followed")
		fs.IntVar(&r.config.Elements, "elements", 3,
			"`number` of elements that a slice or map of the inputs may have, at most")
		fs.IntVar(&r.config.Switches, "switch", 8, "`number` of times that tasks of an actor go on, where handlers wait")
		fs.StringVar((*string)(&r.config.Policy), "policy", "fifo",
			"`which` waiting task is next: fifo, lifo, priority or any")
		fs.StringVar((*string)(&r.config.Await), "await", "ready",
			"`when` a task that waits is in the queue: ready or polling")
		fs.IntVar(&r.config.Queue, "queue", 0, "`number` of messages that may be in the queue in the beginning")
		fs.IntVar(&r.config.Pruning, "pruning", 2, "`which` messages those may be: 1 to 3")
		fs.Func("assume", "a `condition` on the inputs, as in 'Withdraw.Amount > 0'; may be repeated", func(s string) error {
			r.config.Assume = append(r.config.Assume, s)
			return nil
		})
		fs.Var(numbersFlag{&r.config.Numbers}, "numbers", "a `range` LEAST..MOST that all integers of the inputs are in")
		fs.Var(stringsFlag{&r.config.Strings}, "strings", "a `list` with commas that all strings of the inputs are in")
		r.solver.add(fs)
		fs.StringVar((*string)(&r.config.Cover), "cover", "paths",
			"which cases are kept: `paths` for all, branches or blocks for few that cover the same")
		fs.BoolVar(&r.config.Alias, "alias", false, "two pointers among the inputs may lead to one object")
		fs.IntVar(&r.config.Before, "before", 2,
			"`number` of messages before, at most, by which the state of a failure may come about; 0 for none")
		fs.BoolVar(&r.assumed, "assumed", false,
			"also write tests of panics of the runtime from states that are only assumed")
		fs.BoolVar(&r.verbose, "v", false, "print each case: conditions, state, messages, and how it comes about")
		fs.BoolVar(&r.preview, "n", false, "write nothing; print the tests, or with -update the differences")
		fs.BoolVar(&r.json, "json", false, "write nothing; print cases and tests as JSON")
		fs.BoolVar(&r.update, "update", false, "list how the tests differ from those that are there, and replace these")
		fs.DurationVar(&r.config.Timeout, "timeout", time.Minute,
			"`time` for the cases of one handler, for the ways to its failures, and for the tests of one package")
		return r.run
	},
}

// exitUnconfirmed says that there are cases that the program does not confirm.
const exitUnconfirmed = 3

// generateRun is one `rehearse generate`.
type generateRun struct {
	flags   *flag.FlagSet
	pattern string
	config  cases.Config
	solver  solverFlag
	assumed bool
	preview bool
	json    bool
	update  bool
	verbose bool
	dir     string
	failed  bool                    // a part of the packages could not be read or run
	old     map[string]*gentest.Old // by folder
}

func (r *generateRun) run(s cli.Streams, a cli.Arguments) int {
	err := r.check(a)
	if err != nil {
		return cli.Usage(s, "generate", err)
	}
	patterns := a.Operands
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if os.Getenv("GOGC") == "" { // terms are many and small, and a third of the time went into collecting them
		defer debug.SetGCPercent(debug.SetGCPercent(300))
	}
	code, err := r.generate(s, patterns)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse generate:", err)
		return cli.ExitError
	}
	return code
}

// check says what is wrong with flags.
func (r *generateRun) check(a cli.Arguments) error {
	c := &r.config
	switch {
	case len(a.Rest) > 0:
		return fmt.Errorf("unexpected argument %q: only packages are wanted", a.Rest[0])
	case c.Loops < 1 || c.Elements < 1 || c.Switches < 1:
		return fmt.Errorf("-loop %d, -elements %d, -switch %d: want at least 1", c.Loops, c.Elements, c.Switches)
	case c.Queue < 0 || c.Pruning < 1 || c.Pruning > 3:
		return fmt.Errorf("-queue %d, -pruning %d: want at least 0, and 1 to 3", c.Queue, c.Pruning)
	case !slices.Contains([]tasks.Policy{tasks.FIFO, tasks.LIFO, tasks.Priority, tasks.Any}, c.Policy):
		return fmt.Errorf("-policy %s: want fifo, lifo, priority or any", c.Policy)
	case c.Await != tasks.Ready && c.Await != tasks.Polling:
		return fmt.Errorf("-await %s: want ready or polling", c.Await)
	case !slices.Contains([]cases.Criterion{cases.Paths, cases.Branches, cases.Blocks}, c.Cover):
		return fmt.Errorf("-cover %s: want paths, branches or blocks", c.Cover)
	case c.Timeout <= 0:
		return fmt.Errorf("-timeout %v: want more than 0", c.Timeout)
	case r.json && r.update:
		return errors.New("-json and -update: want at most one")
	}
	return r.solver.check()
}

func (r *generateRun) generate(s cli.Streams, patterns []string) (int, error) {
	var err error
	if r.dir, err = os.Getwd(); err != nil {
		return 0, err
	}
	p, err := gentest.Load(r.dir, patterns)
	if err != nil {
		return 0, err
	}
	for _, problem := range p.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	r.failed = p.Broken()
	if err := r.readOld(p); err != nil {
		return 0, err
	}
	store := term.NewStore()
	solver, err := r.solver.make(store)
	if err != nil {
		return 0, err
	}
	defer solver.Close()
	return r.tests(context.Background(), s, cases.New(context.Background(), p, store, solver), solver)
}

// tests makes the tests of what is selected, confirms and shows them.
func (r *generateRun) tests(ctx context.Context, s cli.Streams, q *cases.Program, solver solve.Solver) (int, error) {
	targets, err := r.targets(s, q)
	if err != nil {
		return 0, err
	}
	if r.config.Before == 0 { // the default of Config
		r.config.Before = -1
	}
	packages, err := gentest.Generate(ctx, q, solver, targets,
		gentest.Options{Config: r.config, Command: r.command(), Assumed: r.assumed,
			Progress: progress(s.Err, len(targets))})
	if err != nil {
		return 0, err
	}
	if err := r.keeps(packages); err != nil {
		return 0, err
	}
	if packages, err = r.confirm(ctx, s.Err, packages); err != nil {
		return 0, err
	}
	code, err := r.tell(s, q, packages)
	if err == nil && r.failed {
		err = errors.New("a part of the packages has no tests, see above: it does not compile, or its tests do not run")
	}
	return code, err
}

// targets are the handlers and functions that are selected, without those of tests.
func (r *generateRun) targets(s cli.Streams, q *cases.Program) ([]*cases.Target, error) {
	tellGeneric(s.Err, q)
	for _, line := range gentest.Generic(q) {
		fmt.Fprintln(s.Err, line)
	}
	targets, err := q.Select(r.pattern)
	if err != nil {
		return nil, err
	}
	if targets = gentest.Tested(q, targets); len(targets) == 0 {
		return nil, errors.New("all that is selected is in tests")
	}
	return targets, gentest.Required(q, targets)
}

// progress gives what tells of targets, at most every 10 seconds.
func progress(w io.Writer, all int) func(int, *cases.Target) {
	last := time.Now()
	return func(done int, t *cases.Target) {
		if now := time.Now(); now.Sub(last) > 10*time.Second {
			last = now
			fmt.Fprintf(w, "%d of %d are done, next is %s\n", done, all, t.Name)
		}
	}
}

// readOld reads what was generated before. With -update its flags are taken over where none are given.
func (r *generateRun) readOld(p *load.Program) error {
	r.old = map[string]*gentest.Old{}
	command, found, mixed := "", false, false
	for _, pkg := range p.Packages {
		if !pkg.Root || len(pkg.GoFiles) == 0 {
			continue
		}
		dir := filepath.Dir(pkg.GoFiles[0])
		old, err := gentest.ReadOld(dir)
		if err != nil {
			return err
		}
		r.old[dir] = old
		if len(old.Files) == 0 {
			continue
		}
		mixed = mixed || old.Mixed || found && old.Command != command
		command, found = old.Command, true
	}
	switch {
	case !r.update || r.given():
		return nil
	case !found:
		return errors.New("-update: there are no generated tests; generate some first, without -update")
	case mixed:
		return errors.New("-update: the files were made with different flags: say which")
	}
	fields, err := gentest.ParseCommand(command)
	if err != nil {
		return err
	}
	return r.flags.Parse(fields)
}

// given reports whether flags are set that say what to generate.
func (r *generateRun) given() (any bool) {
	r.flags.Visit(func(f *flag.Flag) { any = any || !aside[f.Name] })
	return any
}

// aside are flags that do not change what is generated.
var aside = map[string]bool{"n": true, "json": true, "update": true, "timeout": true, "v": true}

// command writes the flags into files.
func (r *generateRun) command() string {
	var args []string
	r.flags.Visit(func(f *flag.Flag) {
		switch {
		case f.Name == "assume":
			for _, c := range r.config.Assume {
				args = append(args, "-assume="+c)
			}
		case !aside[f.Name]:
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return gentest.FormatCommand(args)
}

// keeps fails if a file would lose a target that is not selected.
func (r *generateRun) keeps(packages []*gentest.Package) error {
	for _, pkg := range packages {
		old := r.old[pkg.Dir]
		if old == nil || r.update || r.preview || r.json {
			continue
		}
		files, err := pkg.Files(func(*gentest.Test) bool { return true })
		if err != nil {
			return err
		}
		if fn := old.Dropped(files); fn != "" {
			return fmt.Errorf("%s would be dropped from its file: select it too, or use -update", fn)
		}
	}
	return nil
}

// confirm runs the tests of each package. It gives those whose tests could be run.
func (r *generateRun) confirm(ctx context.Context, w io.Writer,
	packages []*gentest.Package) (ran []*gentest.Package, err error) {
	dir, remove, err := files.TempFolder("rehearse-generate")
	if err != nil {
		return nil, err
	}
	defer remove()
	for _, pkg := range packages {
		if err := pkg.Confirm(ctx, gentest.Run{Scratch: dir, Timeout: r.config.Timeout}); err != nil {
			fmt.Fprintln(w, err)
			r.failed = true
			continue
		}
		ran = append(ran, pkg)
	}
	return ran, nil
}

// tell reports, and writes the files.
func (r *generateRun) tell(s cli.Streams, q *cases.Program, packages []*gentest.Package) (int, error) {
	if r.json {
		return r.code(packages, 0), gentest.WriteJSON(s.Out, q, packages)
	}
	out := s.Out
	if r.preview && !r.update {
		out = s.Err
	}
	differences := 0
	for _, pkg := range packages {
		gentest.Report(out, q, pkg, r.verbose)
		files, err := pkg.Files(func(t *gentest.Test) bool { return t.State == gentest.Confirmed })
		if err != nil {
			return 0, err
		}
		n, err := r.put(s.Out, pkg, files)
		if err != nil {
			return 0, err
		}
		differences += n
	}
	return r.code(packages, differences), nil
}

// code gives the exit code.
func (r *generateRun) code(packages []*gentest.Package, differences int) int {
	if r.update && r.preview { // findings and unconfirmed cases that were there before are no news
		if differences > 0 {
			return cli.ExitFound
		}
		return cli.ExitOK
	}
	code := cli.ExitOK
	for _, pkg := range packages {
		for _, t := range pkg.Tests {
			switch {
			case t.Finding() && t.State == gentest.Confirmed:
				return cli.ExitFound
			case t.Unconfirmed():
				code = exitUnconfirmed
			}
		}
	}
	return code
}
