package summary

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Libraries are packages of the standard library that are executed from their source. Name them among the patterns to
// load.
var Libraries = []string{"slices", "maps", "cmp", "sort", "container/heap", "container/list", "container/ring"}

// further are packages outside of the standard library that are executed from their source, too, in programs that
// import them.
var further = []string{"golang.org/x/exp/maps", "golang.org/x/exp/slices"}

// Load reads packages with what their summaries need. It fails if there are none that compile.
func Load(c load.Config) (*load.Program, error) {
	asked := c.Patterns
	c.Patterns = slices.Concat(c.Patterns, Libraries)
	c.Untested = slices.Concat(c.Untested, Libraries, further)
	p, err := c.Load()
	if err != nil {
		return nil, err
	}
	if more := imported(p, further); len(more) > 0 {
		c.Patterns = append(c.Patterns, more...)
		if p, err = c.Load(); err != nil {
			return nil, err
		}
	}
	p.Problems = slices.DeleteFunc(p.Problems, func(q load.Problem) bool {
		return slices.ContainsFunc(Libraries, func(lib string) bool { return strings.Contains(q.Place, "/src/"+lib+"/") })
	})
	for _, pkg := range p.Packages {
		path := strings.TrimSuffix(pkg.PkgPath, "_test")
		if slices.Contains(Libraries, path) || slices.Contains(further, path) {
			pkg.Root = false
		}
	}
	if p.Partial() && !slices.ContainsFunc(p.Packages, func(pkg *load.Package) bool { return pkg.Root }) {
		return nil, broken(asked, p.Problems)
	}
	return p, nil
}

// broken says why there is nothing to look at.
func broken(patterns []string, problems []load.Problem) error {
	var list []string
	for _, q := range problems {
		if q.Missing {
			list = append(list, "\t"+q.String())
		}
	}
	return fmt.Errorf("no package of %s compiles:\n%s", strings.Join(patterns, " "), strings.Join(list, "\n"))
}

// imported lists those of the packages that a program imports.
func imported(p *load.Program, of []string) (paths []string) {
	for _, path := range of {
		if slices.ContainsFunc(p.Packages, func(pkg *load.Package) bool { return pkg.Imports[path] != nil }) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Program is a program whose handlers are summarised.
type Program struct {
	load   *load.Program
	exec   *exec.Program
	store  *term.Store
	solver solve.Solver
	values map[*ssa.Function]bool
	known  map[question]*Summary
}

// question is what was summarised.
type question struct {
	fn      *ssa.Function
	message string
	config  exec.Config
	known   string
}

// New prepares a program. The solver has to be one of the store.
func New(p *load.Program, store *term.Store, solver solve.Solver) *Program {
	return &Program{load: p, exec: exec.New(p), store: store, solver: solver, known: map[question]*Summary{}}
}

// Exec gives the program as package exec knows it, for those who look at the values of paths.
func (p *Program) Exec() *exec.Program { return p.exec }

// Summary is what a handler does.
type Summary struct {
	Handler
	*exec.Result

	// Pieces are what a handler does that gives its actor up in the middle, piece by piece; nil if it does not. The paths
	// of Result go through all of it.
	Pieces []*Piece
}

// Of gives the paths of a handler. A handler of any other message leaves out those that have a case of their own. What
// was asked for before is kept, unless its time was over: nobody may change it.
func (p *Program) Of(ctx context.Context, h Handler, c exec.Config) *Summary {
	return p.Knowing(ctx, h, c, nil)
}

// Knowing gives the paths of a handler whose actor holds what is known, by the names of inputs: numbers, texts, truth
// values and lengths in the receiver.
func (p *Program) Knowing(ctx context.Context, h Handler, c exec.Config, known map[string]*term.Term) *Summary {
	q := question{fn: h.Fn, config: c, known: knownText(known)}
	if h.Message != nil {
		q.message = types.TypeString(h.Message, nil)
	}
	if s := p.known[q]; s != nil {
		return s
	}
	s := p.explore(ctx, h, c, known)
	if ctx.Err() == nil {
		p.known[q] = s
	}
	return s
}

// knownText tells what is known apart from other things that are.
func knownText(known map[string]*term.Term) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintf(&b, "%s=%d\n", name, known[name].ID)
	}
	return b.String()
}

func (p *Program) explore(ctx context.Context, h Handler, c exec.Config, known map[string]*term.Term) *Summary {
	solver := p.solver.Scope()
	defer solver.Close()
	r := p.exec.Explore(ctx, p.store, solver,
		exec.Entry{Fn: h.Fn, Handler: true, Message: h.Message, Others: h.Message == nil, Known: known}, c)
	return &Summary{h, r, p.pieces(ctx, h, c, r)}
}
