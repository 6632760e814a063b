package target_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has random systems of which one place is of interest.

// A message from outside may hold a reference to the driver, to which the handler sends.
func TestReferenceToTheDriver(t *testing.T) {
	x := readToys(t, []*toysys.System{toysys.Random(1092), toysys.Random(10035)})
	got := x.program.Search(t.Context(), x.starts[0], []system.Goal{x.places(t, 0)[3]}, trace.Bag, system.Bounds{Steps: 1, Outside: 1})
	if got.Ways[0] == nil {
		t.Errorf("no way to what comes behind the send, %d runs, complete %v", got.Runs, got.Complete())
	}
	a, err := x.engine.Reach(t.Context(), x.starts[1], &target.Target{Goal: x.places(t, 1)[17], Name: "17"}, target.Config{Model: trace.Bag, Steps: 1, Outside: 1})
	if err != nil || a.Verdict != target.Found {
		t.Errorf("where the sender is what the message holds: %v, %v", a, err)
	}
}

// What a start hook sends is the new actor's, which keeps no order with what its creator sends.
func TestStartHookOfToy(t *testing.T) {
	x := readToys(t, []*toysys.System{toysys.Random(10141)})
	a, err := x.engine.Reach(t.Context(), x.starts[0], &target.Target{Goal: x.places(t, 0)[2], Name: "2"},
		target.Config{Model: trace.FIFO, Steps: toyRuns, Outside: toyOutside, Nodes: 200, Without: target.Parts{Judge: true}})
	if err != nil || a.Verdict != target.Found {
		t.Errorf("a place that is reached in three steps: %v, %v, %v", a.Verdict, a.Why, err)
	}
}

// Of an actor whose behaviour is a function literal, and that no handler creates which may run, nothing runs: the
// function that makes the literal has to run first.
func TestBehaviourMadeElsewhere(t *testing.T) {
	x, never := readToys(t, []*toysys.System{toysys.Random(23)}), 0
	for l, goal := range x.places(t, 0) {
		if goal.Block == nil || goal.Block.Parent().Parent() == nil {
			continue
		}
		a, err := x.engine.Reach(t.Context(), x.starts[0], &target.Target{Goal: goal, Name: fmt.Sprint(l)},
			target.Config{Model: trace.Bag, Steps: toyRuns, Outside: toyOutside, Nodes: 20, Without: target.Parts{Judge: true}})
		if err != nil || strings.Contains(a.Why, "it is a value") {
			t.Errorf("place %d: %v, %v", l, a.Why, err)
		}
		if a.Verdict == target.Infeasible {
			never++
		}
	}
	if never != 7 {
		t.Errorf("%d places are called infeasible, want 7", never)
	}
}
