// Package solve decides whether conditions can hold together: conjunctions of boolean terms, as they come from paths of
// handlers.
//
//	s, err := solve.New(store, solve.Config{})
//	defer s.Close()
//	switch r := s.Check(ctx, conds...); r.Answer {
//	case solve.Sat:     r.Model.Eval(amount)  // values that make all conditions true; the rest is zero
//	case solve.Unsat:   r.Core                // conditions that exclude each other
//	case solve.Unknown: r.Why                 // never to be read as Sat
//	}
//
// Every condition is an assumption of its own: nothing is ever asserted, so nothing has to be taken back, and a core is
// always there. Checks that share conditions share work. Scope gives a solver that shares nothing but the store, for a
// search of its own.
//
// A model is evaluated before it is believed, by the evaluator of package term. What does not hold is Unknown. Minimise
// makes a model small for people.
package solve
