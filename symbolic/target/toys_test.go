package target_test

import (
	"fmt"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds searches for targets to the twin of random small systems, under five delivery models: whatever a search finds can be reached, and what it calls
// infeasible cannot, within the bounds. REHEARSE_TOY=1 compares 40 systems, REHEARSE_TOY=25 a thousand, from seed REHEARSE_TOY_FROM on.

// The bounds of all comparisons.
const (
	toyRuns    = 3 // handlers that are run
	toyOutside = 2 // messages from outside
	toyStates  = 20_000
)

// toys are random systems that were read.
type toys struct {
	systems []*toysys.System
	starts  []*system.Start
	loaded  *load.Program
	program *system.Program
	engine  *target.Engine
	claims  []claim
}

// number gives the value of a variable of the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// few are the seeds of a default run: those whose searches are short.
var few = []uint64{2, 5, 8}

// eachToys reads systems, twenty at a time.
func eachToys(t *testing.T, do func(x *toys)) {
	seeds := few
	if times := number("REHEARSE_TOY", 0); times > 0 {
		seeds = nil
		for i := range 40 * times {
			seeds = append(seeds, uint64(number("REHEARSE_TOY_FROM", 0)+i))
		}
	}
	for some := range slices.Chunk(seeds, 20) {
		var systems []*toysys.System
		for _, seed := range some {
			systems = append(systems, toysys.Random(seed))
		}
		do(readToys(t, systems))
	}
}

func readToys(t *testing.T, systems []*toysys.System) *toys {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = toysys.Module(dir, root, systems, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	loaded, store, solver := read(t, dir, "./...")
	p := system.New(loaded, store, solver)
	x := &toys{systems: systems, loaded: loaded, program: p, engine: target.New(loaded, p.Summaries(), store, p)}
	for i := range systems {
		x.starts = append(x.starts, x.start(t, i))
	}
	return x
}

// pkg gives the package of a system.
func (x *toys) pkg(i int) *ssa.Package {
	for _, p := range x.loaded.Packages {
		if strings.HasSuffix(p.PkgPath, "/"+toysys.Package(i)) {
			return p.SSA
		}
	}
	panic("no package " + toysys.Package(i))
}

// start executes the driver of a system.
func (x *toys) start(t *testing.T, i int) *system.Start {
	t.Helper()
	ds := x.program.DriversOf(x.pkg(i).Func("System"))
	if len(ds) != 1 {
		t.Fatalf("seed %d: %d drivers, want 1", x.systems[i].Seed, len(ds))
	}
	s, err := x.program.Start(t.Context(), ds[0], system.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Inexact) > 0 || len(s.Actors) != len(x.systems[i].Start) || len(s.Sent) != len(x.systems[i].Sends) {
		t.Errorf("seed %d: a start of %d actors that sends %d messages, inexact %v", x.systems[i].Seed, len(s.Actors), len(s.Sent), s.Inexact)
	}
	return s
}

// places gives the blocks of the calls of reached, by number.
func (x *toys) places(t *testing.T, i int) map[int]*ssa.BasicBlock {
	t.Helper()
	marker, found := x.pkg(i).Func("reached"), map[int]*ssa.BasicBlock{}
	for _, fn := range x.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() == marker {
					n, _ := constant.Int64Val(c.Call.Args[0].(*ssa.Const).Value)
					found[int(n)] = b
				}
			}
		}
	}
	if len(found) != x.systems[i].Labels {
		t.Fatalf("seed %d: %d places in the program, want %d", x.systems[i].Seed, len(found), x.systems[i].Labels)
	}
	return found
}

// shapes gives the shapes of a start for the twin: those that a search uses.
func shapes(t *testing.T, s *system.Start, all bool) (list []toysys.Shape) {
	t.Helper()
	for _, sh := range s.Shapes {
		if all || sh.Sent {
			list = append(list, toysys.Shape{To: sh.To, Type: typeNumber(t, sh.Type)})
		}
	}
	return list
}

// typeNumber gives the index of a message type of a system.
func typeNumber(t *testing.T, ty types.Type) int {
	t.Helper()
	name := ty.String()
	n, err := strconv.Atoi(name[strings.LastIndex(name, ".M")+2:])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestToys(t *testing.T) {
	back, forth := map[string]int{}, map[string]int{}
	ways := 0
	eachToys(t, func(x *toys) {
		for i := range x.systems {
			places := x.places(t, i)
			for _, m := range toysys.Models {
				x.backward(t, i, m, places, back)
				x.forward(t, i, m, false, places, forth)
				x.forward(t, i, m, true, places, forth)
			}
		}
		ways += len(x.claims)
		for i, said := range executed(t, x.systems, x.claims) {
			if c := x.claims[i]; said != "covered" {
				t.Errorf("seed %d, %v: the way to place %d, messages %v, order %v: %s", x.systems[c.System].Seed, c.Model, c.Place, c.Sends, c.Order, said)
			}
		}
	})
	t.Log("ways that were executed:", ways)
	t.Log("backward:", back)
	t.Log("forward:", forth)
	if back["found"] < 60 || back["infeasible"] < 30 || forth["both"] < 50 || forth["neither"] < 100 {
		t.Error("too few places are decided: want 60 found and 30 infeasible, and 50 that both reach and 100 that neither does")
	}
}

// backward compares the answers of the backward search.
func (x *toys) backward(t *testing.T, i int, m trace.Model, places map[int]*ssa.BasicBlock, tally map[string]int) {
	t.Helper()
	b := toysys.Bounds{Model: m, Outside: toyOutside, Runs: toyRuns, States: toyStates, Shapes: shapes(t, x.starts[i], true)}
	want := x.systems[i].Reach(b)
	if want.Over {
		tally["too large"]++
		return
	}
	for l := range x.systems[i].Labels {
		a, err := x.engine.Reach(t.Context(), x.starts[i], &target.Target{Goal: system.Goal{Block: places[l]}, Name: fmt.Sprint(l)},
			target.Config{Model: m, Steps: toyRuns, Outside: toyOutside, Timeout: time.Hour, Nodes: 40, Queries: 2000, Follows: 20, Runs: 100})
		if err != nil {
			t.Fatal(err)
		}
		tally[x.judge(t, i, l, b, want, a)]++
	}
}

// judge says what an answer is, by what the twin says of the place.
func (x *toys) judge(t *testing.T, i, l int, b toysys.Bounds, want *toysys.Reached, a *target.Answer) string {
	t.Helper()
	s := x.systems[i]
	runs, yes := want.Runs[l]
	if a.Verdict == target.Found {
		x.claims = append(x.claims, claimOf(i, l, b.Model, a.Way, func(e system.External) int { return typeNumber(t, e.Type) }))
	}
	switch {
	case a.Verdict == target.Infeasible && yes:
		t.Errorf("seed %d, %v: place %d is called infeasible, and reached in %d runs: %s", s.Seed, b.Model, l, runs, strings.Join(want.Ways[l], "; "))
	case a.Verdict == target.Found && !yes: // with what is filled in, it may be beyond the bounds
		b.Runs, b.Outside, b.States = len(a.Way.Order), max(b.Outside, len(a.Way.Outside)), 5*toyStates
		if more := s.Reach(b); more.Over || more.Runs[l] > 0 {
			return "found beyond the bounds"
		}
		t.Errorf("seed %d, %v: place %d is found and cannot be reached: %v", s.Seed, b.Model, l, a.Way.Order)
	case a.Verdict == target.GaveUp && yes:
		return "gave up, reachable"
	}
	return a.Verdict.String()
}

// forward compares what both reach.
func (x *toys) forward(t *testing.T, i int, m trace.Model, async bool, places map[int]*ssa.BasicBlock, tally map[string]int) {
	t.Helper()
	s := x.systems[i]
	want := s.Reach(toysys.Bounds{Model: m, Async: async, Outside: toyOutside, Runs: toyRuns, States: toyStates, Shapes: shapes(t, x.starts[i], false)})
	if want.Over {
		tally["too large"]++
		return
	}
	got := x.program.Search(t.Context(), x.starts[i], nil, m,
		system.Bounds{Steps: toyRuns, Outside: toyOutside, Actors: 30, Runs: 400, Config: system.Config{Async: async}})
	for l, block := range places {
		switch _, yes := want.Runs[l]; {
		case got.Blocks[block] && !yes:
			t.Errorf("seed %d, %v, async %v: place %d is found and cannot be reached", s.Seed, m, async, l)
		case yes && !got.Blocks[block] && got.Complete():
			t.Errorf("seed %d, %v, async %v: place %d is not found, and reached in %d runs: %s", s.Seed, m, async, l, want.Runs[l], strings.Join(want.Ways[l], "; "))
		case yes && got.Blocks[block]:
			tally["both"]++
		case got.Complete():
			tally["neither"]++
		default:
			tally["cut"]++
		}
	}
}

// A message from outside may hold a reference to the driver, to which the handler sends.
func TestReferenceToTheDriver(t *testing.T) {
	x := readToys(t, []*toysys.System{toysys.Random(1092)})
	got := x.program.Search(t.Context(), x.starts[0], []system.Goal{{Block: x.places(t, 0)[3]}}, trace.Bag, system.Bounds{Steps: 1, Outside: 1})
	if got.Ways[0] == nil {
		t.Errorf("no way to what comes behind the send, %d runs, complete %v", got.Runs, got.Complete())
	}
}
