package solve_test

import (
	"context"
	"fmt"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// A handler pays if something is left. Yet it may pay more than there is: the difference wraps around.
func Example() {
	store := term.NewStore()
	amount, balance := store.Var("msg.Amount", term.Word64), store.Var("s.balance", term.Word64)
	zero := store.Int(term.Word64, 0)
	conds := []*term.Term{
		store.SLess(zero, amount),
		store.SLess(zero, store.Sub(balance, amount)), // what the handler checks
		store.SLess(balance, amount),
	}
	s, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	r := solve.Minimise(context.Background(), s, store, conds, []*term.Term{amount, balance}, nil)
	fmt.Println(r.Answer, r.Model.Eval(amount), r.Model.Eval(balance))

	conds = append(conds, store.SLess(zero, balance)) // then not
	r = s.Check(context.Background(), conds...)
	fmt.Println(r.Answer, len(r.Core), "of", len(conds))
	// Output:
	// sat 1 -9223372036854775808
	// unsat 4 of 4
}
