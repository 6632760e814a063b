package reachtest_test

import (
	"context"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// examples is the program of some examples, read once.
type examples struct {
	load  *load.Program
	exec  *exec.Program
	store *term.Store
}

var read = sync.OnceValues(func() (*examples, error) {
	return readPackages("../../examples", "./bank", "./restart", "./overdraft", "./threadring")
})

func readPackages(dir string, patterns ...string) (*examples, error) {
	p, err := gentest.Load(dir, patterns)
	if err != nil {
		return nil, err
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{})
	if err != nil {
		return nil, err
	}
	return &examples{p, summary.New(p, store, solver).Exec(), store}, nil
}

func program(t *testing.T) *examples {
	t.Helper()
	x, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fn finds a function by package and name.
func (x *examples) fn(t *testing.T, pkg, name string) *ssa.Function {
	t.Helper()
	for _, p := range x.load.Packages {
		if strings.HasSuffix(p.PkgPath, pkg) {
			if f := p.SSA.Func(name); f != nil {
				return f
			}
		}
	}
	t.Fatalf("no function %s in %s", name, pkg)
	return nil
}

// method finds a method of a pointer.
func (x *examples) method(t *testing.T, pkg, typ, name string) *ssa.Function {
	t.Helper()
	f := x.load.SSA.LookupMethod(types.NewPointer(x.typ(t, pkg, typ)), nil, name)
	if f == nil {
		t.Fatalf("no method %s.%s", typ, name)
	}
	return f
}

// inner finds a function or method by its name, or a function literal by that of Go's SSA form.
func (x *examples) inner(t *testing.T, pkg, name string) *ssa.Function {
	t.Helper()
	for _, f := range x.load.Functions() {
		if f.Name() == name && f.Pkg != nil && strings.HasSuffix(f.Pkg.Pkg.Path(), pkg) {
			return f
		}
	}
	t.Fatalf("no function %s in %s", name, pkg)
	return nil
}

// typ finds a type.
func (x *examples) typ(t *testing.T, pkg, name string) types.Type {
	t.Helper()
	for _, p := range x.load.Packages {
		if strings.HasSuffix(p.PkgPath, pkg) {
			if o := p.Types.Scope().Lookup(name); o != nil {
				return o.Type()
			}
		}
	}
	t.Fatalf("no type %s in %s", name, pkg)
	return nil
}

// called lists the calls of a function of a name in a function and those inside of it.
func called(f *ssa.Function, name string) (list []*ssa.Call) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if s := c.Call.StaticCallee(); s != nil && s.Name() == name || c.Call.IsInvoke() && c.Call.Method.Name() == name {
				list = append(list, c)
			}
		}
	}
	for _, g := range f.AnonFuncs {
		list = append(list, called(g, name)...)
	}
	return list
}

// hand is a way that is made by hand.
type hand struct {
	x     *examples
	way   *system.Way
	names []string
}

// by begins a way of a driver: an entry, the function that it calls for the system, and the actors.
func (x *examples) by(t *testing.T, model trace.Model, pkg, entry, system_ string, actors ...string) *hand {
	t.Helper()
	f := x.fn(t, pkg, entry)
	calls := called(f, system_)
	if len(calls) == 0 {
		t.Fatalf("%s does not call %s", entry, system_)
	}
	s := &system.Start{Driver: &system.Driver{Entry: f, Pos: calls[0].Pos(), Proto: slices.Contains([]string{"payments", "round", "campaign"}, system_)}}
	for i, name := range actors {
		s.Actors = append(s.Actors, &system.Actor{Name: name, Ref: x.store.Uint(term.Word(64), uint64(i+2))})
	}
	return &hand{x, &system.Way{Start: s, Plan: system.Plan{Model: model}, Model: &term.Model{}}, actors}
}

// sends adds a message that the driver sends: by the n-th call of a function in another one.
func (h *hand) sends(t *testing.T, in *ssa.Function, call string, n, to int, of types.Type, flat ...exec.Named) *hand {
	t.Helper()
	h.way.Start.Sent = append(h.way.Start.Sent, system.Message{To: to, Type: of, Flat: flat, Pos: called(in, call)[n].Pos()})
	return h
}

// outside adds a message that was found.
func (h *hand) outside(to int, of types.Type, flat ...exec.Named) *hand {
	h.way.Outside = append(h.way.Outside, system.External{To: to, Type: of, Flat: flat})
	return h
}

func (h *hand) order(o ...trace.OrderEntry) *hand { h.way.Order = o; return h }

// number is a part of a message.
func (x *examples) number(name string, n int64) exec.Named {
	return exec.Named{Name: name, Term: x.store.Int(term.Word(64), n)}
}

// at gives the blocks of a line.
func (x *examples) at(t *testing.T, file string, line int) []*ssa.BasicBlock {
	t.Helper()
	path, err := filepath.Abs("../../examples/" + file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := reachtest.FindLine(x.load, path, line)
	if err != nil {
		t.Fatal(err)
	}
	return []*ssa.BasicBlock{l.Block}
}

// confirm writes and executes the test of a way.
func (h *hand) confirm(t *testing.T, name string, g reachtest.Goal) *reachtest.Outcome {
	t.Helper()
	w, err := reachtest.New(h.x.load, h.x.exec, reachtest.Wanted{Way: h.way, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	o, err := w.Confirm(context.Background(), reachtest.Run{Scratch: t.TempDir()}, g)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// source gives the test of a way.
func (h *hand) source(t *testing.T, name string) string {
	t.Helper()
	w, err := reachtest.New(h.x.load, h.x.exec, reachtest.Wanted{Way: h.way, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	src, err := w.Source()
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
