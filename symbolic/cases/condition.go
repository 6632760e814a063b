package cases

import (
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file finds the source of the conditions and blocks of a function, as people read it.

// condition gives the source of the condition that a block ends with, and its place; "" if it is not found. Where the
// source negates it, it is what is negated: !ok has the condition ok.
func condition(b *ssa.BasicBlock) (text string, at token.Pos) {
	syntax := b.Parent().Syntax()
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || syntax == nil {
		return "", token.NoPos
	}
	if strings.HasPrefix(b.Succs[0].Comment, "range") {
		return ofRange(syntax, b)
	}
	switch cond := branch.Cond.(type) {
	case *ssa.BinOp:
		return ofComparison(syntax, cond.Pos())
	case *ssa.Call:
		return ofCall(syntax, cond.Pos())
	case *ssa.Extract:
		if assert, ok := cond.Tuple.(*ssa.TypeAssert); ok {
			if text, at := ofCase(syntax, assert); text != "" {
				return text, at
			}
		}
	}
	return ofName(syntax, branch.Cond, lastPos(b))
}

// first finds the first node with a text, and its place.
func first(syntax ast.Node, of func(ast.Node) string) (text string, at token.Pos) {
	ast.Inspect(syntax, func(n ast.Node) bool {
		if text == "" && n != nil {
			text, at = of(n), n.Pos()
		}
		return text == ""
	})
	return text, at
}

// ofComparison finds a comparison, also one that a case of a switch makes.
func ofComparison(syntax ast.Node, pos token.Pos) (text string, at token.Pos) {
	if !pos.IsValid() {
		return "", pos
	}
	text, _ = first(syntax, func(n ast.Node) string {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.OpPos == pos {
				return types.ExprString(n)
			}
		case *ast.SwitchStmt:
			for _, s := range n.Body.List {
				for _, e := range s.(*ast.CaseClause).List {
					if e.Pos() == pos && n.Tag != nil {
						return types.ExprString(n.Tag) + " == " + types.ExprString(e)
					}
				}
			}
		}
		return ""
	})
	return text, pos
}

func ofCall(syntax ast.Node, pos token.Pos) (text string, at token.Pos) {
	return first(syntax, func(n ast.Node) string {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			return types.ExprString(call)
		}
		return ""
	})
}

// ofCase finds a case of a switch over types.
func ofCase(syntax ast.Node, assert *ssa.TypeAssert) (text string, at token.Pos) {
	return first(syntax, func(n ast.Node) string {
		if c, ok := n.(*ast.CaseClause); ok && c.Case == assert.Pos() {
			return "case " + typeText(assert.AssertedType)
		}
		return ""
	})
}

// ofRange finds the loop over elements whose condition a block has: that there is one more.
func ofRange(syntax ast.Node, b *ssa.BasicBlock) (text string, at token.Pos) {
	body := firstPos(b.Succs[0])
	ast.Inspect(syntax, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && loop.Pos() <= body && body < loop.End() {
			text, at = "range "+types.ExprString(loop.X), loop.Pos() // the innermost comes last
		}
		return true
	})
	return text, at
}

// ofName finds a condition that is a name, a field or the like: such a value has no place of its own. It is the first
// one behind a place that is executed before.
func ofName(syntax ast.Node, cond ssa.Value, from token.Pos) (text string, at token.Pos) {
	name := ""
	switch v := cond.(type) {
	case *ssa.Parameter:
		name, from = v.Name(), v.Parent().Pos()
	case *ssa.FreeVar:
		name, from = v.Name(), v.Parent().Pos()
	}
	for _, e := range leaves(syntax) {
		x, isName := e.(*ast.Ident)
		if e.End() > from && (name == "" || isName && x.Name == name) {
			return types.ExprString(e), e.Pos()
		}
	}
	return "", token.NoPos
}

// leaves lists the conditions of a function that are neither comparisons nor calls, without what joins and negates
// them, in the order of the source.
func leaves(syntax ast.Node) (list []ast.Expr) {
	var split func(e ast.Expr)
	split = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			split(e.X)
		case *ast.UnaryExpr:
			if e.Op == token.NOT {
				split(e.X)
			}
		case *ast.BinaryExpr:
			if e.Op == token.LAND || e.Op == token.LOR {
				split(e.X)
				split(e.Y)
			}
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			list = append(list, e)
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			split(n.Cond)
		case *ast.ForStmt:
			split(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, s := range n.Body.List {
					for _, e := range s.(*ast.CaseClause).List {
						split(e)
					}
				}
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b ast.Expr) int { return int(a.Pos() - b.Pos()) })
	return list
}

// blockText gives the first line of the statement that a block begins with, "" if there is no source.
func (p *Program) blockText(b *ssa.BasicBlock) string {
	syntax, at := b.Parent().Syntax(), firstPos(b)
	if syntax == nil {
		return ""
	}
	var found ast.Node
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt:
			return true
		case ast.Stmt:
			if n.Pos() <= at && at < n.End() {
				found = n
			}
		}
		return true
	})
	if found == nil {
		return "func " + b.Parent().Name() // where it begins
	}
	var text strings.Builder
	if printer.Fprint(&text, p.load.Fset, found) != nil {
		return ""
	}
	line, _, _ := strings.Cut(text.String(), "\n")
	return strings.TrimSuffix(strings.TrimSpace(line), " {")
}
