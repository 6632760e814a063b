package exec

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds instances of conditions that people like to read: sizes first, then the values, by name.

// Minimal finds an instance of conditions, with small values of inputs. If there is none it gives a core of the
// conditions, or why that is not known.
func Minimal(ctx context.Context, store *term.Store, solver solve.Solver, conds []*term.Term,
	inputs []Input) (m *term.Model, core []*term.Term, why string) {
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, CompareInputs)
	var terms []*term.Term
	for _, in := range inputs {
		terms = append(terms, in.Var)
	}
	unsigned := func(v *term.Term) bool {
		i := slices.IndexFunc(inputs, func(in Input) bool { return in.Var == v })
		return i >= 0 && inputs[i].Unsigned()
	}
	r := solve.Minimise(ctx, solver, store, conds, terms, unsigned)
	switch r.Answer {
	case solve.Sat:
		return r.Model, nil, ""
	case solve.Unsat:
		return nil, append([]*term.Term{}, r.Core...), ""
	}
	return nil, nil, "the solver gave up: " + r.Why
}

// MostElements is how many elements a slice or map of the inputs has at most, though more fit an integer:
// docs/target.md and docs/generate.md say so.
const MostElements = 1 << 32

// Sizes gives the conditions that sizes are those of values that can be made.
func Sizes(store *term.Store, inputs []Input) (conds []*term.Term) {
	for _, in := range inputs {
		if in.sized() {
			conds = append(conds, store.SAtMost(in.Var, store.Int(in.Var.Sort, MostElements)))
		}
	}
	return conds
}

// sized reports whether an input is a number of elements.
func (in Input) sized() bool {
	return in.Aspect == aspectLen || in.Aspect == aspectSize || in.Aspect == aspectAll
}

// rank orders inputs by what is made small first: sizes, then whether something is there, then values.
func (in Input) rank() int {
	switch {
	case in.sized():
		return 0
	case in.Aspect == "":
		return 2
	}
	return 1
}

// CompareInputs orders inputs by what is made small first.
func CompareInputs(a, b Input) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.Var.Name, b.Var.Name))
}

// Unsigned reports whether an input is an unsigned number in the program.
func (in Input) Unsigned() bool {
	if in.Aspect != "" {
		return in.Var.Sort.Kind == term.WordKind && in.rank() != 0
	}
	if in.At.Type == nil {
		return false
	}
	t, ok := term.TypeOf(in.At.Type)
	return ok && t.Unsigned
}
