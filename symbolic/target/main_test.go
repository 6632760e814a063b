package target_test

import (
	"context"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// bench is a program with what searches need.
type bench struct {
	t      testing.TB
	loaded *load.Program
	store  *term.Store
	engine *target.Engine
}

// believing takes every plan for one that can be followed.
type believing struct{}

func (believing) Follow(_ context.Context, s *system.Start, p system.Plan, _ system.Goal, _ system.Config) (*system.Way, error) {
	return &system.Way{Start: s, Plan: p}, nil
}

// read reads packages, with a store and a solver for them.
func read(t testing.TB, dir string, patterns ...string) (*load.Program, *term.Store, solve.Solver) {
	t.Helper()
	loaded, err := summary.Load(load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = solver.Close() })
	return loaded, store, solver
}

func newBench(t testing.TB, dir string) *bench {
	t.Helper()
	loaded, store, solver := read(t, dir, ".")
	return &bench{t, loaded, store, target.New(loaded, summary.New(loaded, store, solver), store, believing{})}
}

// named gives a type of the package.
func (b *bench) named(name string) types.Type {
	b.t.Helper()
	for _, pkg := range b.loaded.Packages {
		if o := pkg.Types.Scope().Lookup(name); pkg.Root && o != nil {
			return o.Type()
		}
	}
	b.t.Fatalf("there is no type %s", name)
	return nil
}

// receive gives the method Receive of a pointer to a type.
func (b *bench) receive(name string) *ssa.Function {
	b.t.Helper()
	t := b.named(name)
	sel := b.loaded.SSA.MethodSets.MethodSet(types.NewPointer(t)).Lookup(t.(*types.Named).Obj().Pkg(), "Receive")
	return b.loaded.SSA.MethodValue(sel)
}

// actor makes an actor of a start by hand: ints and references to actors by their index are what it holds.
func (b *bench) actor(s *system.Start, name, typ string, state map[string]any) {
	b.t.Helper()
	fn := b.receive(typ)
	a := &system.Actor{Name: name, Fn: fn, Recv: fn.Params[0].Type(), Ref: b.ref(len(s.Actors))}
	for _, f := range fields(b.named(typ)) {
		at := exec.ParameterName(0, fn.Params[0]) + "." + f.Name()
		switch v := state[f.Name()].(type) {
		case ref:
			a.State = append(a.State, exec.Named{Name: at + "!ref", Term: b.ref(int(v))})
		case int:
			a.State = append(a.State, exec.Named{Name: at, Term: b.store.Int(term.Word64, int64(v))})
		}
	}
	s.Actors = append(s.Actors, a)
}

type ref int

func (b *bench) ref(i int) *term.Term { return b.store.Uint(term.Word16, uint64(i+2)) }

func fields(t types.Type) (list []*types.Var) {
	for f := range t.Underlying().(*types.Struct).Fields() {
		list = append(list, f)
	}
	return list
}

// panics gives the target of a panic of a handler.
func (b *bench) panics(typ, message string) *target.Target {
	return &target.Target{Goal: system.Goal{Panic: true}, Name: typ, Fn: b.receive(typ), Message: b.named(message)}
}

// calls gives the target of a call in a handler.
func (b *bench) calls(typ, message, name string) *target.Target {
	b.t.Helper()
	fn := b.receive(typ)
	for _, block := range fn.Blocks {
		for _, in := range block.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok && c.Common().StaticCallee() != nil && c.Common().StaticCallee().Name() == name {
				return &target.Target{Goal: system.Goal{Block: block}, Name: typ + " " + name, Fn: fn, Message: b.named(message)}
			}
		}
	}
	b.t.Fatalf("%s has no call of %s", fn, name)
	return nil
}
