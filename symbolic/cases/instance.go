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

// excludedBy says which restriction is in a contradiction.
func (c *Case) excludedBy(core []*term.Term) string {
	for _, by := range []struct {
		list []*term.Term
		what string
	}{{c.Assumed, "what is assumed"}, {c.Domain, "the domains of numbers and strings"}, {c.Kept, "fields that keep what constructors give them"}} {
		if slices.ContainsFunc(by.list, func(t *term.Term) bool { return slices.Contains(core, t) }) {
			return by.what
		}
	}
	return "its own conditions, which the solver had not decided before"
}

// rank orders inputs by what is made small first: sizes, then whether something is there, then values.
func rank(in exec.Input) int {
	switch in.Aspect {
	case "!len", "!more":
		return 0
	case "":
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
