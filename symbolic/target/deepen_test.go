package target_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// blockWith gives the block of the one line of a file of the subjects that has this code.
func (b *bench) blockWith(file, code string) *ssa.BasicBlock {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "subjects", file))
	if err != nil {
		b.t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), code)
	if !ok || strings.Count(string(text), code) != 1 {
		b.t.Fatalf("%s should have %q once", file, code)
	}
	at := fmt.Sprintf("%s:%d", file, 1+strings.Count(before, "\n"))
	for _, fn := range b.loaded.Functions() {
		for _, block := range fn.Blocks {
			for _, in := range block.Instrs {
				if in.Pos().IsValid() && b.loaded.Position(in.Pos()) == at {
					return block
				}
			}
		}
	}
	b.t.Fatalf("there is no code at %s", at)
	return nil
}

// TestDeepen: a branch that takes a slice of four numbers is found by a second search, with more turns of loops.
// Bounds that are given are kept.
func TestDeepen(t *testing.T) {
	b, p := loadedBench(t, "../../subjects")
	s := b.startOf(p, "TestResults", func(s *system.Start) bool { return strings.HasSuffix(s.Actors[0].Type, "sorter") })
	block := b.blockWith("quicksort.go", "less = append(less, equal...)")
	goal := &target.Target{Goal: system.Goal{Block: block}, Name: "the greater ones are more"}
	c := target.Config{Model: trace.Bag, Without: target.Parts{Judge: true}}
	a, err := b.engine.Reach(t.Context(), s, goal, c)
	if err != nil || a.Verdict != target.Found || len(a.Way.Plan.Steps) > 2 {
		t.Errorf("%v, %v, %v", a.Verdict, a.Why, err)
	}
	c.Exec = exec.Config{Loops: 3}
	if a, err = b.engine.Reach(t.Context(), s, goal, c); err != nil || a.Verdict != target.GaveUp || !strings.Contains(a.Why, "cut") {
		t.Errorf("with three turns of loops: %v, %v, %v", a.Verdict, a.Why, err)
	}
}
