package prove

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// mixed reports whether the statement of an instruction calls a function that may write memory, and Go leaves open
// whether that comes first. For one, x.s[i] + f() may look at x.s after the call, though its load is before it in SSA
// form. A call of whose arguments the instruction is a part comes later.
func mixed(in ssa.Instruction) bool {
	fn := in.Parent()
	if fn.Syntax() == nil || !in.Pos().IsValid() {
		return true
	}
	from, to := statement(fn.Syntax(), in.Pos())
	for _, b := range fn.Blocks {
		for _, other := range b.Instrs {
			c, ok := other.(*ssa.Call)
			if ok && from <= c.Pos() && c.Pos() < to && callWrites(c, nil) && !encloses(fn.Syntax(), c.Pos(), in.Pos()) {
				return true
			}
		}
	}
	return false
}

// statement gives the extent of the statement that a place is in, of one with a body all of it if the place is in its
// head.
func statement(root ast.Node, at token.Pos) (from, to token.Pos) {
	from, to = root.Pos(), root.End()
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || n.End() <= at {
			return false
		}
		if s, ok := n.(ast.Stmt); ok {
			from, to = s.Pos(), s.End()
		}
		return true
	})
	return from, to
}

// encloses reports whether a place is in the call whose parenthesis is at another one.
func encloses(root ast.Node, call, at token.Pos) (is bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || call < n.Pos() || n.End() <= call {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == call {
			is = c.Pos() <= at && at < c.End()
		}
		return true
	})
	return is
}
