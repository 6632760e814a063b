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
	Cases    []*Case // in the order of exploration
	Tasks    bool    // they are of package tasks
	Notes    []string
	Cuts     map[string]int // paths that were cut, by reason
	Excluded map[string]int // paths that have no inputs, by what excludes them
	Unknown  int            // questions that the solver gave up
	Defect   string         // of this project
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
	s.Excluded = map[string]int{}
	s.Cases = slices.DeleteFunc(s.Cases, func(k *Case) bool {
		p.restrict(k, assumed, c)
		why := p.instance(ctx, solver, k)
		if why != "" {
			s.Excluded[why]++
		}
		return why != ""
	})
	p.nameCases(s.Cases)
	for _, k := range s.Cases {
		if k.Verdict.Fails() {
			p.reach(ctx, k, assumed, c)
		}
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
