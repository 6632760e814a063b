package solve_test

import (
	"context"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// TestSumsThatDifferInAConstant asks what every round of a search for shortest paths asks: the distance of one way is
// less than that of another, and not less once both have become longer by the same. Each distance is a sum of two
// unknown numbers. A solver that does not see the same sum in both has 64 bits of carries to try.
func TestSumsThatDifferInAConstant(t *testing.T) {
	store := term.NewStore()
	x := func(name string) *term.Term { return store.Var(name, term.Word64) }
	n := func(n int64) *term.Term { return store.Int(term.Word64, n) }
	for _, sums := range [][2]*term.Term{
		{store.Add(x("a"), x("b")), store.Add(x("c"), x("d"))},
		{store.Sub(x("a"), x("b")), store.Sub(x("c"), x("d"))},
		{store.Sub(store.Neg(x("a")), x("b")), store.Sub(store.Neg(x("c")), x("d"))},
	} {
		near, far := sums[0], sums[1]
		longer := func(t *term.Term) *term.Term { return store.Add(t, n(10)) }
		solver, err := solve.New(store, solve.Config{Engine: solve.Embedded, Steps: 10})
		if err != nil {
			t.Fatal(err)
		}
		conds := []*term.Term{store.SLess(near, far), store.SLess(n(0), longer(far)), store.SLess(n(0), far)}
		if r := solver.Check(context.Background(), conds...); r.Answer != solve.Sat {
			t.Errorf("%v: %v %s", conds, r.Answer, r.Why)
		}
		conds = append(conds, store.SAtMost(longer(far), longer(near)))
		if r := solver.Check(context.Background(), conds...); r.Answer != solve.Unsat {
			t.Errorf("%v: %v %s", conds, r.Answer, r.Why)
		}
		solver.Close()
	}
}
