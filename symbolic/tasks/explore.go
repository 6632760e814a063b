package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Program is a program of native actors.
type Program struct {
	exec     *exec.Program
	store    *term.Store
	solver   solve.Solver
	handlers []summary.Handler
}

// New prepares a program. The solver has to be one of the store.
func New(ctx context.Context, p *load.Program, store *term.Store, solver solve.Solver) *Program {
	q := summary.New(p, store, solver)
	return &Program{q.Exec(), store, solver, q.Handlers(ctx)}
}

// Result is what an exploration has found.
type Result struct {
	Actor, Message string
	Config         Config
	Pool           []string // messages that may be in the queue in the beginning
	Cases          []*Case
	Without        []*exec.Path   // paths without a case: they were cut, or the handler waits forever
	Stuck          int            // paths in which the handler waits forever
	Cuts           map[string]int // paths that were cut, by reason
	Runs           int
	Unknown        int    // questions that the solver gave up
	Defect         string // of this project
}

// Bounded reports whether something was left out.
func (r *Result) Bounded() bool { return len(r.Cuts) > 0 || r.Defect != "" }

// Executions counts the cases that differ in more than the order of priorities that led to them.
func (r *Result) Executions() int {
	seen := map[string]bool{}
	for _, c := range r.Cases {
		seen[fmt.Sprint(c.Steps, c.Constraints)] = true
	}
	return len(seen)
}

// Cases finds the test cases of a handler of an actor, by the name of the message.
func (p *Program) Cases(ctx context.Context, actor, message string, c Config) (*Result, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	tested, err := p.handler(actor, message)
	if err != nil {
		return nil, err
	}
	var others []summary.Handler
	if c.Queue > 0 {
		if tested.Fn.Syntax() == nil {
			return nil, fmt.Errorf("%s has the method Receive of another type: what its clauses write is not known", actor)
		}
		others = p.pool(tested, c.Pruning)
	}
	var runs []*scheduler
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.exec.Explore(ctx, p.store, solver, exec.Entry{Fn: tested.Fn, Driver: func() exec.Driver {
		runs = append(runs, &scheduler{tested: tested, others: others, config: c, futures: map[*exec.Opaque]*future{}})
		return runs[len(runs)-1]
	}}, exec.Config{Loops: c.Loops, Paths: c.Paths, Elements: c.Elements, Alias: c.Alias})
	r := &Result{Actor: actor, Message: message, Config: c, Cuts: found.Cuts, Runs: found.Runs, Unknown: found.Unknown, Defect: found.Defect}
	for _, h := range others {
		r.Pool = append(r.Pool, h.Name())
	}
	for i, path := range found.Paths {
		if path.Exit == exec.Refused || path.Exit == exec.Cut {
			r.Without = append(r.Without, path)
		}
		switch {
		case path.Exit == exec.Refused:
			r.Stuck++
		case path.Exit != exec.Cut:
			r.Cases = append(r.Cases, p.newCase(ctx, solver, runs[i], path))
		}
	}
	return r, nil
}

// handler finds a handler of a message by the names of the actor and the message.
func (p *Program) handler(actor, message string) (summary.Handler, error) {
	var known []string
	for _, h := range p.handlers {
		if h.Actor == actor && h.Message != nil {
			known = append(known, h.Name())
			if h.Name() != message {
				continue
			}
			if h.Fn.Signature.Recv() == nil || len(h.Fn.Params) != 3 {
				return h, fmt.Errorf("%s is a function: tasks are those of actors with a method Receive", actor)
			}
			return h, nil
		}
	}
	if known == nil {
		return summary.Handler{}, fmt.Errorf("there is no actor %s in the packages that were named", actor)
	}
	return summary.Handler{}, fmt.Errorf("%s has no case for %s: it has %s", actor, message, strings.Join(known, ", "))
}
