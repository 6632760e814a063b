package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file holds the executor to what compiled functions do. Random functions are compiled and run on concrete inputs.
// Each run satisfies the conditions of one path and no other; unless that is cut, it tells how the run ends, what it
// gives, and what the arguments lead to afterwards.

// comparisons is how many functions are run on how many random inputs: REHEARSE_EXEC_TWIN runs, by default a second's
// worth, with REHEARSE_TOY three. Finding the paths of a function costs more than a run of it, so long twins make more
// runs of each.
func comparisons(t *testing.T) (functions, each int) {
	functions, each = 8, 20
	if os.Getenv("REHEARSE_TOY") != "" {
		functions = 24
	}
	if s := os.Getenv("REHEARSE_EXEC_TWIN"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < each {
			t.Fatalf("REHEARSE_EXEC_TWIN is %q: want a number of comparisons, at least %d", s, each)
		}
		if n >= 1000 {
			each = 80
		}
		functions = n / each
	}
	return functions, each
}

// twinProgram is a generated program, compiled for real and loaded for the executor.
type twinProgram struct {
	dir     string
	program *exec.Program
	loaded  *load.Program
	store   *term.Store
	solver  solve.Solver
}

// flow has values of all types that inputs hold come to the functions. They are called by reflection, which no analysis
// of the source follows.
const flow = `func init() {
	held := []any{P{}, &P{}, V{}, Square{}, &Circle{}, 1, "", []int(nil)}
	hold(held...)
	if len(functions) > 0 {
		return
	}
	for _, i := range held {
		for _, h := range []Shape{Square{}, &Circle{}} {
			calls(&P{I: i, Q: &Q{G: h}}, i, h, &K{Shape: h})
		}
	}
}

func calls(s *P, i any, h Shape, k *K) {
	k.Any.Store(i)
	k.Map.Store(1, i)
	k.Map.Store("", i)
`

// newTwin writes, loads and compiles a program with random functions.
func newTwin(t *testing.T, sources []string) *twinProgram {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	var table strings.Builder
	table.WriteString(harness + "\nvar functions = map[string]any{\n")
	for i := range sources {
		fmt.Fprintf(&table, "%q: F%d,\n", fmt.Sprintf("F%d", i), i)
	}
	table.WriteString("}\n\n" + flow)
	for i := range sources {
		fmt.Fprintf(&table, "\tF%d(s, s.Q, s.V, 0, 0, 0, 0, 0, false, \"\", nil, nil, nil, nil, i, h, k, k)\n", i)
	}
	table.WriteString("}\n")
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26.0\n", "main.go": table.String(), "f/f.go": ""} {
		if name == "f/f.go" {
			name, text = "f.go", prelude+"\n"+strings.Join(sources, "\n")
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := osexec.Command("go", "build", "-C", dir, "-o", "m", ".").CombinedOutput(); err != nil {
		t.Fatalf("the generated program does not compile: %v\n%s", err, out)
	}
	p, err := load.Config{Dir: dir, Patterns: []string{"."}, NoTests: true}.Load()
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	return &twinProgram{dir, exec.New(p), p, store, newSolver(t, store)}
}

// task is a run of a function on an input.
type task struct {
	F    string
	Args []*node

	made *exec.Path // the one that the input was made for
}

// run executes tasks for real.
func (p *twinProgram) run(t *testing.T, tasks []task) []string {
	t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, k := range tasks {
		if err := e.Encode(k); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := osexec.CommandContext(ctx, filepath.Join(p.dir, "m"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the generated program: %v", err)
	}
	var results []string
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var s string
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
		results = append(results, s)
	}
	if len(results) != len(tasks) {
		t.Fatalf("%d results of %d runs", len(results), len(tasks))
	}
	return results
}

// tally counts what came of the comparisons.
type tally struct {
	compared, cut, inexact, broken int
	solved                         int // inputs that were made to take a path
	paths, cutPaths, queries       int
	exits                          map[string]int
}

// twinConfig has inputs whose pointers share memory.
var twinConfig = exec.Config{Alias: true, Paths: 400}

func TestTwinRandomFunctions(t *testing.T) {
	functions, each := comparisons(t)
	seed := uint64(1)
	if s := os.Getenv("REHEARSE_EXEC_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	all := &tally{exits: map[string]int{}}
	const batch = 100
	for done := 0; done < functions; done += batch {
		var sources []string
		for i := range min(batch, functions-done) {
			sources = append(sources, newGen(seed<<32+uint64(done+i)).function(fmt.Sprintf("F%d", i)))
		}
		p := newTwin(t, sources)
		for i := range sources {
			p.compare(t, i, each, seed<<32+uint64(done+i), sources[i], all)
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d comparisons of %d functions, %d of them on inputs that were made to take a path, %d with a path: %d in paths that are cut, %d inexact; %d paths, %d of them cut, %d questions\n%v",
		all.compared, functions, all.solved, all.compared-all.cut-all.inexact,
		all.cut, all.inexact, all.paths, all.cutPaths, all.queries, all.exits)
	if all.compared < 2*(all.cut+all.inexact) {
		t.Errorf("only %d of %d runs were compared", all.compared-all.cut-all.inexact, all.compared)
	}
}

// compare explores one function, and holds its paths to runs.
func (p *twinProgram) compare(t *testing.T, i, each int, seed uint64, source string, all *tally) {
	t.Helper()
	pkg := p.loaded.Packages[0]
	fn := pkg.SSA.Func(fmt.Sprintf("F%d", i))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	solver := p.solver.Scope()
	defer solver.Close()
	result := p.program.Explore(ctx, p.store, solver, exec.Entry{Fn: fn}, twinConfig)
	if result.Defect != "" {
		t.Errorf("defect: %s\n%s", result.Defect, source)
		return
	}
	all.paths, all.queries = all.paths+len(result.Paths), all.queries+result.Queries
	var tasks []task
	for k := range each {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, uint64(k))), pkg: pkg.Types, ptrs: map[string][]*node{}}
		k := task{F: fn.Name()}
		for _, v := range fn.Params {
			k.Args = append(k.Args, m.make(v.Type()))
		}
		tasks = append(tasks, k)
	}
	solved := 0
	for i, path := range result.Paths {
		if path.Exit == exec.Cut {
			all.cutPaths++
		} else if i%(1+len(result.Paths)/each) == 0 { // some of them, from everywhere
			if args := p.solve(ctx, solver, path, fn.Signature, seed); args != nil {
				tasks = append(tasks, task{fn.Name(), args, path})
				solved++
			}
		}
	}
	all.solved += solved
	for k, got := range p.run(t, tasks) {
		if why := p.judge(result, fn.Signature, tasks[k], got, all); why != "" {
			in, _ := json.Marshal(tasks[k].Args)
			t.Errorf("%s\ninput %s\n%s", why, in, source)
			return
		}
	}
}

// judge holds the paths to one run: "" if all is well.
func (p *twinProgram) judge(result *exec.Result, sig *types.Signature, k task, got string, all *tally) string {
	var taken []*exec.Path
	var in *concrete.Input
	farthest, near := -1, ""
	for _, path := range result.Paths {
		c := p.concrete(path, sig, k)
		n := c.Fails()
		if n == len(path.PC) {
			taken, in = append(taken, path), c
		} else if n > farthest {
			farthest, near = n, path.PC[n].Term.String()
		}
	}
	all.compared++
	switch {
	case len(taken) == 0 && !result.Complete():
		all.cut++
		return ""
	case len(taken) != 1:
		return fmt.Sprintf("%d paths hold, want one\n%s\nof others the farthest holds up to %s\nthe run:\n%s", len(taken), conditions(taken), near, got)
	}
	path := taken[0]
	if k.made != nil && k.made != path && !unsure(k.made) {
		return fmt.Sprintf("the input was made for path %v\n%s", k.made.Decisions, conditions([]*exec.Path{k.made, path}))
	}
	all.exits[path.Exit.String()+" "+path.Why]++
	switch {
	case path.Exit == exec.Cut:
		all.cut++
		return ""
	case !path.Exact() || concrete.DependsOnCapacity(path):
		all.inexact++
		return ""
	}
	want := p.expected(in, sig)
	if in.Broken {
		all.broken++
		return "a term could not be evaluated"
	}
	if got = plain(got); want != got {
		return fmt.Sprintf("the path tells\n%s\nthe run\n%s\n%s", want, got, conditions(taken))
	}
	return ""
}

// runtimeTexts are the panics of Go's runtime as it tells them, and as paths do.
var runtimeTexts = [][2]string{
	{"runtime error: invalid memory address or nil pointer dereference", "nil dereference"},
	{"runtime error: index out of range", "index out of range"},
	{"runtime error: slice bounds out of range", "slice bounds out of range"},
	{"assignment to entry in nil map", "assignment to entry in nil map"},
	{"runtime error: integer divide by zero", "integer divide by zero"},
	{"runtime error: negative shift amount", "negative shift amount"},
	{"runtime error: comparing uncomparable type", "comparing or hashing an uncomparable type"},
	{"runtime error: hash of unhashable type", "comparing or hashing an uncomparable type"},
	{"interface conversion", "interface conversion"},
	{"runtime error: makeslice", "makeslice: length or capacity out of range"},
	{"panic called with nil argument", "panic called with nil argument"},
}

// plain gives what a run has done with the panic of Go's runtime as paths tell it.
func plain(got string) string {
	first, rest, _ := strings.Cut(got, "\n")
	for _, row := range runtimeTexts {
		if strings.HasPrefix(first, "panic "+row[0]) {
			return "panic " + row[1] + "\n" + rest
		}
	}
	return got
}

// unsure reports whether an input that satisfies the conditions may take another path: they depend on what the solver
// knows nothing of, or on the order of a map. Further entries of a map have no order of their own, so another path may
// have them the other way round.
func unsure(p *exec.Path) bool {
	return slices.ContainsFunc(p.Marks, func(m exec.Mark) bool { return m.Kind == exec.Unsure || m.Kind == exec.Order }) ||
		slices.ContainsFunc(p.Inputs, func(in exec.Input) bool { return in.At.Step == exec.FreshKey && in.At.Index > 0 })
}

func conditions(paths []*exec.Path) string {
	var b strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&b, "path %v, %v %s:\n", p.Decisions, p.Exit, p.Why)
		for _, c := range p.PC {
			fmt.Fprintf(&b, "\t%s\n", c.Term.String())
		}
	}
	return b.String()
}

// concrete gives the input as the path sees it.
func (p *twinProgram) concrete(path *exec.Path, sig *types.Signature, k task) *concrete.Input {
	roots := map[string]*node{}
	for i, a := range k.Args {
		roots[sig.Params().At(i).Name()] = a
	}
	return concrete.New(p.program, path, roots)
}

// expected writes what the path tells, as the harness writes what a run has done.
func (p *twinProgram) expected(c *concrete.Input, sig *types.Signature) string {
	d := concrete.NewDumper(c)
	switch path := c.Path; {
	case path.Exit == exec.Panic && path.Panic == nil:
		fmt.Fprintf(d, "panic %s\n", path.Why)
	case path.Exit == exec.Panic:
		d.WriteString("panic ")
		d.Dump(path.Panic, types.NewInterfaceType(nil, nil))
		d.WriteString("\n")
	}
	for i, v := range c.Path.Results {
		d.Dump(v, sig.Results().At(i).Type())
		d.WriteString("\n")
	}
	for i, v := range c.Path.Args {
		d.Dump(v, sig.Params().At(i).Type())
		d.WriteString("\n")
	}
	return d.String()
}
