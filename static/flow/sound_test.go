package flow_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// spy is the file of a test that executes programs and prints who has sent what to whom, and who has created whom.
const spy = `package spied

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"

%s)

type spiedOn struct {
	explore.System
	seen map[string]bool
	left *int // messages, before it is not executed any more
}

// A finding is repeated and minimised, which would take a hundred executions of ten thousand messages in one program.
var errEnough = errors.New("it has sent enough")

func (s spiedOn) Prepare(c explore.Conditions) (func(), error) {
	if p, ok := s.System.(explore.Preparer); ok {
		return p.Prepare(c)
	}
	return func() {}, nil
}

func (s spiedOn) Execute(c explore.Conditions, d explore.Driver) error {
	if *s.left < 0 {
		return errEnough
	}
	return s.System.Execute(c, &spying{Driver: d, seen: s.seen, left: s.left})
}

type spying struct {
	explore.Driver
	x    explore.Execution
	seen map[string]bool
	left *int
}

func (s *spying) Begin(x explore.Execution) *explore.T {
	s.x = x
	return s.Driver.Begin(x)
}

func (s *spying) Finish() {
	tr := s.x.Trace()
	*s.left -= len(tr.Messages)
	for i := range tr.Messages {
		m := &tr.Messages[i]
		s.seen[fmt.Sprintf("SENT %%d|%%s|%%s|%%s", m.Kind, tr.Actors[m.Sender].Type.Name, m.Type.Name, tr.Actors[m.Receiver].Type.Name)] = true
	}
	for i := range tr.Actors {
		if a := &tr.Actors[i]; a.Parent >= 0 {
			s.seen[fmt.Sprintf("MADE %%s|%%s", tr.Actors[a.Parent].Type.Name, a.Type.Name)] = true
		}
	}
	s.Driver.Finish()
}

// An execution goes on where it would end with a violation.
var spiedLevels = rehearse.Levels{rehearse.Panic: rehearse.Off, rehearse.DeadLetter: rehearse.Off, rehearse.OrphanDead: rehearse.Off}

func TestSpied(t *testing.T) {
	for path, systems := range map[string][]explore.System{
%s	} {
		fmt.Println("IN " + path)
		seen := map[string]bool{}
		for _, sys := range systems {
			for _, n := range []int{%s} { // 40 executions of what is not large
				left := 10_000 * n
				res, err := rehearse.Explore(rehearse.Config{Strategy: "random", Seed: 1, Budget: fmt.Sprint(n, "x"), Recheck: -1, Checks: spiedLevels}, spiedOn{sys, seen, &left})
				if err != nil {
					t.Log(err)
				}
				if err != nil && !errors.Is(err, errEnough) || res.Deliveries > 10_000 {
					break
				}
			}
		}
		for l := range seen {
			fmt.Println(l)
		}
		fmt.Println("DONE")
	}
}
`

// sample is how many executions of which examples are compared with which graphs: two of every fourth example with the
// graph that is drawn, with REHEARSE_TOY more, of every one and with all.
func sample() (budgets string, every int, precisions []string) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return "2", 4, []string{flow.Instances}
	}
	return "2, 40", 1, []string{flow.Instances, flow.Branches, flow.Baseline}
}

// spiedPackage is a file that gives the programs of a package.
const spiedPackage = `package %s

import "github.com/rehearse-go/rehearse/explore"

func SpiedOn() []explore.System {
	return []explore.System{
%s	}
}
`

// systems lists the expressions in a package's tests that make a program to explore, of functions of the package and
// constants.
func systems(pkg *load.Package) []string {
	var out []string
	for _, file := range pkg.Syntax {
		if !strings.HasSuffix(pkg.Fset.Position(file.Pos()).Filename, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn, ok := call.Fun.(*ast.Ident)
			if !ok || !isSystem(pkg.TypesInfo.TypeOf(call)) || pkg.TypesInfo.ObjectOf(fn).Parent() != pkg.Types.Scope() {
				return true
			}
			var args []string
			for _, a := range call.Args {
				if !global(pkg, a) {
					return true
				}
				args = append(args, types.ExprString(a))
			}
			out = append(out, fn.Name+"("+strings.Join(args, ", ")+")")
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isSystem(t types.Type) bool {
	if t == nil {
		return false
	}
	s := t.String()
	return s == "github.com/rehearse-go/rehearse.System" || s == "*github.com/rehearse-go/rehearse/actor.System" ||
		s == "github.com/rehearse-go/rehearse/explore.System"
}

// global reports whether an expression means the same anywhere in its package, without imports.
func global(pkg *load.Package, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr, *ast.CompositeLit, *ast.FuncLit:
			ok = false
		case *ast.Ident:
			if o := pkg.TypesInfo.ObjectOf(n); o != nil && o.Parent() != pkg.Types.Scope() && o.Parent() != types.Universe {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// spied executes the programs of the tests of packages and gives what happened, a line each, by package. files stand
// for others in the folder of the module that has the framework.
//
// Each package with its tests becomes a package of another place, which gives its programs, and all of them are linked
// once. Those that the sample lacks keep their number, by which go build knows the others.
func spied(t *testing.T, of, dir string, files map[string]string, all ...*load.Program) map[string][]string {
	t.Helper()
	module := "github.com/rehearse-go/rehearse/" + strings.TrimPrefix(frameworks[of].module, "../../")
	place, temp := filepath.Join(dir, "zz_spied"), t.TempDir()
	overlay := map[string]map[string]string{"Replace": maps.Clone(files)}
	write := func(as, text string) {
		file := filepath.Join(temp, fmt.Sprintf("%d.go", len(overlay["Replace"])))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][as] = file
	}
	var imports, lists strings.Builder
	seen, roots := map[string][]string{}, 0
	budgets, every, _ := sample()
	for _, p := range all {
		for _, pkg := range p.Packages {
			made := systems(pkg)
			if !pkg.Root || len(made) == 0 {
				continue
			}
			number, path := roots, strings.TrimSuffix(pkg.PkgPath, "_test")
			if roots++; strings.Contains(path, "/examples/") && number%every != 0 {
				continue
			}
			name := fmt.Sprint(number, "/", pkg.Name) // types are named after the last element of their package's path
			if seen[path] != nil {
				t.Fatalf("%s has programs in two packages of tests", path)
			}
			for i, file := range pkg.GoFiles {
				overlay["Replace"][filepath.Join(place, name, fmt.Sprintf("f%d.go", i))] = cmp.Or(files[file], file)
			}
			write(filepath.Join(place, name, "programs.go"),
				fmt.Sprintf(spiedPackage, pkg.Name, "\t\t"+strings.Join(made, ",\n\t\t")+",\n"))
			fmt.Fprintf(&imports, "\tp%d \"%s/zz_spied/%s\"\n", number, module, name)
			fmt.Fprintf(&lists, "\t\t%q: p%d.SpiedOn(),\n", path, number)
			seen[path] = []string{}
		}
	}
	write(filepath.Join(place, "spied_test.go"), fmt.Sprintf(spy, imports.String(), lists.String(), budgets))
	data, err := json.Marshal(overlay)
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, "overlay.json"), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(temp, "spied.test")
	run(t, dir, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", filepath.Join(temp, "overlay.json"), "-o",
		program, "./zz_spied")
	path := ""
	for line := range strings.Lines(run(t, temp, program, "-test.run=^TestSpied$")) {
		line = strings.TrimSpace(line)
		if in, ok := strings.CutPrefix(line, "IN "); ok {
			path = in
		} else if path != "" {
			seen[path] = append(seen[path], line)
		}
	}
	for path, lines := range seen {
		if !slices.Contains(lines, "DONE") {
			t.Fatalf("%s was not executed: %q", path, lines)
		}
	}
	return seen
}

// run runs a program in a folder and gives what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REHEARSE_") })
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// name gives an actor's name in traces.
func name(a *flow.Actor) string {
	if a.Environment {
		return "Driver"
	}
	return a.Name
}

// withSpawners gives the edges of a graph and those that Hollywood makes of them: an actor handles its first messages
// in the step of who spawns it, to whom traces ascribe what it sends.
func withSpawners(g *flow.Graph) []*flow.Edge {
	all := slices.Clone(g.Edges)
	for i := 0; i < len(all); i++ {
		e := *all[i]
		if e.From.Environment || e.In != "actor.Initialized" && e.In != "actor.Started" && e.In != "" {
			continue // "": handlers are not told apart
		}
		for _, by := range g.Edges {
			e.From, e.In = by.From, by.In
			if by.Kind == flow.Create && by.To == all[i].From && !slices.ContainsFunc(all, func(x *flow.Edge) bool {
				return x.From == e.From && x.In == e.In && x.Kind == e.Kind && x.To == e.To && x.Message == e.Message
			}) {
				one := e
				all = append(all, &one)
			}
		}
	}
	return all
}

// missing lists what happened in executions that there is no edge for.
func missing(edges []*flow.Edge, happened []string) []string {
	has := map[string]bool{}
	for _, e := range edges {
		if e.Kind == flow.Create {
			has["MADE "+name(e.From)+"|"+name(e.To)] = true
		} else {
			has[name(e.From)+"|"+e.Message+"|"+name(e.To)] = true
		}
		if e.Kind == flow.Timer { // nobody is seen to send what a timer sends: it counts as the receiver's
			has["3|"+name(e.To)+"|"+e.Message+"|"+name(e.To)] = true
		}
	}
	var out []string
	for _, line := range happened {
		sent, isSent := strings.CutPrefix(line, "SENT ")
		class, edge, _ := strings.Cut(sent, "|")
		switch {
		// the framework's own actors
		case strings.HasPrefix(line, "MADE Driver|actor."), strings.HasPrefix(line, "MADE Driver|goakt."):
		case strings.HasPrefix(line, "MADE ") && !has[line]:
			out = append(out, line)
		case isSent && class != "1" && class != "4" && !has[edge] && !has[sent] &&
			!flow.SentByFramework(strings.Split(edge, "|")[1]):
			// 1: system messages, 4: resumptions
			out = append(out, line)
		}
	}
	return out
}

// unseen lists the edges between actors of a package that no execution showed.
func unseen(g *flow.Graph, path string, happened []string) []string {
	var out []string
	for _, e := range g.Edges {
		at := e.From
		if at.Environment {
			at = e.To
		}
		if at.Pkg != path && at.Pkg != path+"_test" || e.Kind == flow.Watch {
			continue
		}
		edge := name(e.From) + "|" + e.Message + "|" + name(e.To)
		if e.Kind == flow.Create {
			edge = "MADE " + name(e.From) + "|" + name(e.To)
		}
		if !slices.ContainsFunc(happened,
			func(line string) bool { return line == edge || strings.HasSuffix(line, "|"+edge) }) {
			out = append(out, string(e.Kind)+" "+edge)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Everything that happens in an execution of an example or a subject is in its graph, with every precision.
func TestSound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tests of all examples")
	}
	dir, files, framework := frameworkPrograms(t, "proto")
	all := map[string]*load.Program{"examples": read(t, "../../examples", "./..."),
		"subjects": read(t, "../..", "./subjects"), "framework": framework}
	// In one order, since the packages are numbered: then go build has them from the last time.
	seen := spied(t, "proto", dir, files, all["examples"], all["subjects"], all["framework"])
	for name, p := range all {
		t.Run(name, func(t *testing.T) {
			sound(t, seen, p, 100, func(g *flow.Graph) []*flow.Edge { return g.Edges })
		})
	}
}

// So it is with programs of Hollywood and GoAkt.
func TestSoundElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for of, least := range map[string]int{"hollywood": 60, "goakt": 20} {
		t.Run(of, func(t *testing.T) {
			dir, files, p := frameworkPrograms(t, of)
			sound(t, spied(t, of, dir, files, p), p, least, withSpawners)
		})
	}
}

// sound compares what happened with the graphs of all precisions. least is how much does at least.
func sound(t *testing.T, seen map[string][]string, all *load.Program, least int,
	edges func(*flow.Graph) []*flow.Edge) {

	steps := 0
	_, every, precisions := sample()
	for path, happened := range seen {
		if len(only(all, path).Packages) == 0 {
			continue // of another program
		}
		for _, precision := range precisions {
			g, err := flow.Build(only(all, path), flow.Config{Precision: precision})
			if err != nil || len(g.Partial) > len(beyond[filepath.Base(path)]) {
				t.Errorf("%s: %v, missing %q", path, err, g.Partial)
			}
			for _, m := range missing(edges(g), happened) {
				t.Errorf("%s, %s: the graph has no %s", path, precision, m)
			}
			for _, e := range unseen(g, path, happened) {
				t.Logf("%s, %s: in no execution: %s", path, precision, e)
			}
		}
		steps += len(happened)
	}
	if steps < least/every {
		t.Errorf("only %d lines of what happened", steps)
	}
	t.Logf("%d different sends and creations are in the graphs", steps)
}
