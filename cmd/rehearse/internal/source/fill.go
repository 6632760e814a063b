package source

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/scratch"
	"github.com/rehearse-go/rehearse/internal/whole"
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
		fs.StringVar(&f.model, "model", "", "delivery `model`: bag, fifo, causal, mailbox or mailbox-serial; default: what the framework does")
		fs.StringVar(&f.driver, "driver", "", "the `function` that makes the system; default: every test, and main")
		fs.IntVar(&f.config.Steps, "steps", 8, "`number` of messages that are handled, at most")
		fs.IntVar(&f.config.Outside, "outside", 0, "`number` of messages from outside, at most; default: as many as -steps")
		fs.IntVar(&f.config.Actors, "actors", 4, "`number` of actors that handlers create, at most")
		fs.Float64Var(&f.seconds, "seconds", 5, "`seconds` for one search from one driver")
		fs.DurationVar(&f.whole, "for", 10*time.Minute, "`time` for all searches, and to execute what they find")
		fs.DurationVar(&f.timeout, "timeout", time.Minute, "`time` for one run of a test")
		fs.DurationVar(&f.orders, "orders", 2*time.Second, "`time` to explore the orders of one test; 0: they are not explored")
		fs.IntVar(&f.config.Walks, "walks", target.Walks, "where nothing else is found, execute the driver with its own messages, in this `number` of orders, up to 200 messages each; default with -steps, -outside, -actors or -numbers: none")
		fs.Var(numbersFlag{&f.numbers}, "numbers", "a `range` LEAST..MOST that all integers in messages from outside are in")
		f.solver.add(fs)
		fs.BoolVar(&f.preview, "n", false, "write nothing; say what would be written")
		fs.BoolVar(&f.json, "json", false, "write nothing; print the report as JSON")
		return f.run
	},
}

// fillRun is one `rehearse fill`.
type fillRun struct {
	targetRun
	whole, orders time.Duration
	began         time.Time // the searches

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
	dir, remove, err := scratch.Make("rehearse-fill")
	if err != nil {
		return 0, err
	}
	defer remove()
	f.scratch = dir
	if err := f.read(s); err != nil {
		return 0, err
	}
	f.begin(store, solver)
	f.lister = target.NewLister(ctx, f.loaded, f.system.Summaries())
	if len(f.lister.Blocks()) == 0 {
		if len(f.loaded.Problems) > 0 {
			return 0, errors.New("no actors could be read: mend what is told above, or name other packages")
		}
		return 0, errors.New("these packages have no actors: name those that have, beside those with their tests")
	}
	for _, t := range f.lister.Blocks() {
		f.packageOf(t).Blocks++
	}
	open, err := f.profile(ctx, nil)
	if err != nil {
		return 0, err
	}
	f.count(open, func(p *filledPackage) *int { return &p.Before })
	tests, err := f.tests(ctx, s, open)
	if err != nil {
		return 0, err
	}
	if err := f.explore(ctx, tests); err != nil {
		return 0, err
	}
	return f.end(ctx, s, open, tests)
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

// writable fails if no file can be made beside the drivers: that is told before anything is searched for.
func (f *fillRun) writable() error {
	if f.preview || f.json {
		return nil
	}
	done := map[string]bool{}
	for _, s := range f.starts {
		dir := filepath.Dir(f.loaded.Fset.Position(s.Driver.Entry.Pos()).Filename)
		if done[dir] {
			continue
		}
		done[dir] = true
		probe, err := os.CreateTemp(dir, ".rehearse-fill-*")
		if err != nil {
			return fmt.Errorf("no test can be written to %s, beside its driver: %w; -n says what would be written", f.shown(dir), errors.Unwrap(err))
		}
		probe.Close()
		if err := os.Remove(probe.Name()); err != nil {
			return err
		}
	}
	return nil
}

// batch is how many ways are executed together: what the first tests reach by the way is not searched for.
const batch = 12

// filling is a test that is kept, or may be.
type filling struct {
	answer  *targetAnswer
	job     reachtest.Job
	line    *reachtest.Line
	reaches []*ssa.BasicBlock // of those that are open
}

// tests searches for ways to what is open, and gives the tests that are kept.
func (f *fillRun) tests(ctx context.Context, s cli.Streams, open []*target.Listed) (kept []*filling, err error) {
	if len(open) == 0 {
		return nil, nil
	}
	if err := f.drive(ctx); err != nil {
		return nil, err
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	f.began = time.Now()
	reached, names := map[*ssa.BasicBlock]bool{}, map[string]bool{}
	var waiting []*filling
	confirm := func() error {
		more, err := f.confirm(ctx, waiting, open, reached)
		kept, waiting = append(kept, more...), nil
		return err
	}
	search, stop := untilInterrupted(ctx)
	defer stop()
	last := time.Now()
	for i, t := range open {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(s.Err, "%d of %d blocks are done, next is %s\n", i, len(open), t.Name)
		}
		if reached[t.Block] {
			continue
		}
		if search.Err() != nil {
			f.report.leave(t, verdictGaveUp+": "+whyInterrupted)
			continue
		}
		if time.Since(f.began) > f.whole {
			f.report.leave(t, "gave up: the time for all searches was over (-for "+f.whole.String()+")")
			continue
		}
		c, err := f.candidateOf(search, t, names)
		if err != nil {
			return nil, err
		}
		if search.Err() != nil {
			fmt.Fprintf(s.Err, "interrupted: %d of %d blocks were searched for; what was found is executed now, and written (a second interrupt ends at once)\n", i, len(open))
		}
		if c == nil {
			continue
		}
		if waiting = append(waiting, c); len(waiting) == batch {
			if err := confirm(); err != nil {
				return nil, err
			}
		}
	}
	stop()
	return kept, confirm()
}

// candidateOf searches for a way to a block; nil if there is none, which the report then says.
func (f *fillRun) candidateOf(ctx context.Context, t *target.Listed, names map[string]bool) (*filling, error) {
	id := fmt.Sprintf("_%d", t.Place.Column) // a line may have several blocks
	for n := 2; names[t.Name+id]; n++ {
		id = fmt.Sprintf("_%d_%d", t.Place.Column, n)
	}
	names[t.Name+id] = true
	c := &filling{line: &reachtest.Line{Name: f.loaded.Position(posOf(t)), Block: t.Block, Pos: t.Pos}}
	a, err := f.candidate(ctx, &t.Target, c.line, id, func(a *targetAnswer, j *reachtest.Job) (bool, error) {
		c.job = *j
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if c.job.Test == nil {
		f.report.leave(t, a.Verdict+": "+oneLine(a.Why))
		return nil, nil
	}
	a.Target = blockName(t)
	c.answer = a
	return c, nil
}

// confirm executes tests, and gives those that execute a block which none before them does.
func (f *fillRun) confirm(ctx context.Context, list []*filling, open []*target.Listed, reached map[*ssa.BasicBlock]bool) (kept []*filling, err error) {
	var jobs []reachtest.Job
	for _, c := range list {
		c.job.Goal.Also = nil
		linked := f.linked(c.job.Test)
		for _, t := range open {
			if linked[t.Block.Parent().Pkg.Pkg.Path()] {
				c.job.Goal.Also = append(c.job.Goal.Also, t.Block)
			}
		}
		jobs = append(jobs, c.job)
	}
	outcomes, err := reachtest.ConfirmAll(ctx, reachtest.Run{Scratch: f.scratch, Timeout: f.timeout, Until: f.began.Add(f.whole)}, jobs)
	if err != nil {
		return nil, err
	}
	for i, c := range list {
		f.conclude(c.answer, outcomes[i], c.line, c.job.Test)
		if c.answer.Verdict != verdictCovered {
			if at := slices.IndexFunc(open, func(t *target.Listed) bool { return t.Block == c.line.Block }); at >= 0 {
				f.report.leave(open[at], c.answer.Verdict+": "+oneLine(c.answer.Why))
			}
			continue
		}
		c.reaches = append(outcomes[i].Also, c.line.Block)
		adds := false
		for _, b := range c.reaches {
			adds, reached[b] = adds || !reached[b], true
		}
		if adds {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// linked gives the paths of the packages that a test is linked with.
func (f *fillRun) linked(t *reachtest.Test) map[string]bool {
	seen := map[string]bool{}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if !seen[p.Path()] {
			seen[p.Path()] = true
			for _, q := range p.Imports() {
				add(q)
			}
		}
	}
	for _, pkg := range f.loaded.Packages {
		if pkg.PkgPath == t.Path {
			add(pkg.Types)
		}
	}
	return seen
}

// explore explores the orders of tests.
func (f *fillRun) explore(ctx context.Context, list []*filling) error {
	if f.orders == 0 || len(list) == 0 {
		return nil
	}
	var tests []*reachtest.Test
	for _, c := range list {
		tests = append(tests, c.job.Test)
	}
	orders, err := reachtest.ExploreAll(ctx, reachtest.Run{Scratch: f.scratch, Timeout: f.timeout + f.orders}, tests, f.orders.String())
	if err != nil {
		return err
	}
	for i, o := range orders {
		list[i].answer.Orders = toldOrdersOf(o)
		content, err := tests[i].Source()
		if err != nil {
			return err
		}
		list[i].answer.Test.Source = string(content)
	}
	return nil
}

// end profiles the tests, writes those that add something, and tells.
func (f *fillRun) end(ctx context.Context, s cli.Streams, open []*target.Listed, list []*filling) (int, error) {
	left := open
	if len(list) > 0 {
		overlay := map[string]string{}
		for i, c := range list {
			at := filepath.Join(f.scratch, fmt.Sprintf("kept%d_test.go", i))
			if err := os.WriteFile(at, []byte(c.answer.Test.Source), 0o666); err != nil {
				return 0, err
			}
			overlay[c.answer.Test.path] = at
		}
		var err error
		if left, err = f.profile(ctx, overlay); err != nil {
			return 0, err
		}
		list = needed(list, left)
	}
	if err := f.put(list); err != nil {
		return 0, err
	}
	f.count(left, func(p *filledPackage) *int { return &p.After })
	f.report.only(left)
	f.report.Tests = []*targetAnswer{}
	for _, c := range list {
		f.report.Tests = append(f.report.Tests, c.answer)
	}
	f.report.Notes = f.notes
	return f.report.tell(s, f.json, f.preview)
}

// needed gives those of tests that execute a block which none of the others does, and which is none of those that are left: a copy of the driver has copies of the functions
// that are written inside of it. A test that was found early may not be needed any more because of one that executes more.
func needed(list []*filling, left []*target.Listed) []*filling {
	by := map[*ssa.BasicBlock]int{} // how many tests execute it
	for _, c := range list {
		c.reaches = slices.DeleteFunc(c.reaches, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(left, func(t *target.Listed) bool { return t.Block == b })
		})
		slices.SortFunc(c.reaches, func(a, b *ssa.BasicBlock) int { return cmp.Or(int(a.Parent().Pos()-b.Parent().Pos()), a.Index-b.Index) })
		c.reaches = slices.Compact(c.reaches)
		for _, b := range c.reaches {
			by[b]++
		}
	}
	return slices.DeleteFunc(list, func(c *filling) bool {
		if slices.ContainsFunc(c.reaches, func(b *ssa.BasicBlock) bool { return by[b] == 1 }) {
			return false
		}
		for _, b := range c.reaches {
			by[b]--
		}
		return true
	})
}

// put writes tests: all of them, or none if one may not be written.
func (f *fillRun) put(list []*filling) error {
	if f.preview || f.json {
		return nil
	}
	for _, c := range list {
		if err := f.mayWrite(c.answer.Test.path); err != nil {
			return err
		}
	}
	for _, c := range list {
		if err := whole.WriteBytes(c.answer.Test.path, []byte(c.answer.Test.Source)); err != nil {
			return err
		}
	}
	return nil
}

// count fills a column of the table: how many blocks of each package are executed, where some are not.
func (f *fillRun) count(left []*target.Listed, column func(*filledPackage) *int) {
	for _, p := range f.report.Packages {
		*column(p) = p.Blocks
	}
	for _, t := range left {
		*column(f.packageOf(t))--
	}
}

// packageOf gives the row of a block.
func (f *fillRun) packageOf(t *target.Listed) *filledPackage {
	path := f.shown(filepath.Dir(t.Place.Filename))
	at, ok := slices.BinarySearchFunc(f.report.Packages, path, func(p *filledPackage, path string) int { return strings.Compare(p.Package, path) })
	if !ok {
		f.report.Packages = slices.Insert(f.report.Packages, at, &filledPackage{Package: path})
	}
	return f.report.Packages[at]
}
