package exec_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// undecided is a solver that leaves everything open, and counts.
type undecided struct {
	solve.Solver
	asked *int
}

func (u undecided) Check(context.Context, ...*term.Term) solve.Result {
	*u.asked++
	return solve.Result{Why: "it is hard"}
}

// TestChanceEndsAtAnOpenQuestion: an execution by chance asks no second question where the first one was left open, and
// says so. Without chance both outcomes are taken to be possible.
func TestChanceEndsAtAnOpenQuestion(t *testing.T) {
	text := "package p\n\nfunc F(x, y int) (n int) {\n\tif x < y {\n\t\tn++\n\t}\n\tif x > 2*y {\n\t\tn++\n\t}\n\treturn n\n}\n"
	p := loaded(t, text)
	explore := func(c exec.Config) (r *exec.Result, asked int) {
		store := term.NewStore()
		solver := undecided{newSolver(t, store), &asked}
		r = exec.New(p).Explore(t.Context(), store, solver, exec.Entry{Fn: p.Packages[0].SSA.Func("F")}, c)
		return r, asked
	}
	if r, _ := explore(exec.Config{}); len(r.Paths) != 4 || len(r.Cuts) > 0 {
		t.Errorf("without chance: %d paths, cuts %v; want 4 and no cuts", len(r.Paths), r.Cuts)
	}
	r, asked := explore(exec.Config{Chance: rand.New(rand.NewPCG(1, 1))})
	if cuts := slices.Sorted(maps.Keys(r.Cuts)); asked != 1 || !slices.Equal(cuts, []string{"a question that the solver leaves open"}) {
		t.Errorf("by chance: %d questions, cuts %v; want 1 question that was left open", asked, cuts)
	}
}
