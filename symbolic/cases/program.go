package cases

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Program is a program whose handlers and functions get cases.
type Program struct {
	load    *load.Program
	summary *summary.Program
	tasks   *tasks.Program
	store   *term.Store
	solver  solve.Solver
	roots   map[*ssa.Package]bool
	doubled map[*ssa.Package]bool
	targets []*Target
	started map[string][]*Start // by the type of the actor
	effects map[*Target]effect
	kept    map[*ssa.Function]map[string]func(*term.Term) *term.Term // by the handlers of actors
	based   map[string]bool                                          // names that an assumption may use
}

// Load reads packages. It fails if there are none that compile.
func Load(c load.Config) (*load.Program, error) { return summary.Load(c) }

// New prepares a program. The solver has to be one of the store.
func New(ctx context.Context, p *load.Program, store *term.Store, solver solve.Solver) *Program {
	q := &Program{load: p, summary: summary.New(p, store, solver), store: store, solver: solver,
		roots: map[*ssa.Package]bool{}, started: map[string][]*Start{}, effects: map[*Target]effect{},
		kept: map[*ssa.Function]map[string]func(*term.Term) *term.Term{}}
	for _, pkg := range p.Packages {
		if pkg.Root && pkg.SSA != nil {
			q.roots[pkg.SSA] = true
		}
	}
	q.doubled = doubled(p)
	handlers := slices.DeleteFunc(q.summary.Handlers(ctx), func(h summary.Handler) bool { return q.double(h.Fn) })
	q.tasks = tasks.Of(q.summary, handlers, store, solver)
	q.findTargets(handlers)
	return q
}

// doubled gives the packages with test files that are there without them as well, since another package imports them:
// these are packages of their own, with types of their own.
func doubled(p *load.Program) map[*ssa.Package]bool {
	list, plain := map[*ssa.Package]bool{}, map[string]bool{}
	for _, pkg := range p.Packages {
		plain[pkg.PkgPath] = plain[pkg.PkgPath] || pkg.Root && pkg.ForTest == ""
	}
	for _, pkg := range p.Packages {
		if pkg.SSA != nil && pkg.ForTest == pkg.PkgPath && plain[pkg.PkgPath] {
			list[pkg.SSA] = true
		}
	}
	return list
}

// double reports whether a function is there twice, and this is the one of the package with test files.
func (p *Program) double(fn *ssa.Function) bool {
	return p.doubled[packageOf(fn)] && !p.inTest(fn.Pos())
}

// Exec gives the program as package exec knows it, for those who look at the values of paths.
func (p *Program) Exec() *exec.Program { return p.summary.Exec() }

// Generic names actors that have no targets: they are generic, and nobody makes a type of them.
func (p *Program) Generic() []string { return p.summary.Generic() }

// Store gives the store of the terms of all cases.
func (p *Program) Store() *term.Store { return p.store }

// Loaded gives the program as it was read.
func (p *Program) Loaded() *load.Program { return p.load }
