package cases

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
)

// Suite is the cases of a target.
type Suite struct {
	Target   *Target
	Config   Config
	Cases    []*Case  // in the order of exploration
	Dropped  int      // cases that Config.Cover leaves out
	Coverage Coverage // of the cases, with those that are left out
	Tasks    bool     // they are of package tasks
	Notes    []string
	Cuts     map[string]int // paths that were cut, by reason
	Excluded map[string]int // paths that have no inputs, by what excludes them
	Unknown  int            // questions that the solver gave up
	Defect   string         // of this project

	program  *Program
	universe *universe
	explored *explored
}

// Bounded reports whether something was left out.
func (s *Suite) Bounded() bool { return len(s.Cuts) > 0 || s.Defect != "" }

// Suite finds the cases of a target.
func (p *Program) Suite(ctx context.Context, t *Target, c Config) (*Suite, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	assumed, err := p.assumptions(ctx, c)
	if err != nil {
		return nil, err
	}
	whole := ctx
	ctx, cancel := context.WithTimeout(whole, c.Timeout)
	defer cancel()
	solver := p.solver.Scope()
	defer solver.Close()
	s := &Suite{Target: t, Config: c, Excluded: map[string]int{}, program: p}
	x, err := p.found(ctx, solver, s)
	if err != nil {
		return nil, err
	}
	u := p.universe(t, x.paths(), s.Tasks)
	taken := p.acceptance(ctx, t, c)
	x.cases = slices.DeleteFunc(x.cases, func(k *Case) bool {
		p.restrict(k, assumed, c)
		k.accept(taken)
		p.keep(ctx, k)
		why := p.instance(ctx, solver, k)
		if why != "" {
			s.Excluded[why]++
			x.excluded, x.why = append(x.excluded, k), append(x.why, why)
		}
		return why != ""
	})
	p.nameCases(x.cases)
	// of its own: whether there is a finding does not depend on how much the cases left
	reaching, cancelReaching := context.WithTimeout(whole, c.Timeout)
	defer cancelReaching()
	p.reach(reaching, x.cases, assumed, c)
	s.Coverage, s.universe, s.explored = p.covered(u, x), u, x
	s.Cases = sparing(x.cases, u, c.Cover)
	s.Dropped = len(x.cases) - len(s.Cases)
	return s, nil
}

// found explores the target of a suite.
func (p *Program) found(ctx context.Context, solver solve.Solver, s *Suite) (*explored, error) {
	x := &explored{}
	found := p.explore(ctx, solver, s.Target, s.Config)
	if s.Target.Kind != Function && slices.ContainsFunc(found.Paths, waits) {
		if err := p.byTasks(ctx, s, x); err != nil || s.Tasks {
			return x, err
		}
	}
	s.Cuts, s.Unknown, s.Defect = found.Cuts, found.Unknown, found.Defect
	for _, path := range found.Paths {
		if path.Exit == exec.Cut {
			x.others = append(x.others, path)
		} else {
			x.cases = append(x.cases, p.plainCase(s.Target, path))
		}
	}
	x.bounded(s)
	return x, nil
}

// bounded notes what has bounded the whole exploration: what is among the cuts, and of no path.
func (x *explored) bounded(s *Suite) {
	for _, why := range slices.Sorted(maps.Keys(s.Cuts)) {
		if !slices.ContainsFunc(x.others, func(path *exec.Path) bool { return path.Why == why }) {
			x.reason = "cut: " + why
		}
	}
	if s.Defect != "" {
		x.reason = "a defect of this project: " + s.Defect
	}
}

// paths lists all paths.
func (x *explored) paths() []*exec.Path {
	list := slices.Clone(x.others)
	for _, c := range x.cases {
		list = append(list, c.Path)
	}
	return list
}

// explore finds the paths of a target.
func (p *Program) explore(ctx context.Context, solver solve.Solver, t *Target, c Config) *exec.Result {
	entry := exec.Entry{Fn: t.Fn}
	switch t.Kind {
	case Function:
	case StartHook:
		entry = exec.Entry{Fn: t.Fn, Handler: true, Driver: func() exec.Driver { return &hook{t.Fn} }}
	default:
		entry = exec.Entry{Fn: t.Fn, Handler: true, Message: t.Handler.Message, Others: t.Handler.Message == nil}
	}
	return p.Exec().Explore(ctx, p.store, solver, entry, c.exec())
}

// waits reports whether a handler gives its actor up on a path until something happens.
func waits(path *exec.Path) bool {
	return slices.ContainsFunc(path.Events,
		func(e exec.Event) bool { return slices.Contains([]string{"await", "call", "reenter"}, e.Op) })
}

// byTasks finds the cases of a handler that waits. Where package tasks does not know the handler, or what it waits for
// is outside of the run, its paths stand for it, and a note says so.
func (p *Program) byTasks(ctx context.Context, s *Suite, x *explored) error {
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
	case len(r.Cases) == 0 && r.Stuck == 0 && (r.Refused > 0 || len(r.Cuts) == 0):
		// a bound that cuts all paths leaves no case
		s.Notes = append(s.Notes, fmt.Sprintf("the handler waits, and what happens meanwhile is not known: %s",
			firstCut(r.Cuts)))
		return nil
	}
	s.Tasks, s.Cuts, s.Unknown, s.Defect = true, r.Cuts, r.Unknown, r.Defect
	for _, k := range r.Cases {
		x.cases = append(x.cases, tasksCase(s.Target, k))
	}
	x.others = r.Without
	if r.Hypothetical != "" {
		s.Notes = append(s.Notes, "no execution has these orders: "+r.Hypothetical)
	}
	x.bounded(s)
	if r.Stuck > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("on %d paths the handler waits forever: they have no case", r.Stuck))
	}
	return nil
}

// firstCut gives the most frequent reason of cuts.
func firstCut(cuts map[string]int) string {
	best := "no path comes to its end"
	most := 0
	for _, why := range slices.Sorted(maps.Keys(cuts)) {
		if cuts[why] > most {
			best, most = why, cuts[why]
		}
	}
	return best
}
