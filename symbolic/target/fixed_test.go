package target

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// fixedBench is an engine for the actors of testdata/fixed, with the starts of its tests.
func fixedBench(t *testing.T) (e *Engine, starts []*system.Start) {
	t.Helper()
	loaded, err := summary.Load(load.Config{Dir: "testdata/fixed", Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	p := system.New(loaded, store, solver)
	for _, d := range p.Drivers() {
		start, err := p.Start(t.Context(), d, system.Config{})
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, start)
	}
	return New(loaded, p.Summaries(), store, p), starts
}

// TestStays: a field stays as it was made if nothing writes it, or the struct that it is in, and nobody gets a pointer
// to it.
func TestStays(t *testing.T) {
	e, starts := fixedBench(t)
	f := newFrozen(e)
	for name, want := range map[string]bool{
		"config.Workers": true, "config.Names!len": true, "config.Names!isNil": true,
		"config.Names!ref": false, "config.Names[0]": false, "limit": false, "taken": false, "whole.n": false, "seen": false,
		"none": false,
	} {
		if got := f.stays(starts[0].Actors[0].Fn.Params[0].Type(), name); got != want {
			t.Errorf("%s stays: %v, want %v", name, got, want)
		}
	}
}

// TestFixed: a loop over workers that are five for good has five turns. What is a loop over the size of trees is not
// known, since trees of other sizes are made.
func TestFixed(t *testing.T) {
	e, starts := fixedBench(t)
	for _, tt := range []struct {
		start      int
		in, writes string
		want       Verdict
	}{{0, "Master", "5:int", Found}, {0, "Master", "6:int", Infeasible}, {1, "Tree", "Stop", GaveUp}} {
		block := blockThat(t, e, tt.in, tt.writes)
		goal := &Target{Goal: system.Goal{Block: block}, Name: tt.in}
		a, err := e.Reach(t.Context(), starts[tt.start], goal, Config{Model: trace.Bag, Without: Parts{Judge: true}})
		if err != nil || a.Verdict != tt.want {
			t.Errorf("%s, %s: %v, %s, %v, want %v", tt.in, tt.writes, a.Verdict, a.Why, err, tt.want)
		}
	}
}

// blockThat gives the block of a Receive that stores a constant, or calls something.
func blockThat(t *testing.T, e *Engine, in, text string) *ssa.BasicBlock {
	t.Helper()
	for _, fn := range e.loaded.Functions() {
		if fn.Name() != "Receive" || fn.Synthetic != "" || !strings.HasSuffix(fn.Signature.Recv().Type().String(), "."+in) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				_, store := instr.(*ssa.Store)
				_, call := instr.(ssa.CallInstruction)
				if (store || call) && strings.Contains(instr.String(), text) {
					return b
				}
			}
		}
	}
	t.Fatalf("%s has no %s", in, text)
	return nil
}

// TestForeign: an actor gets what it has no case for, of the types that others ask for.
func TestForeign(t *testing.T) {
	e, starts := fixedBench(t)
	goal := &Target{Goal: system.Goal{Block: blockThat(t, e, "Strict", "Unhandled")}, Name: "unhandled"}
	odd := e.follower.(*system.Program).Foreign(t.Context(), starts[2])
	a, err := e.Made(t.Context(), odd, goal, Config{Model: trace.Bag, Probes: 1})
	if err != nil || a.Verdict != Found || len(a.Way.Outside) != 1 || a.Way.Outside[0].To != 0 ||
		!strings.HasSuffix(a.Way.Outside[0].Type.String(), "fixed.Grow") {
		t.Errorf("%v, %v, %v: want Grow to the first actor", a.Verdict, a.Why, err)
	}
	// nobody asks for what the tree does not
	tree := e.follower.(*system.Program).Foreign(t.Context(), starts[1])
	if len(tree.Shapes) != 1 || tree.Shapes[0].Type.String() != "string" {
		t.Errorf("%v, want a string", tree.Shapes)
	}
}
