package prove

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// notNil shows that a value is not nil where an instruction uses it.
func (p *prover) notNil(v ssa.Value, at ssa.Instruction, deep int) bool {
	if deep == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Function, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeInterface:
		return true
	case *ssa.FreeVar: // the variable that was captured
		return v.Parent().Synthetic == ""
	case *ssa.ChangeType:
		return p.notNil(v.X, at, deep-1)
	case *ssa.ChangeInterface:
		return p.notNil(v.X, at, deep-1)
	case *ssa.Call:
		if p.gives(v, deep-1) {
			return true
		}
	case *ssa.UnOp:
		if p.loaded(v, deep-1) {
			return true
		}
	case *ssa.Extract:
		if p.paired(v, at, deep-1) {
			return true
		}
	case *ssa.Field:
		if p.program != nil && p.program.part(v) {
			return true
		}
	case *ssa.Parameter:
		if p.program != nil && mayBeNil(v.Type()) && !p.program.bad[v] && !p.program.open[v.Parent()] {
			return true
		}
	case *ssa.Phi:
		if p.allNotNil(v, deep-1) {
			return true
		}
	}
	return p.checked(v, at) || p.used(v, at)
}

// allNotNil shows that what every way into a block brings is not nil.
func (p *prover) allNotNil(phi *ssa.Phi, deep int) bool {
	if slices.Contains(p.phis, phi) {
		return true // of an earlier turn of the loop
	}
	p.phis = append(p.phis, phi)
	defer func() { p.phis = p.phis[:len(p.phis)-1] }()
	for i, edge := range phi.Edges {
		pred := phi.Block().Preds[i]
		last := pred.Instrs[len(pred.Instrs)-1]
		if !p.nilFact(factsOf(pred, phi.Block()), edge) && !p.notNil(edge, last, deep) {
			return false
		}
	}
	return true
}

// checked reports whether a branch on every way has found the value not to be nil.
func (p *prover) checked(v ssa.Value, at ssa.Instruction) bool {
	return p.nilFact(factsAt(at.Block()), v)
}

func (p *prover) nilFact(facts []fact, v ssa.Value) bool {
	return slices.ContainsFunc(facts, func(f fact) bool {
		return f.op == token.NEQ && (isNil(f.y) && p.same(f.x, v, depth) || isNil(f.x) && p.same(f.y, v, depth))
	})
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// used reports whether an instruction on every way would have panicked if the value were nil.
func (p *prover) used(v ssa.Value, at ssa.Instruction) bool {
	list := at.Block().Instrs[:place(at)]
	for b := at.Block(); ; list = b.Instrs {
		if slices.ContainsFunc(list, func(in ssa.Instruction) bool {
			u := needs(in)
			return u != nil &&
				p.same(u, v, depth)
		}) {
			return true
		}
		if b = b.Idom(); b == nil {
			return false
		}
	}
}

// needs gives the value that an instruction looks behind, nil if there is no such.
//
// SUBTLE: the address of a field is no such instruction. The compiler checks the pointer when the field is looked at,
// which may be after another operand has panicked.
func needs(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return origin(in.X)
		}
	case *ssa.Store:
		return origin(in.Addr)
	case *ssa.MapUpdate:
		return in.Map
	case *ssa.Call:
		if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
			return in.Call.Value
		}
	}
	return nil
}

// origin gives the pointer that an address is made of.
func origin(v ssa.Value) ssa.Value {
	for {
		switch a := v.(type) {
		case *ssa.FieldAddr:
			v = a.X
		case *ssa.IndexAddr:
			if _, array := a.X.Type().Underlying().(*types.Pointer); !array {
				return v
			}
			v = a.X
		default:
			return v
		}
	}
}

// gives shows that what a call gives is not nil.
func (p *prover) gives(c *ssa.Call, deep int) bool {
	fn := c.Call.Method
	callee := c.Call.StaticCallee()
	if callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	if fn != nil {
		row, ok := model.Find(fn)
		if ok && row.Framework != "" &&
			(row.Op == model.Self || row.Op == model.Spawn && fn.Signature().Results().Len() == 1) || model.NeverNil(fn) {
			return true
		}
	}
	return callee != nil && callee.Signature.Results().Len() == 1 && p.returns(callee, deep)
}

// paired shows that a result of a call is not nil because its error is.
func (p *prover) paired(v *ssa.Extract, at ssa.Instruction, deep int) bool {
	c, ok := v.Tuple.(*ssa.Call)
	last := v.Tuple.Type().(*types.Tuple).Len() - 1
	if !ok || v.Index == last || !types.Identical(v.Tuple.Type().(*types.Tuple).At(last).Type(),
		types.Universe.Lookup("error").Type()) {
		return false
	}
	well := slices.ContainsFunc(factsAt(at.Block()), func(f fact) bool {
		e, ok := f.x.(*ssa.Extract)
		return ok && f.op == token.EQL && isNil(f.y) && e.Tuple == c && e.Index == last
	})
	if !well {
		return false
	}
	fn := c.Call.Method
	callee := c.Call.StaticCallee()
	if callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	if row, ok := model.Find(fn); ok && row.Framework != "" && row.Op == model.Spawn && v.Index == 0 {
		return true
	}
	return callee != nil && p.eachReturn(callee, deep, func(at *prover, r *ssa.Return) bool {
		return at.notNil(r.Results[last], r, deep-1) || at.notNil(r.Results[v.Index], r, deep-1)
	})
}

// returns shows that a function that was read gives no nil.
func (p *prover) returns(fn *ssa.Function, deep int) bool {
	return p.eachReturn(fn, deep, func(at *prover, r *ssa.Return) bool { return at.notNil(r.Results[0], r, deep-1) })
}

// eachReturn reports whether something holds of all that a function returns. One that recovers may return something
// else.
func (p *prover) eachReturn(fn *ssa.Function, deep int, holds func(*prover, *ssa.Return) bool) bool {
	if deep <= 0 || len(fn.Blocks) == 0 || fn.Recover != nil || fn.Origin() != nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if r, ok := in.(*ssa.Return); ok && !holds(&prover{program: p.program, mixed: mixed(r), cells: p.cells}, r) {
				return false
			}
		}
	}
	return true
}
