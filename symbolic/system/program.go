package system

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Program is a program whose systems of actors are executed.
type Program struct {
	load      *load.Program
	summaries *summary.Program
	store     *term.Store
	solver    solve.Solver
	handlers  []summary.Handler      // nil until somebody asks
	reaching  map[*ssa.Function]bool // functions that make systems, nil until somebody asks

	judging   *bool // see judges
	stopping  *bool // see stops
	receiving *bool // see asksReceived

	names map[*types.Package]*compiled      // by the packages of drivers: see namesOf
	boxed map[*ssa.Function]map[string]bool // by driver: see boxedOutside
}

// New prepares a program that summary.Load has read. The solver has to be one of the store.
func New(p *load.Program, store *term.Store, solver solve.Solver) *Program {
	return &Program{load: p, summaries: summary.New(p, store, solver), store: store, solver: solver}
}

// Summaries gives the summaries of the program's handlers, which have the same terms.
func (p *Program) Summaries() *summary.Program { return p.summaries }

// Exec gives the program as package exec knows it.
func (p *Program) Exec() *exec.Program { return p.summaries.Exec() }

// frameworkType gives a type of a framework, nil if the program does not use it.
func (p *Program) frameworkType(path, name string) types.Type {
	pkg := p.load.SSA.ImportedPackage(path)
	if pkg == nil || pkg.Pkg.Scope().Lookup(name) == nil {
		return nil
	}
	return pkg.Pkg.Scope().Lookup(name).Type()
}

// place writes a position for people.
func (p *Program) place(pos token.Pos) string {
	return p.load.Position(pos)
}

// typed gives the type of a message, nil if it is not known.
func (w *world) typed(msg exec.Value) types.Type {
	if f, ok := w.m.Held(msg).(exec.Face); ok {
		return f.Type
	}
	return nil
}

// method gives a method of what handles an actor's messages.
func (w *world) method(v exec.Value, name string) (fn *ssa.Function, recv exec.Value) {
	f, ok := w.m.Held(v).(exec.Face)
	if !ok || f.Type == nil {
		return nil, nil
	}
	return w.m.Method(f.Type, nil, name), f.Val
}
