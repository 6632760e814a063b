package tap_test

import (
	"go/constant"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds the engine to the brute-force twin of random small systems: no place that it calls infeasible can be
// reached, what it finds is executed symbolically, and the search over summaries finds it with as many messages.
// REHEARSE_TOY=n compares 8 n systems, from seed REHEARSE_TOY_FROM on; the default is one.

// The bounds of the comparison. All are steps: a loaded machine does not end a search earlier. The search over
// summaries has far more than it needed for any place of the first 48 systems: 199 nodes, 4 plans and 240 questions.
const (
	toyRuns    = 3
	toyOutside = 2
	toySteps   = 1_000
	toyNodes   = 10_000
	toyFollows = 100
	toyQueries = 20_000
	noClock    = time.Duration(math.MaxInt64)
)

func TestToys(t *testing.T) { twins(t, toysys.Random, 2, 8) }

// Systems whose actors have maps, and go through them. Their conditions take the solver long.
func TestToyMaps(t *testing.T) { twins(t, toysys.Mapped, 4, 5) }

// twins compares the system of a seed, with REHEARSE_TOY=n those of n times so many.
func twins(t *testing.T, random func(seed uint64) *toysys.System, seed uint64, many int) {
	t.Helper()
	seeds := []uint64{seed}
	if n, err := strconv.Atoi(os.Getenv("REHEARSE_TOY")); err == nil {
		seeds = nil
		from, _ := strconv.Atoi(os.Getenv("REHEARSE_TOY_FROM"))
		for i := range many * n {
			seeds = append(seeds, uint64(from+i))
		}
	}
	// The message flow graph does not have all actors that are functions, which keeps whoever is read with them from
	// "infeasible".
	kinds := map[bool][]*toysys.System{}
	for _, seed := range seeds {
		s := random(seed)
		functions := slices.Contains(s.Features(), "function")
		kinds[functions] = append(kinds[functions], s)
	}
	said := map[string]int{}
	for _, kind := range kinds {
		for some := range slices.Chunk(kind, 20) {
			compareToys(t, some, said)
		}
	}
	if said["reached, found"] == 0 || said["not reached, infeasible"] == 0 {
		t.Error("nothing was compared")
	}
	for _, what := range sortedKeys(said) {
		t.Logf("%5d %s", said[what], what)
	}
}

func sortedKeys(m map[string]int) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// compareToys reads systems as one program, and compares all places of each under both models.
func compareToys(t *testing.T, systems []*toysys.System, said map[string]int) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := toysys.TestModule(t, systems, false)
	s := open(t, dir, "./...")
	other := target.New(s.load, s.system.Summaries(), s.store, s.system)
	for i, toy := range systems {
		x := &toySubject{s, other, toy, s.toyStart(toysys.Package(i)), s.marked(toysys.Package(i)), said}
		for _, m := range []trace.Model{trace.Bag, trace.FIFO} {
			x.compare(m)
		}
	}
}

// toyStart executes the driver of a package.
func (s *subject) toyStart(pkg string) *system.Start {
	s.t.Helper()
	for _, p := range s.load.Packages {
		if !strings.HasSuffix(p.PkgPath, "/"+pkg) {
			continue
		}
		for _, d := range s.system.DriversOf(p.SSA.Func("System")) {
			start, err := s.system.Start(s.t.Context(), d, system.Config{})
			if err != nil {
				s.t.Fatal(err)
			}
			return start
		}
	}
	s.t.Fatalf("there is no driver in %s", pkg)
	return nil
}

// marked gives the blocks of a package that call reached, by number.
func (s *subject) marked(pkg string) map[int]*ssa.BasicBlock {
	all := map[int]*ssa.BasicBlock{}
	for _, fn := range s.load.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(*ssa.Call)
				if ok && c.Call.StaticCallee() != nil && c.Call.StaticCallee().Name() == "reached" && strings.HasSuffix(c.Call.StaticCallee().Pkg.Pkg.Path(), "/"+pkg) {
					n, _ := constant.Int64Val(c.Call.Args[0].(*ssa.Const).Value)
					all[int(n)] = b
				}
			}
		}
	}
	return all
}

// toySubject is a random system, and its twin.
type toySubject struct {
	*subject
	other  *target.Engine
	toy    *toysys.System
	start  *system.Start
	places map[int]*ssa.BasicBlock
	said   map[string]int
}

func (x *toySubject) compare(m trace.Model) {
	x.t.Helper()
	b := toysys.Bounds{Model: m, Outside: toyOutside, Runs: toyRuns, States: 20_000}
	for _, sh := range x.start.Shapes {
		name := sh.Type.String()
		n, err := strconv.Atoi(name[strings.LastIndex(name, ".M")+2:])
		if err != nil {
			x.t.Fatal(err)
		}
		b.Shapes = append(b.Shapes, toysys.Shape{To: sh.To, Type: n})
	}
	want := x.toy.Reach(b)
	if want.Over {
		x.said["too large"]++
		return
	}
	for l := range x.toy.Labels {
		if x.places[l] == nil {
			x.said["a panic of Go's runtime, which is no block"]++
			continue
		}
		c := tap.Of(tap.Feedback)
		c.FIFO, c.Runs, c.Outside, c.Steps = m == trace.FIFO, toyRuns, toyOutside, toySteps
		a := x.search(x.start, system.Goal{Block: x.places[l]}, c)
		runs, yes := want.Runs[l]
		what := "not reached, "
		if yes {
			what = "reached, "
		}
		x.said[what+string(a.Verdict)]++
		if x.toy.Has("become") {
			x.said["with Become: "+what+string(a.Verdict)]++
		}
		switch {
		case a.Verdict == tap.Infeasible && yes:
			x.t.Errorf("seed %d, %v: place %d is called infeasible, and reached in %d runs: %s", x.toy.Seed, m, l, runs, strings.Join(want.Ways[l], "; "))
		case a.Verdict == tap.Found:
			x.found(m, l, yes, a)
		}
	}
}

// found holds what was found to the twin, to an execution, and to the search over summaries.
func (x *toySubject) found(m trace.Model, l int, yes bool, a *tap.Answer) {
	x.t.Helper()
	goal := system.Goal{Block: x.places[l]}
	if _, err := x.system.Follow(x.t.Context(), x.start, a.Plan, goal, system.Config{}); err != nil {
		x.t.Errorf("seed %d, %v: place %d (reached by the twin: %v) is found, and %d messages do not lead there: %v", x.toy.Seed, m, l, yes, len(a.Plan.Steps), err)
		return
	}
	b, err := x.other.Reach(x.t.Context(), x.start, &target.Target{Goal: goal, Name: strconv.Itoa(l)},
		target.Config{Model: m, Steps: a.Runs, Outside: toyOutside, Actors: 30, Nodes: toyNodes, Follows: toyFollows, Queries: toyQueries, Timeout: noClock})
	if err != nil {
		x.t.Fatal(err)
	}
	if x.said["by summaries "+b.Verdict.String()]++; b.Verdict != target.Found {
		x.t.Errorf("seed %d, %v: place %d is found with %d messages, by summaries %s: %s %v", x.toy.Seed, m, l, a.Runs, b.Verdict, b.Why, b.Reasons)
	}
}
