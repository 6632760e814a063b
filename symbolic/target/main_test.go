package target_test

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
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

// read reads packages, with a store and a solver for them.
func read(t testing.TB, dir string, patterns ...string) (*load.Program, *term.Store, solve.Solver) {
	t.Helper()
	return readAs(t, load.Config{Dir: dir, Patterns: patterns})
}

// programs are those of the repository that were read, by folder and patterns: reading one takes half a CPU second.
var programs = map[string]*load.Program{}

func readAs(t testing.TB, c load.Config) (*load.Program, *term.Store, solve.Solver) {
	t.Helper()
	key, kept := fmt.Sprintf("%+v", c), strings.HasPrefix(c.Dir, "..") && c.Overlay == nil
	loaded := programs[key]
	if loaded == nil {
		var err error
		if loaded, err = summary.Load(c); err != nil {
			t.Fatal(err)
		}
		if kept {
			programs[key] = loaded
		}
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = solver.Close() })
	return loaded, store, solver
}

// loadedBench reads a package whose drivers are executed.
func loadedBench(t testing.TB, dir string) (*bench, *system.Program) {
	t.Helper()
	loaded, store, solver := read(t, dir, ".")
	p := system.New(loaded, store, solver)
	return &bench{t, loaded, store, target.New(loaded, p.Summaries(), store, p)}, p
}

// startOf gives the first start configuration that a test makes and that is as wanted.
func (b *bench) startOf(p *system.Program, entry string, wanted func(*system.Start) bool) *system.Start {
	b.t.Helper()
	for _, d := range p.Drivers() {
		if d.Entry.Name() != entry {
			continue
		}
		s, err := p.Start(b.t.Context(), d, system.Config{})
		if err != nil {
			b.t.Fatal(err)
		}
		if wanted(s) {
			return s
		}
	}
	b.t.Fatalf("there is no such driver in %s", entry)
	return nil
}

// opened gives the start configuration that a test makes.
func opened(t testing.TB, dir, entry string) (*bench, *system.Start, *system.Program) {
	t.Helper()
	b, p := loadedBench(t, dir)
	return b, b.startOf(p, entry, func(*system.Start) bool { return true }), p
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

// panics gives the target of a panic of a handler.
func (b *bench) panics(typ, message string) *target.Target {
	return &target.Target{Goal: system.Goal{Panic: true}, Name: typ, Fn: b.receive(typ), Message: b.named(message)}
}

// panicsAt gives the place of the panic of a handler.
func (b *bench) panicsAt(typ string) token.Pos {
	b.t.Helper()
	for _, block := range b.receive(typ).Blocks {
		for _, in := range block.Instrs {
			if p, ok := in.(*ssa.Panic); ok {
				return p.Pos()
			}
		}
	}
	b.t.Fatalf("%s does not panic", typ)
	return token.NoPos
}

// callOf gives a call of a function of a name in a block, nil if there is none.
func callOf(block *ssa.BasicBlock, name string) ssa.CallInstruction {
	for _, in := range block.Instrs {
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if to := c.Common().StaticCallee(); to != nil && to.Name() == name || c.Common().Method != nil && c.Common().Method.Name() == name {
			return c
		}
	}
	return nil
}

// calls gives the target of a call in a handler; no message means any.
func (b *bench) calls(typ, message, name string) *target.Target {
	b.t.Helper()
	fn := b.receive(typ)
	for _, block := range fn.Blocks {
		if callOf(block, name) != nil {
			t := &target.Target{Goal: system.Goal{Block: block}, Name: typ + " " + name, Fn: fn}
			if message != "" {
				t.Message = b.named(message)
			}
			return t
		}
	}
	b.t.Fatalf("%s has no call of %s", fn, name)
	return nil
}

// call gives the place of a call in a method.
func (b *bench) call(typ, method, name string) token.Pos {
	b.t.Helper()
	t := b.named(typ)
	sel := b.loaded.SSA.MethodSets.MethodSet(types.NewPointer(t)).Lookup(t.(*types.Named).Obj().Pkg(), method)
	for _, block := range b.loaded.SSA.MethodValue(sel).Blocks {
		if c := callOf(block, name); c != nil {
			return c.Pos()
		}
	}
	b.t.Fatalf("%s of %s has no call of %s", method, typ, name)
	return token.NoPos
}
