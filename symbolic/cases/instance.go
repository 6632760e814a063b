package cases

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds an instance of a case that people like to read: sizes first, then the values, by name.

// instance finds one. Where there is none for sure, it says what excludes it.
func (p *Program) instance(ctx context.Context, solver solve.Solver, c *Case) (excluded string) {
	c.Sizes = p.sizes(c.Inputs)
	model, core, why := p.minimal(ctx, solver, c.Conditions(), c.Inputs)
	if core != nil {
		return c.excludedBy(core)
	}
	c.Model, c.NoInstance = model, why
	return ""
}

// minimal finds the instance of conditions. If there is none it gives a core of them, or why that is not known.
func (p *Program) minimal(ctx context.Context, solver solve.Solver, conds []*term.Term, inputs []exec.Input) (m *term.Model, core []*term.Term, why string) {
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, compareInputs)
	var terms []*term.Term
	for _, in := range inputs {
		terms = append(terms, in.Var)
	}
	unsigned := func(v *term.Term) bool {
		i := slices.IndexFunc(inputs, func(in exec.Input) bool { return in.Var == v })
		return i >= 0 && isUnsigned(inputs[i])
	}
	r := solve.Minimise(ctx, solver, p.store, conds, terms, unsigned)
	switch r.Answer {
	case solve.Sat:
		return r.Model, nil, ""
	case solve.Unsat:
		return nil, append([]*term.Term{}, r.Core...), ""
	}
	return nil, nil, "the solver gave up: " + r.Why
}

// most is how many elements a slice or map of the inputs has at most: more do not fit any memory, though their number fits an integer.
const most = 1 << 32

// sizes gives the conditions that sizes are those of values that can be made.
func (p *Program) sizes(inputs []exec.Input) (conds []*term.Term) {
	for _, in := range inputs {
		if sized(in) {
			conds = append(conds, p.store.SAtMost(in.Var, p.store.Int(in.Var.Sort, most)))
		}
	}
	return conds
}

// sized reports whether an input is a number of elements.
func sized(in exec.Input) bool { return in.Aspect == "!len" || in.Aspect == "!more" }

// excludedBy says which restriction is in a contradiction.
func (c *Case) excludedBy(core []*term.Term) string {
	for _, by := range []struct {
		list []*term.Term
		what string
	}{{c.Assumed, "what is assumed"}, {c.Domain, "the domains of numbers and strings"}, {c.Kept, "fields that keep what constructors give them"},
		{c.Accepted, "what the actor accepts"}, {c.Sizes, "sizes, of which none is so large"}} {
		if slices.ContainsFunc(by.list, func(t *term.Term) bool { return slices.Contains(core, t) }) {
			return by.what
		}
	}
	return "its own conditions, which the solver had not decided before"
}

// rank orders inputs by what is made small first: sizes, then whether something is there, then values.
func rank(in exec.Input) int {
	switch {
	case sized(in):
		return 0
	case in.Aspect == "":
		return 2
	}
	return 1
}

func compareInputs(a, b exec.Input) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Var.Name, b.Var.Name))
}

// isUnsigned reports whether an input is an unsigned number in the program.
func isUnsigned(in exec.Input) bool {
	if in.Aspect != "" {
		return in.Var.Sort.Kind == term.WordKind && rank(in) != 0
	}
	if in.At.Type == nil {
		return false
	}
	t, ok := term.TypeOf(in.At.Type)
	return ok && t.Unsigned
}
