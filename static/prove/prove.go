// Package prove shows that checks which Go makes at run time cannot fail: at nil pointers, indices, slices, divisions,
// shifts and lengths.
//
//	prove.go   which checks an instruction makes
//	bounds.go  inequalities between integers and lengths
//	nodes.go   what an inequality is about
//	nil.go     values that are not nil
//	facts.go   what the branches that lead to a block say
//	loads.go   loads that give the same, since nothing is written between them
//	program.go fields and parameters that are never nil in a whole program; scan.go: what makes and writes values;
//	           messages.go: of which types others may make some; hidden.go: what costs the facts of all
//	order.go   statements in which Go leaves open what is evaluated first
//
// What function Never shows holds for any inputs and any state: it uses nothing but the function itself, and what the
// functions return that it calls. What a Program shows uses all writes of the program, too.
//
//	source:     [ABCD00] for inequalities, on demand, with the branches that lead to a block in the place of its
//	            pi-nodes; the pass of that name in Go's compiler
//	differs:    ABCD assumes that nothing overflows. Here a step that would be wrong after an overflow is taken only
//	            where there is none
//	assumes:    integers of 64 bits; no data race; frameworks write no memory of the program while they send or create
//	invariants: I1 a check for which Never gives a reason does not fail. I2 a claim that is asked for again within its
//	               own proof was asked for at a phi, and is the same or weaker: the induction over the turns of a loop is
//	               sound
//	cost:       bounded by depth for each check
//	checked by: twin_test.go: random functions, executed on random inputs
package prove

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// Never says why an instruction does not panic, "" if that is not shown. Of an instruction that cannot panic by its
// kind it says so, too. Explicit panics, and those of functions that are called, are not looked at.
func Never(in ssa.Instruction) string {
	return (&prover{mixed: mixed(in)}).never(in)
}

func (p *prover) never(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return p.pointer(in.X, in)
		}
	case *ssa.FieldAddr:
		return p.pointer(in.X, in)
	case *ssa.Store:
		return p.pointer(in.Addr, in)
	case *ssa.IndexAddr:
		return p.element(in.X, in.Index, in)
	case *ssa.Index:
		return p.element(in.X, in.Index, in)
	case *ssa.Lookup:
		if _, isMap := in.X.Type().Underlying().(*types.Map); !isMap {
			return p.element(in.X, in.Index, in)
		}
	case *ssa.Slice:
		return p.slice(in)
	case *ssa.MapUpdate:
		if hashes(in.Map.Type().Underlying().(*types.Map).Key()) {
			return p.pointer(in.Map, in)
		}
	case *ssa.BinOp:
		return p.operator(in)
	case *ssa.MakeSlice:
		return p.makes(in)
	case *ssa.Call:
		return p.call(in)
	}
	return ""
}

// pointer shows that what an instruction looks behind is not nil.
func (p *prover) pointer(v ssa.Value, at ssa.Instruction) string {
	if p.notNil(v, at, depth) {
		return "not nil"
	}
	return ""
}

// element shows that an index is in range.
func (p *prover) element(of, index ssa.Value, at ssa.Instruction) string {
	if _, array := of.Type().Underlying().(*types.Pointer); array && !p.notNil(of, at, depth) {
		return ""
	}
	i, ok := integer(index)
	if !ok || !p.within(zero, i, 0, at.Block()) || !p.within(i, lengthOf(of), -1, at.Block()) {
		return ""
	}
	return "the index is in range"
}

// slice shows that 0 <= low <= high <= max <= capacity. A length is at most the capacity.
func (p *prover) slice(in *ssa.Slice) string {
	if _, array := in.X.Type().Underlying().(*types.Pointer); array && !p.notNil(in.X, in, depth) {
		return ""
	}
	bounds := []node{zero}
	for _, v := range []ssa.Value{in.Low, in.High, in.Max} {
		if v == nil {
			continue
		}
		n, ok := integer(v)
		if !ok {
			return ""
		}
		bounds = append(bounds, n)
	}
	if in.High != nil || in.Low != nil {
		bounds = append(bounds, lengthOf(in.X))
	}
	for i := range bounds[1:] {
		if !p.within(bounds[i], bounds[i+1], 0, in.Block()) {
			return ""
		}
	}
	return "the bounds are in range"
}

// integer gives the node of a value, if it is a signed integer of 64 bits.
func integer(v ssa.Value) (node, bool) {
	if !counts(v.Type()) {
		return node{}, false
	}
	return nodeOf(v), true
}

// operator shows that a divisor is not zero, and that a shift is not negative.
func (p *prover) operator(in *ssa.BinOp) string {
	switch in.Op {
	case token.QUO, token.REM:
		if c, ok := in.Y.(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) != 0 || p.notZero(in.Y, in) {
			return "the divisor is not zero"
		}
	case token.SHL, token.SHR:
		if basic, ok := in.Y.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsUnsigned != 0 {
			return "the count has no sign"
		}
		if n, ok := integer(in.Y); ok && p.within(zero, n, 0, in.Block()) {
			return "the count is not negative"
		}
	}
	return ""
}

func (p *prover) notZero(v ssa.Value, at ssa.Instruction) bool {
	for _, f := range factsAt(at.Block()) {
		if f.op == token.NEQ && isZero(f.y) && p.same(f.x, v, depth) {
			return true
		}
	}
	n, ok := integer(v)
	return ok && (p.within(zero, n, -1, at.Block()) || p.within(n, zero, -1, at.Block()))
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

// modest is a number of elements of which a slice can always be made, if there is memory for it.
const modest = math.MaxInt16

// makes shows that lengths are in range.
func (p *prover) makes(in *ssa.MakeSlice) string {
	length, ok := integer(in.Len)
	room, okCap := integer(in.Cap)
	if ok && okCap && p.within(zero, length, 0, in.Block()) && p.within(length, room, 0, in.Block()) &&
		p.within(room, node{add: modest}, 0, in.Block()) {
		return "the length is in range"
	}
	return ""
}

// call shows that what is called, or of what a method is called, is not nil.
func (p *prover) call(in *ssa.Call) string {
	if !in.Call.IsInvoke() && in.Call.StaticCallee() != nil {
		return "a function with a name"
	}
	if _, ok := in.Call.Value.(*ssa.Builtin); ok {
		return ""
	}
	return p.pointer(in.Call.Value, in)
}

// NotNil reports whether a value that an instruction uses is shown not to be nil.
func NotNil(v ssa.Value, at ssa.Instruction) bool {
	return (&prover{mixed: mixed(at)}).notNil(v, at, depth)
}

// hashes reports whether values of a type can be keys whatever they are: those of interfaces may hold what cannot.
func hashes(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface, *types.TypeParam:
		return false
	case *types.Array:
		return hashes(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !hashes(f.Type()) {
				return false
			}
		}
	}
	return true
}
