package cases

import (
	"context"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Suite is the cases of a target.
type Suite struct {
	Target  *Target
	Config  Config
	Cases   []*Case // in the order of exploration
	Tasks   bool    // they are of package tasks
	Notes   []string
	Cuts    map[string]int // paths that were cut, by reason
	Unknown int            // questions that the solver gave up
	Defect  string         // of this project
}

// Bounded reports whether something was left out.
func (s *Suite) Bounded() bool { return len(s.Cuts) > 0 || s.Defect != "" }

// Suite finds the cases of a target.
func (p *Program) Suite(ctx context.Context, t *Target, c Config) (*Suite, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	solver := p.solver.Scope()
	defer solver.Close()
	s := &Suite{Target: t, Config: c}
	found := p.explore(ctx, solver, t, c)
	if t.Kind != Function && slices.ContainsFunc(found.Paths, waits) {
		if err := p.byTasks(ctx, s); err != nil {
			return nil, err
		}
	}
	if !s.Tasks {
		s.Cuts, s.Unknown, s.Defect = found.Cuts, found.Unknown, found.Defect
		for _, path := range found.Paths {
			if path.Exit != exec.Cut {
				s.Cases = append(s.Cases, p.plainCase(t, path))
			}
		}
	}
	p.nameCases(s.Cases)
	for _, k := range s.Cases {
		p.instance(ctx, solver, k)
	}
	return s, nil
}

// explore finds the paths of a target.
func (p *Program) explore(ctx context.Context, solver solve.Solver, t *Target, c Config) *exec.Result {
	entry := exec.Entry{Fn: t.Fn}
	if t.Kind != Function {
		entry = exec.Entry{Fn: t.Fn, Handler: true, Message: t.Handler.Message, Others: t.Handler.Message == nil}
	}
	return p.Exec().Explore(ctx, p.store, solver, entry, c.exec())
}

// waits reports whether a handler gives its actor up on a path until something happens.
func waits(path *exec.Path) bool {
	return slices.ContainsFunc(path.Events, func(e exec.Event) bool { return e.Op == "await" || e.Op == "call" })
}

// byTasks finds the cases of a handler that waits. Where package tasks does not know the handler, or what it waits for is outside of the run, its paths stand
// for it, and a note says so.
func (p *Program) byTasks(ctx context.Context, s *Suite) error {
	h := s.Target.Handler
	if h.Message == nil {
		s.Notes = append(s.Notes, "the handler waits, and its message is any other: what happens meanwhile is not known")
		return nil
	}
	r, err := p.tasks.Cases(ctx, h.Actor, h.Name(), s.Config.tasks())
	switch {
	case err != nil && s.Config.Queue > 0:
		return fmt.Errorf("%s: %w", s.Target.Name, err)
	case err != nil:
		s.Notes = append(s.Notes, fmt.Sprintf("the handler waits, and what happens meanwhile is not known: %v", err))
		return nil
	case len(r.Cases) == 0 && r.Stuck == 0:
		s.Notes = append(s.Notes, fmt.Sprintf("the handler waits, and what happens meanwhile is not known: %s", firstCut(r.Cuts)))
		return nil
	}
	s.Tasks, s.Cuts, s.Unknown, s.Defect = true, r.Cuts, r.Unknown, r.Defect
	for _, k := range r.Cases {
		s.Cases = append(s.Cases, tasksCase(s.Target, k))
	}
	if r.Stuck > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("on %d paths the handler waits forever: they have no case", r.Stuck))
	}
	return nil
}

// instance finds an instance that people like to read: sizes first, then the values, by name.
func (p *Program) instance(ctx context.Context, solver solve.Solver, c *Case) {
	inputs := slices.Clone(c.Inputs)
	slices.SortStableFunc(inputs, func(a, b exec.Input) int { return compareInputs(a, b) })
	var terms []*term.Term
	for _, in := range inputs {
		terms = append(terms, in.Var)
	}
	unsigned := func(v *term.Term) bool {
		i := slices.IndexFunc(inputs, func(in exec.Input) bool { return in.Var == v })
		return i >= 0 && isUnsigned(inputs[i])
	}
	r := solve.Minimise(ctx, solver, p.store, c.Conditions(), terms, unsigned)
	switch r.Answer {
	case solve.Sat:
		c.Model = r.Model
	case solve.Unsat:
		c.NoInst = "its conditions exclude each other"
	default:
		c.NoInst = "the solver gave up: " + r.Why
	}
}
