package prove

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// fact is a comparison that has come out true.
type fact struct {
	op   token.Token
	x, y ssa.Value
}

// factsAt lists what the branches say that every way into a block has taken.
//
// SUBTLE: the values of such a comparison are those that the block sees, also within loops. They dominate the branch,
// and the branch dominates the block, so no way from the branch to the block computes them again.
func factsAt(b *ssa.BasicBlock) (list []fact) {
	for ; b != nil; b = b.Idom() {
		if len(b.Preds) == 1 {
			list = append(list, factsOf(b.Preds[0], b)...)
		}
	}
	return list
}

// factsOf lists what the branch at the end of a block says if it leads to another block.
func factsOf(from, to *ssa.BasicBlock) []fact {
	if len(from.Instrs) == 0 || len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
		return nil
	}
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	return comparison(branch.Cond, from.Succs[0] == to)
}

// opposite gives the comparison that holds where another one does not. Numbers with a fraction are not asked for.
var opposite = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// comparison gives what is known when a condition has come out so.
func comparison(cond ssa.Value, is bool) []fact {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return comparison(c.X, !is)
		}
	case *ssa.BinOp:
		other, ok := opposite[c.Op]
		switch {
		case !ok:
		case is:
			return []fact{{c.Op, c.X, c.Y}}
		default:
			return []fact{{other, c.X, c.Y}}
		}
	}
	return nil
}

// inequalities gives what the fact says of integers.
func (f fact) inequalities() []claim {
	if !counts(f.x.Type()) || !counts(f.y.Type()) {
		return nil
	}
	x, y := nodeOf(f.x), nodeOf(f.y)
	switch f.op {
	case token.LSS:
		return atMost(x, y, -1)
	case token.LEQ:
		return atMost(x, y, 0)
	case token.GTR:
		return atMost(y, x, -1)
	case token.GEQ:
		return atMost(y, x, 0)
	case token.EQL:
		return append(atMost(x, y, 0), atMost(y, x, 0)...)
	case token.NEQ: // a length that is not 0 is more
		switch {
		case y == zero && x.length && x.add == 0:
			return atMost(zero, x, -1)
		case x == zero && y.length && y.add == 0:
			return atMost(zero, y, -1)
		}
	}
	return nil
}
