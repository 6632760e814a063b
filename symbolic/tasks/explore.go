package tasks

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Program is a program of native actors, of actors of protoactor-go, or of both.
type Program struct {
	exec     *exec.Program
	store    *term.Store
	solver   solve.Solver
	handlers []summary.Handler
}

// New prepares a program. The solver has to be one of the store.
func New(ctx context.Context, p *load.Program, store *term.Store, solver solve.Solver) *Program {
	q := summary.New(p, store, solver)
	return Of(q, q.Handlers(ctx), store, solver)
}

// Of prepares a program whose handlers are known. Numbers of types and functions in conditions are then those of its
// Exec.
func Of(q *summary.Program, handlers []summary.Handler, store *term.Store, solver solve.Solver) *Program {
	return &Program{q.Exec(), store, solver, handlers}
}

// Result is what an exploration has found.
type Result struct {
	Actor, Message string
	Config         Config
	Pool           []string // messages that may be in the queue in the beginning
	Cases          []*Case
	Without        []*exec.Path   // paths without a case: they were cut, or the handler waits forever
	Stuck          int            // paths in which the handler waits forever
	Refused        int            // paths that were cut for what the scheduler does not know, and not for a bound
	Cuts           map[string]int // paths that were cut, by reason
	Runs           int
	Unknown        int    // questions that the solver gave up
	Defect         string // of this project
	Hypothetical   string // why no execution has these orders; empty if some do
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
	tested, err := p.testable(actor, message, c)
	if err != nil {
		return nil, err
	}
	framework := frameworkOf(tested.Fn)
	var others []summary.Handler
	if c.Queue > 0 {
		others = p.pool(tested, c.Pruning)
	}
	var runs []*scheduler
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.exec.Explore(ctx, p.store, solver, exec.Entry{Fn: tested.Fn, Driver: func() exec.Driver {
		runs = append(runs, &scheduler{tested: tested, others: others, config: c, futures: map[*exec.Opaque]*future{},
			framework: framework, store: p.store})
		return runs[len(runs)-1]
	}}, exec.Config{Loops: c.Loops, Paths: c.Paths, Elements: c.Elements, Alias: c.Alias})
	r := &Result{Actor: actor, Message: message, Config: c, Cuts: found.Cuts, Runs: found.Runs, Unknown: found.Unknown,
		Defect: found.Defect}
	if framework != nil && c.Policy != FIFO {
		r.Hypothetical = fmt.Sprintf("the mailboxes of protoactor-go are fifo, with system messages first; a case by the policy %s need have no execution", c.Policy)
	}
	for _, h := range others {
		r.Pool = append(r.Pool, h.Name())
	}
	seen := map[string]bool{}
	for i, path := range found.Paths {
		if !r.count(path, runs[i]) {
			continue
		}
		c := p.newCase(ctx, solver, runs[i], path)
		if key := c.key(); framework == nil || !seen[key] {
			seen[key] = true
			r.Cases = append(r.Cases, c)
		}
	}
	return r, nil
}

// testable finds the handler, and says where its cases cannot be found under this configuration.
func (p *Program) testable(actor, message string, c Config) (summary.Handler, error) {
	tested, err := p.handler(actor, message)
	if err != nil {
		return tested, err
	}
	if of := model.Handles(tested.Fn.Signature); of != model.Native && of != model.Protoactor {
		return tested, fmt.Errorf("%s is an actor of %s, whose handlers take no other message while they wait", actor, of)
	}
	if frameworkOf(tested.Fn) != nil && c.Await == Polling {
		return tested, fmt.Errorf("%s is an actor of protoactor-go, whose tasks go on by themselves: "+
			"polling is for native actors", actor)
	}
	if c.Queue > 0 && tested.Fn.Syntax() == nil {
		return tested, fmt.Errorf("%s has the method Receive of another type: what its clauses write is not known", actor)
	}
	return tested, nil
}

// count counts a path, and reports whether it is a case.
func (r *Result) count(path *exec.Path, run *scheduler) bool {
	if path.Exit == exec.Refused && path.Why == repeated {
		return false
	}
	if path.Exit == exec.Refused || path.Exit == exec.Cut {
		r.Without = append(r.Without, path)
	}
	if run.refused {
		r.Refused++
	}
	if path.Exit == exec.Refused {
		r.Stuck++
	}
	return path.Exit != exec.Refused && path.Exit != exec.Cut
}

// frameworkOf gives the package of protoactor-go if a handler is one of its, nil if it is one of a native actor.
func frameworkOf(handler *ssa.Function) *types.Package {
	context, ok := types.Unalias(handler.Params[1].Type()).(*types.Named)
	if !ok {
		return nil
	}
	return context.Obj().Pkg()
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
			if h.Fn.Signature.Recv() == nil {
				return h, fmt.Errorf("%s is a function: tasks are those of actors that are methods", actor)
			}
			return h, nil
		}
	}
	if known == nil {
		return summary.Handler{}, fmt.Errorf("there is no actor %s in the packages that were named", actor)
	}
	return summary.Handler{}, fmt.Errorf("%s has no case for %s: it has %s", actor, message, strings.Join(known, ", "))
}

// Exec gives the program as package exec knows it, for those who look at the types in conditions.
func (p *Program) Exec() *exec.Program { return p.exec }
