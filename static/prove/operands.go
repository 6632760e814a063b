package prove

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// This file takes the two sides of a claim apart: the left one into what is at least as large, the right one into what
// is at most as large.

// here is where a claim is looked at.
type here struct {
	p     *prover
	block *ssa.BasicBlock
	facts []fact
}

// isAtLeast shows that a value is not below a number.
func (h here) isAtLeast(v ssa.Value, n int64) bool {
	list := atMost(node{add: n}, nodeOf(v), 0)
	return counts(v.Type()) && len(list) == 1 && h.p.shows(list[0], h.block, h.facts)
}

// below replaces a by something that is at least as large.
func (p *prover) below(c claim, at *ssa.BasicBlock, facts []fact) bool {
	if phi, ok := c.a.v.(*ssa.Phi); ok {
		return p.phi(c, phi, c.b, func(edge ssa.Value) []claim { return atMost(c.a.of(edge), node{base: c.b}, c.k) })
	}
	h := here{p, at, facts}
	for _, up := range h.upper(c.a) {
		if up.add != math.MinInt64 && p.next(c, up.base, c.b, -up.add, at, facts) {
			return true
		}
	}
	return false
}

// above replaces b by something that is at most as large.
func (p *prover) above(c claim, at *ssa.BasicBlock, facts []fact) bool {
	if phi, ok := c.b.v.(*ssa.Phi); ok {
		return p.phi(c, phi, c.a, func(edge ssa.Value) []claim { return atMost(node{base: c.a}, c.b.of(edge), c.k) })
	}
	h := here{p, at, facts}
	for _, low := range h.lower(c.b) {
		if p.next(c, c.a, low.base, low.add, at, facts) {
			return true
		}
	}
	return false
}

// of gives the node of what a way into a block brings in the place of the phi of the base.
func (b base) of(edge ssa.Value) node {
	if b.length {
		return lengthOf(edge)
	}
	return nodeOf(edge)
}

// upper lists nodes that are at least as large as a base.
func (h here) upper(b base) []node {
	switch v := b.v.(type) {
	case *ssa.Slice:
		if b.length && v.High != nil && counts(v.High.Type()) {
			return []node{nodeOf(v.High)} // less what is before it, which is not negative
		} else if b.length && v.High == nil {
			return []node{lengthOf(v.X)}
		}
	case *ssa.BinOp:
		return h.upperOf(v)
	case *ssa.Call:
		switch {
		case b.length:
		case isBuiltin(v, "copy"):
			return []node{lengthOf(v.Call.Args[0]), lengthOf(v.Call.Args[1])}
		case isBuiltin(v, "min"):
			return nodesOf(v.Call.Args)
		}
	case *ssa.Convert:
		if from, ok := v.X.Type().Underlying().(*types.Basic); ok && counts(v.Type()) && largest[from.Kind()] > 0 {
			return []node{{add: largest[from.Kind()]}}
		}
	}
	return nil
}

// largest are the largest integers of narrower types.
var largest = map[types.BasicKind]int64{
	types.Uint8: math.MaxUint8, types.Uint16: math.MaxUint16, types.Uint32: math.MaxUint32,
	types.Int8: math.MaxInt8, types.Int16: math.MaxInt16, types.Int32: math.MaxInt32,
}

func nodesOf(args []ssa.Value) (list []node) {
	for _, a := range args {
		list = append(list, nodeOf(a))
	}
	return list
}

// upperOf is upper of an operator. A sum that overflows becomes smaller, a difference that does becomes larger.
func (h here) upperOf(v *ssa.BinOp) []node {
	if !counts(v.Type()) {
		return nil
	}
	if y, c, ok := added(v); ok && (c >= 0 || h.isAtLeast(y, 0)) {
		if n, ok := nodeOf(y).plus(c); ok {
			return []node{n}
		}
	}
	switch v.Op {
	case token.SUB:
		if h.isAtLeast(v.X, 0) && h.isAtLeast(v.Y, 0) {
			return []node{nodeOf(v.X)}
		}
	case token.REM:
		return h.upperOfRest(v)
	case token.QUO:
		if h.isAtLeast(v.X, 0) && h.isAtLeast(v.Y, 1) {
			return []node{nodeOf(v.X)}
		}
	case token.SHR:
		if h.isAtLeast(v.X, 0) {
			return []node{nodeOf(v.X)}
		}
	case token.AND:
		var list []node
		for _, o := range []ssa.Value{v.X, v.Y} {
			if h.isAtLeast(o, 0) {
				list = append(list, nodeOf(o))
			}
		}
		return list
	}
	return nil
}

// upperOfRest is upper of x % y.
func (h here) upperOfRest(v *ssa.BinOp) (list []node) {
	if h.isAtLeast(v.Y, 1) {
		if n, ok := nodeOf(v.Y).plus(-1); ok {
			list = append(list, n)
		}
	}
	if h.isAtLeast(v.X, 0) {
		list = append(list, nodeOf(v.X))
	}
	return list
}

// added gives x and c of x + c, c + x or x - c.
func added(v *ssa.BinOp) (ssa.Value, int64, bool) {
	if c, ok := number(v.Y); ok && v.Op == token.ADD {
		return v.X, c, true
	} else if ok && v.Op == token.SUB && c != math.MinInt64 {
		return v.X, -c, true
	}
	if c, ok := number(v.X); ok && v.Op == token.ADD {
		return v.Y, c, true
	}
	return nil, 0, false
}

// lower lists nodes that are at most as large as a base.
func (h here) lower(b base) []node {
	switch v := b.v.(type) {
	case *ssa.BinOp:
		return h.lowerOf(v)
	case *ssa.Call:
		switch {
		case b.length && isBuiltin(v, "append"):
			return appended(v.Call.Args)
		case b.length:
		case isBuiltin(v, "copy"), isBuiltin(v, "len"), isBuiltin(v, "cap"):
			return []node{zero}
		case isBuiltin(v, "max"):
			return nodesOf(v.Call.Args)
		}
	case *ssa.Convert:
		if from, ok := v.X.Type().Underlying().(*types.Basic); ok && counts(v.Type()) && largest[from.Kind()] > 0 &&
			from.Info()&types.IsUnsigned != 0 {
			return []node{zero}
		}
	}
	return nil
}

// appended lists what is at most the length that append gives.
func appended(args []ssa.Value) []node {
	if len(args) < 2 {
		return nil
	}
	x, y := lengthOf(args[0]), lengthOf(args[1])
	if y.v == nil {
		if n, ok := x.plus(y.add); ok {
			return []node{n}
		}
	}
	return []node{x, y}
}

// lowerOf is lower of an operator.
func (h here) lowerOf(v *ssa.BinOp) []node {
	if !counts(v.Type()) {
		return nil
	}
	if y, c, ok := added(v); ok && (c <= 0 || h.isAtMost(y, math.MaxInt64-c)) {
		if n, ok := nodeOf(y).plus(c); ok {
			return []node{n}
		}
	}
	positive := false // or zero
	switch v.Op {
	case token.SUB:
		list := atMost(nodeOf(v.Y), nodeOf(v.X), 0)
		positive = h.isAtLeast(v.Y, 0) && len(list) == 1 && h.p.shows(list[0], h.block, h.facts)
	case token.REM, token.SHR:
		positive = h.isAtLeast(v.X, 0)
	case token.QUO:
		positive = h.isAtLeast(v.X, 0) && h.isAtLeast(v.Y, 1)
	case token.AND:
		positive = h.isAtLeast(v.X, 0) || h.isAtLeast(v.Y, 0)
	}
	if positive {
		return []node{zero}
	}
	return nil
}

// isAtMost shows that a value is not above a number.
func (h here) isAtMost(v ssa.Value, n int64) bool {
	list := atMost(nodeOf(v), node{add: n}, 0)
	return counts(v.Type()) && len(list) == 1 && h.p.shows(list[0], h.block, h.facts)
}
