package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file: package variables that nothing changes once the program has begun.
//
// Differs: the paper has none. One that something may change is not modelled: others may write it at any time.

// global tells how a package variable is used.
type global struct {
	stores int       // in all of the program
	value  ssa.Value // what the initialisation of its package puts there
	leaks  bool      // its address goes elsewhere than to loads and stores
}

// firstError is the address of the first error that a package variable holds.
const firstError = 1 << 27

// names notes which package variables an instruction uses, and how.
func (p *Program) names(in ssa.Instruction) {
	for _, op := range in.Operands(nil) {
		v, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		g := p.globals[v]
		if g == nil {
			g = &global{}
			p.globals[v] = g
		}
		switch in := in.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			g.stores++
			g.leaks = g.leaks || in.Val == ssa.Value(v)
			if fn := in.Parent(); fn.Name() == "init" && fn.Synthetic != "" {
				g.value = in.Val
			}
		default:
			g.leaks = true
		}
	}
}

// global is what a package variable holds: a constant, a function or an error that the initialisation of its package
// puts there, or zero where nothing puts anything.
func (p *Program) global(e *Engine, v *ssa.Global) value {
	g := p.globals[v]
	switch {
	case g == nil || g.leaks || v.Pkg == nil || len(v.Pkg.Func("init").Blocks) == 0:
		return unmodelled
	case g.stores == 0:
		return e.zero
	case g.stores > 1 || g.value == nil:
		return unmodelled
	}
	return e.initially(v, g.value)
}

// constantly is a value that a package variable holds, where an instruction reads one that nothing changes; else it is
// x.
func (e *Engine) constantly(v ssa.Value, x value) value {
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok {
			if held := e.program.global(e, g); held(partType, wordSort) != nil {
				return held
			}
		}
	}
	return x
}

// initially is a value that does not depend on what was done before.
func (e *Engine) initially(g *ssa.Global, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return e.constant(v)
	case *ssa.Function:
		return single(e.functionTerm(v))
	case *ssa.ChangeType:
		return e.initially(g, v.X)
	case *ssa.MakeInterface:
		return e.boxed(v.X.Type(), e.initially(g, v.X))
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && fn.String() == "errors.New" {
			return e.failure(g, fn)
		}
	}
	return unmodelled
}

// failure is an error that differs from all others.
func (e *Engine) failure(g *ssa.Global, made *ssa.Function) value {
	n, ok := e.errors[g]
	if !ok {
		n = uint64(firstError + len(e.errors))
		e.errors[g] = n
	}
	t := types.NewPointer(made.Pkg.Type("errorString").Type())
	return e.boxed(t, single(e.store.Uint(wordSort, n)))
}
