package target_test

import (
	"context"
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
// infeasible cannot, within the bounds. REHEARSE_TOY=1 compares 40 systems, REHEARSE_TOY=25 a thousand, REHEARSE_TOY_COUNT=n that
// many, from seed REHEARSE_TOY_FROM on.

// The bounds of all comparisons.
const (
	toyRuns    = 3 // handlers that are run
	toyOutside = 2 // messages from outside
	toyStates  = 20_000

	toySearches = 20_000 // executions of a search forward
)

// toys are random systems that were read.
type toys struct {
	systems []*toysys.System
	starts  []*system.Start
	loaded  *load.Program
	program *system.Program
	engine  *target.Engine
	claims  []claim
	forth   *forth
}

// forth is a search forward that keeps what it has found where it has looked at everything.
type forth struct {
	*system.Program
	all *system.Found
}

func (f *forth) Search(ctx context.Context, s *system.Start, goals []system.Goal, m trace.Model, b system.Bounds) *system.Found {
	found := f.Program.Search(ctx, s, goals, m, b)
	if found.Ways[0] == nil {
		f.all = found
	}
	return found
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
	if n := number("REHEARSE_TOY_COUNT", 40*number("REHEARSE_TOY", 0)); n > 0 {
		seeds = nil
		for i := range n {
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
	x := &toys{systems: systems, loaded: loaded, program: p, forth: &forth{Program: p}}
	x.engine = target.New(loaded, p.Summaries(), store, x.forth)
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
	tally := newTally()
	eachToys(t, func(x *toys) {
		for i := range x.systems {
			places := x.places(t, i)
			for _, m := range toysys.Models {
				x.compare(t, i, m, places, tally)
				if s := x.systems[i]; s.Has("timer") || s.Has("calltimeout") {
					x.forward(t, i, m, places, tally)
				}
			}
		}
		for i, said := range executed(t, x.systems, x.claims) {
			tally.said[said]++
			if c := x.claims[i]; said != "covered" {
				t.Errorf("seed %d, %v: the way to place %d, messages %v, order %v: %s", x.systems[c.System].Seed, c.Model, c.Place, c.Sends, c.Order, said)
			}
		}
	})
	tally.check(t)
}

// compare holds the answers of the search for each place to the twin. What the search forward has looked at on its behalf is compared too.
func (x *toys) compare(t *testing.T, i int, m trace.Model, places map[int]*ssa.BasicBlock, tally *tally) {
	t.Helper()
	s := x.systems[i]
	b := toysys.Bounds{Model: m, Outside: toyOutside, Runs: toyRuns, States: toyStates, Shapes: shapes(t, x.starts[i], true)}
	want := s.Reach(b)
	if want.Over {
		tally.verdicts["too large"]++
		return
	}
	x.forth.all = nil
	for l := range s.Labels {
		a, err := x.engine.Reach(t.Context(), x.starts[i], &target.Target{Goal: system.Goal{Block: places[l]}, Name: fmt.Sprint(l)},
			target.Config{Model: m, Steps: toyRuns, Outside: toyOutside, Actors: 30, Timeout: time.Hour, Nodes: 20, Queries: 2000, Follows: 20, Runs: toySearches})
		if err != nil {
			t.Fatal(err)
		}
		tally.note(s, m, l, want, a)
		x.judge(t, i, l, b, want, a)
	}
	if all := x.forth.all; all != nil {
		x.same(t, i, b, want, all, places)
	}
}

// judge fails if an answer is not what the twin says of the place.
func (x *toys) judge(t *testing.T, i, l int, b toysys.Bounds, want *toysys.Reached, a *target.Answer) {
	t.Helper()
	s := x.systems[i]
	runs, yes := want.Runs[l]
	if a.Verdict == target.Found {
		x.claims = append(x.claims, claimOf(i, l, b.Model, a.Way, func(e system.External) int { return typeNumber(t, e.Type) }))
	}
	switch {
	case a.Verdict == target.Infeasible && yes:
		t.Errorf("seed %d, %v: place %d is called infeasible (%s), and reached in %d runs: %s", s.Seed, b.Model, l, a.Bounds, runs, strings.Join(want.Ways[l], "; "))
	case a.Verdict == target.Found && !yes: // with what is filled in, it may be beyond the bounds
		b.Runs, b.Outside, b.States = len(a.Way.Order), max(b.Outside, len(a.Way.Outside)), 5*toyStates
		if more := s.Reach(b); !more.Over && more.Runs[l] == 0 {
			t.Errorf("seed %d, %v: place %d is found and cannot be reached: %v", s.Seed, b.Model, l, a.Way.Order)
		}
	}
}

// same fails if a search forward that looks at everything has reached other places than the twin.
func (x *toys) same(t *testing.T, i int, b toysys.Bounds, want *toysys.Reached, got *system.Found, places map[int]*ssa.BasicBlock) {
	t.Helper()
	s := x.systems[i]
	for l, block := range places {
		switch _, yes := want.Runs[l]; {
		case got.Blocks[block] && !yes:
			t.Errorf("seed %d, %v, async %v: place %d is found forward and cannot be reached", s.Seed, b.Model, b.Async, l)
		case yes && !got.Blocks[block] && got.Complete():
			t.Errorf("seed %d, %v, async %v: place %d is not found forward, and reached in %d runs: %s", s.Seed, b.Model, b.Async, l, want.Runs[l], strings.Join(want.Ways[l], "; "))
		}
	}
}

// forward compares what both reach with timers that fire at any point.
func (x *toys) forward(t *testing.T, i int, m trace.Model, places map[int]*ssa.BasicBlock, tally *tally) {
	t.Helper()
	b := toysys.Bounds{Model: m, Async: true, Outside: toyOutside, Runs: toyRuns, States: toyStates, Shapes: shapes(t, x.starts[i], false)}
	want := x.systems[i].Reach(b)
	if want.Over {
		tally.async["too large"]++
		return
	}
	got := x.program.Search(t.Context(), x.starts[i], nil, m,
		system.Bounds{Steps: toyRuns, Outside: toyOutside, Actors: 30, Runs: toySearches, Config: system.Config{Async: true}})
	x.same(t, i, b, want, got, places)
	for l, block := range places {
		switch _, yes := want.Runs[l]; {
		case yes && got.Blocks[block]:
			tally.async["both"]++
		case got.Complete():
			tally.async["neither"]++
		default:
			tally.async["cut"]++
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
