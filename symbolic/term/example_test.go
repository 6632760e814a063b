package term_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Terms are simplified when they are made; equal ones are one pointer.
func Example() {
	s := term.NewStore()
	amount, balance := s.Var("msg.Amount", term.Word64), s.Var("s.balance", term.Word64)
	after := s.Sub(s.Add(balance, amount), s.Int(term.Word64, 3))
	fmt.Println(after)
	fmt.Println(s.Sub(after, amount) == s.Sub(balance, s.Int(term.Word64, 3)))
	fmt.Println(s.And(s.SLess(s.Int(term.Word64, 0), amount), s.Not(s.Equal(amount, s.Int(term.Word64, 1)))))

	known := s.SubstNames(map[string]*term.Term{"s.balance": s.Int(term.Word64, 10)})
	fmt.Println(known.Apply(after))
	// Output:
	// msg.Amount + s.balance - 3
	// true
	// msg.Amount >= 2
	// msg.Amount + 7
}

// Conditions are read as a person writes them.
func ExampleParseCondition() {
	s := term.NewStore()
	fields := term.Names{Var: func(name string) (term.Type, bool) { return term.Type{Sort: term.Word64}, name == "Pay.Amount" }}
	fmt.Println(term.ParseCondition(s, "Pay.Amount > 0 && Pay.Amount < 1<<10", fields))
	fmt.Println(term.ParseCondition(s, "Pay.Amuont > 0", fields))
	// Output:
	// Pay.Amount > 0 && Pay.Amount < 1024 <nil>
	// <nil> column 1: nothing is called Pay.Amuont
}
