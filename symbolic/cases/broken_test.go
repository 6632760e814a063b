package cases_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// mortal is a solver that ends in the middle: it answers so many questions, and no more, in all scopes together.
type mortal struct {
	solve.Solver
	left *int
}

func (m mortal) Check(ctx context.Context, conds ...*term.Term) solve.Result {
	if *m.left--; *m.left < 0 {
		return solve.Result{Why: "the solver has ended", Err: errors.New("killed")}
	}
	return m.Solver.Check(ctx, conds...)
}

func (m mortal) Scope() solve.Solver { return mortal{m.Solver.Scope(), m.left} }

// TestSolverEnds: wherever the solver ends, the suite says what is missing: no case is without an instance or the
// reason, and no failure is a finding for that.
func TestSolverEnds(t *testing.T) {
	loaded, err := extended()
	if err != nil {
		t.Fatal(err)
	}
	found, without := 0, 0
	for _, answers := range []int{0, 2, 10, 40, 100, 1000} {
		store := term.NewStore()
		solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
		if err != nil {
			t.Fatal(err)
		}
		left := 1 << 30
		p := cases.New(t.Context(), loaded, store, mortal{solver, &left})
		left = answers
		s := suite(t, p, "Till.Take", cases.Config{Before: 1, Paths: 50})
		for _, c := range s.Cases {
			switch {
			case c.Model == nil && !strings.Contains(c.NoInstance, "the solver has ended"):
				t.Errorf("%d answers: %s has no instance, since %q", answers, c.Name, c.NoInstance)
			case c.Model != nil && !c.Model.Evaluator().Holds(c.Conditions()...):
				t.Errorf("%d answers: the instance of %s is wrong", answers, c.Name)
			case c.Model == nil:
				without++
			}
			if c.Reached != nil {
				found++
				if left >= 0 || c.Why == "panic" {
					continue
				}
				t.Errorf("%d answers: %s is reached", answers, c.Name)
			}
		}
	}
	if found == 0 || without == 0 {
		t.Errorf("%d findings, %d cases without an instance: want some of both", found, without)
	}
}
