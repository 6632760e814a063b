package target_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// TestCallsThatDoNotFail: a Call fails if the actor that is called panics, and a fork of the philosophers never does.
// Forks answer with nil, which is an answer, and no message of an unknown type.
func TestCallsThatDoNotFail(t *testing.T) {
	b, p := loadedBench(t, "../../subjects")
	s := b.startOf(p, "TestIsolation", func(s *system.Start) bool { return strings.HasSuffix(s.Actors[0].Type, "fork") })
	goal := &target.Target{Goal: system.Goal{Block: b.blockWith("philosophers.go", "ctx.T().Fatal(err)")}, Name: "no fork"}
	a, err := b.engine.Reach(t.Context(), s, goal, target.Config{Model: trace.Bag, Without: target.Parts{Judge: true}})
	if err != nil || a.Verdict != target.Infeasible || a.Counts.Nodes != 0 {
		t.Errorf("%v, %v, %+v, %v", a.Verdict, a.Reasons, a.Counts, err)
	}
}
