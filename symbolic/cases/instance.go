package cases

import (
	"context"
	"slices"

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
func (p *Program) minimal(ctx context.Context, solver solve.Solver, conds []*term.Term,
	inputs []exec.Input) (m *term.Model, core []*term.Term, why string) {
	return exec.Minimal(ctx, p.store, solver, conds, inputs)
}

// sizes gives the conditions that sizes are those of values that can be made.
func (p *Program) sizes(inputs []exec.Input) []*term.Term { return exec.Sizes(p.store, inputs) }

// excludedBy says which restriction is in a contradiction.
func (c *Case) excludedBy(core []*term.Term) string {
	for _, by := range []struct {
		list []*term.Term
		what string
	}{{c.Assumed, "what is assumed"}, {c.Domain, "the domains of numbers and strings"},
		{c.Kept, "fields that keep what constructors give them"},
		{c.Accepted, "what the actor accepts"}, {c.Sizes, "sizes, of which none is so large"}} {
		if slices.ContainsFunc(by.list, func(t *term.Term) bool { return slices.Contains(core, t) }) {
			return by.what
		}
	}
	return "its own conditions, which the solver had not decided before"
}
