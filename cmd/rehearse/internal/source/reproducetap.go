package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is `rehearse reproduce tap`: the experiment of [TAP18] 7.2 on programs of our own.
//
//	differs: targets are all blocks and implicit panics, where theirs were drawn; the budget of a target is steps, so
//	         that the table repeats, where theirs was ten minutes; an answer counts as covered only if a compiled program
//	         executes it, where theirs counts as soon as a path is found

// tapPackages are the programs that the table is about.
var tapPackages = []string{"github.com/rehearse-go/rehearse/examples/...",
	"github.com/rehearse-go/rehearse/subjects/..."}

// ours is the setting that is the search of rehearse target.
const ours = "ours"

// tapRun is one `rehearse reproduce tap`.
type tapRun struct {
	settings             string
	model                string
	steps, sample        int
	seed                 uint64
	chances              string
	drivers              string
	executed             string
	counts, json, faults bool
	list                 bool
	kept                 tapKept

	chosen []string
	seeds  []uint64 // of the chances of the settings
	as     trace.Model
	dir    string
	table  tapTable
}

func (r *tapRun) add(fs *flag.FlagSet) {
	fs.StringVar(&r.settings, "settings", strings.Join(tapSettings(), ","), "tap: these `settings`")
	fs.StringVar(&r.model, "model", "", "tap: delivery `model`; default: what the framework of a program does")
	fs.IntVar(&r.steps, "steps", 400,
		"tap: `number` of steps of the search for one target; ten times as many for the paper's engine, whose steps are "+
			"statements")
	fs.IntVar(&r.sample, "sample", 0, "tap: take `number` of the targets, spread over the types of actors; default: all")
	fs.Uint64Var(&r.seed, "seed", 1, "tap: `seed` of the sample")
	fs.StringVar(&r.chances, "chances", "1", "tap: `seeds` of the chances of the paper's settings, "+
		"each of which is a run of its own")
	fs.StringVar(&r.drivers, "drivers", "", "tap: the packages are one program, "+
		"whose systems the tests of these `packages` make")
	fs.StringVar(&r.executed, "executed", "", "tap: a coverage profile of go test in this `file` "+
		"says which blocks are executed")
	fs.BoolVar(&r.list, "list", false, "tap: only list the targets")
	r.kept.add(fs)
	fs.BoolVar(&r.faults, "tests", true, "tap: run the tests of the packages, to learn which blocks they execute, and which with injected faults only")
}

// tapSettings lists the settings, ours first.
func tapSettings() []string {
	list := []string{ours}
	for _, s := range tap.Settings() {
		list = append(list, string(s))
	}
	return list
}

// check says what is wrong with the flags.
func (r *tapRun) check() (err error) {
	for _, s := range strings.Split(r.settings, ",") {
		if !slices.Contains(tapSettings(), s) {
			return fmt.Errorf("-settings %s: there is no %q: want some of %s", r.settings, s, strings.Join(tapSettings(), ", "))
		}
		r.chosen = append(r.chosen, s)
	}
	for _, c := range strings.Split(r.chances, ",") {
		seed, err := strconv.ParseUint(c, 10, 64)
		if err != nil || slices.Contains(r.seeds, seed) {
			return fmt.Errorf("-chances %s: want different numbers with commas between", r.chances)
		}
		r.seeds = append(r.seeds, seed)
	}
	if r.executed != "" {
		r.faults = false // it says what the tests would
	}
	if r.steps < 1 || r.sample < 0 {
		return fmt.Errorf("-steps %d, -sample %d: want at least 1 step, and no negative number", r.steps, r.sample)
	}
	if r.model != "" {
		if r.as, err = trace.ParseModel(r.model); err != nil || r.as == trace.DefaultModel {
			return fmt.Errorf("-model %s: want bag, fifo, causal, mailbox or mailbox-serial", r.model)
		}
	}
	return nil
}

// run does the experiment on packages, all of the table if there are none.
func (r *tapRun) run(s cli.Streams, packages []string) (int, error) {
	if os.Getenv("GOGC") == "" { // terms are many and small
		defer debug.SetGCPercent(debug.SetGCPercent(300))
	}
	ctx := context.Background()
	if err := r.open(packages); err != nil {
		return 0, err
	}
	if err := r.kept.open(r); err != nil {
		return 0, err
	}
	defer r.kept.close()
	projects, err := r.projects(ctx, s, packages)
	if err != nil {
		return 0, err
	}
	if r.list {
		return cli.ExitOK, listTAP(s, projects)
	}
	dir, remove, err := files.TempFolder("rehearse-reproduce")
	if err != nil {
		return 0, err
	}
	defer remove()
	for i, p := range projects {
		p.scratch = dir
		p.number()
		r.kept.left(p)
		if err := p.all(ctx, s); err != nil {
			return 0, err
		}
		r.table.add(p)
		p.close()
		projects[i] = nil // its program is large
	}
	code := cli.ExitOK
	if slices.Contains(r.chosen, ours) && slices.ContainsFunc(beyond(r.table.results), (*tapMore).missing) {
		code = cli.ExitFound
	}
	if r.json {
		return code, nil
	}
	return code, r.table.tell(s, r)
}

// open reads what is published.
func (r *tapRun) open(packages []string) (err error) {
	if r.dir, err = os.Getwd(); err != nil {
		return err
	}
	r.table.published, err = published.TAPRows()
	return err
}

// projects reads the packages that have actors, and lists their targets. Each package is a program of its own, with its
// own message flow graph, as in the paper.
func (r *tapRun) projects(ctx context.Context, s cli.Streams, packages []string) (list []*tapProject, err error) {
	if len(packages) == 0 {
		packages = tapPackages
	}
	paths, err := packagePaths(r.dir, packages)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	total := 0
	programs, err := r.programs(paths)
	if err != nil {
		return nil, err
	}
	for _, paths := range programs {
		p, err := r.project(ctx, s, paths...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", paths[0], err)
		}
		if p != nil {
			list = append(list, p)
			total += len(p.targets)
		}
	}
	if total == 0 {
		return nil, errors.New("these packages have no actors")
	}
	fmt.Fprintf(s.Err, "%d targets in %d packages were read in %.1f s\n", total, len(list), time.Since(began).Seconds())
	return list, r.draw(list)
}

// programs divides packages into programs: each is one, unless the systems of all are made elsewhere.
func (r *tapRun) programs(paths []string) (list [][]string, err error) {
	if r.drivers == "" {
		for _, path := range paths {
			list = append(list, []string{path})
		}
		return list, nil
	}
	makers, err := packagePaths(r.dir, strings.Split(r.drivers, ","))
	if err == nil && len(makers) == 0 {
		err = fmt.Errorf("-drivers %s: there are no such packages", r.drivers)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(makers, p) })
	return [][]string{slices.Concat(paths, makers)}, err
}

// project reads a program; nil if it has no actors.
func (r *tapRun) project(ctx context.Context, s cli.Streams, paths ...string) (*tapProject, error) {
	began := time.Now()
	p := &tapProject{run: r, path: paths[0], paths: paths}
	if len(paths) > 1 {
		p.path = commonPath(paths)
	}
	p.timeout, p.model = time.Minute, r.model
	p.config = target.Config{Model: r.as, Steps: tapMessages, Actors: tapCreated}
	p.seconds = tapLimit.Seconds()
	p.dir = r.dir
	var err error
	if p.loaded, err = gentest.Load(r.dir, paths); err != nil {
		return nil, err
	}
	for _, problem := range p.loaded.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	p.store = term.NewStore()
	if p.solver, err = solve.New(p.store, solve.Config{Engine: solve.Embedded}); err != nil {
		return nil, err
	}
	p.begin(p.store, p.solver)
	p.lister = target.NewLister(ctx, p.loaded, p.system.Summaries())
	p.targets = slices.Concat(p.lister.Blocks(), p.lister.Panics())
	p.load = time.Since(began)
	if len(p.targets) == 0 {
		p.close()
		return nil, nil
	}
	return p, nil
}

// draw takes the sample, over all packages.
func (r *tapRun) draw(list []*tapProject) error {
	if r.sample == 0 {
		return nil
	}
	var all []*target.Listed
	of := map[*target.Listed]*tapProject{}
	for _, p := range list {
		for _, t := range p.targets {
			all, of[t] = append(all, t), p
		}
		p.targets = nil
	}
	drawn, err := target.Sample(all, r.sample, r.seed)
	for _, t := range drawn {
		of[t].targets = append(of[t].targets, t)
	}
	return err
}

// commonPath is what all paths begin with.
func commonPath(paths []string) string {
	common := path.Dir(paths[0])
	for _, p := range paths[1:] {
		for common != "." && !strings.HasPrefix(p+"/", common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}

// packagePaths lists the packages that patterns name.
func packagePaths(dir string, patterns []string) ([]string, error) {
	out, err := goCommand(dir, append([]string{"list", "-e"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, path := range strings.Fields(out) {
		if !strings.HasPrefix(path, "_") && filepath.Base(path) != "..." {
			list = append(list, path)
		}
	}
	return list, nil
}
