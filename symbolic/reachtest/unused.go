package reachtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// cutter drops statements of the driver, and what nothing uses without them: Go refuses variables that are not used.
type cutter struct {
	d     *driver
	gone  []ast.Node // statements, and expressions that are replaced
	used  map[types.Object]bool
	edits []edit
	done  map[types.Object]bool
}

// cut gives the edits that drop statements. What is used further on are objects in the text that comes in their place.
func (d *driver) cut(list []sending, used map[types.Object]bool) []edit {
	c := &cutter{d: d, used: used, done: map[types.Object]bool{}}
	for _, s := range list {
		if s.nils != nil {
			c.gone = append(c.gone, s.nils)
			c.edits = append(c.edits, edit{s.nils.Pos(), s.nils.End(), "error(nil)"})
			continue
		}
		if s.keep != nil {
			for _, arg := range s.call.Args[c.d.receiver(s.call)+1:] {
				c.gone = append(c.gone, arg)
			}
			c.edits = append(c.edits, edit{s.stmt.Pos(), s.keep.Pos(), ""}, edit{s.keep.End(), s.stmt.End(), ""})
			continue
		}
		c.drop(s.stmt)
	}
	for _, s := range d.gone {
		c.drop(s)
	}
	for c.loops() || c.variables() {
	}
	return c.edits
}

func (c *cutter) drop(s ast.Stmt) {
	c.gone = append(c.gone, s)
	c.edits = append(c.edits, edit{s.Pos(), s.End(), ""})
}

// isGone reports whether a place is in what was dropped.
func (c *cutter) isGone(pos token.Pos) bool {
	return slices.ContainsFunc(c.gone, func(n ast.Node) bool { return n.Pos() <= pos && pos < n.End() })
}

// loops drops a loop all of whose body was dropped. It reports whether there was one.
func (c *cutter) loops() (any bool) {
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch s := n.(type) {
		case *ast.ForStmt:
			body = s.Body
		case *ast.RangeStmt:
			body = s.Body
		case *ast.IfStmt:
			if s.Else == nil && s.Init == nil {
				body = s.Body
			}
		}
		if body == nil || any || c.isGone(n.Pos()) || len(body.List) == 0 || !c.plain(n, body) {
			return !any
		}
		if !slices.ContainsFunc(body.List, func(s ast.Stmt) bool { return !c.isGone(s.Pos()) }) {
			c.drop(n.(ast.Stmt))
			any = true
		}
		return !any
	})
	return any
}

// plain reports whether the head of a statement calls nothing.
func (c *cutter) plain(s ast.Node, body *ast.BlockStmt) bool {
	calls := false
	ast.Inspect(s, func(n ast.Node) bool {
		if _, ok := n.(*ast.CallExpr); ok {
			calls = true
		}
		return n != body
	})
	return !calls
}

// variables deals with the first variable that nothing uses any more. It reports whether there was one.
func (c *cutter) variables() bool {
	left := c.left()
	any := false
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		if any || n == nil {
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.d.pkg.TypesInfo.Defs[id].(*types.Var)
		if !ok || v.IsField() || id.Name == "_" || c.done[v] || left[v] || c.used[v] || c.isGone(id.Pos()) ||
			c.parameter(id) {
			return true
		}
		c.done[v], any = true, true
		c.unused(id)
		return false
	})
	return any
}

// left finds the variables that what is left uses. To be assigned to is no use.
func (c *cutter) left() map[types.Object]bool {
	list := map[types.Object]bool{}
	assigned := map[*ast.Ident]bool{}
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					assigned[id] = true
				}
			}
		case *ast.Ident:
			if o := c.d.pkg.TypesInfo.Uses[n]; o != nil && !assigned[n] && !c.isGone(n.Pos()) {
				list[o] = true
			}
		}
		return true
	})
	return list
}

// parameter reports whether a name is one of a function: these need not be used.
func (c *cutter) parameter(id *ast.Ident) (is bool) {
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok && f.Pos() <= id.Pos() && id.Pos() < f.End() {
			is = true
		}
		return !is
	})
	return is
}

// unused has a definition do without a variable.
func (c *cutter) unused(id *ast.Ident) {
	switch s := c.statement(id).(type) {
	case *ast.AssignStmt:
		c.definition(s, id)
	case *ast.RangeStmt:
		c.edits = append(c.edits, edit{id.Pos(), id.End(), "_"})
		if c.all([]ast.Expr{s.Key, s.Value}) {
			c.edits = append(c.edits, edit{s.Key.Pos(), s.Range, ""})
		}
	case *ast.DeclStmt:
		if spec := s.Decl.(*ast.GenDecl).Specs; len(spec) == 1 && len(spec[0].(*ast.ValueSpec).Names) == 1 &&
			len(spec[0].(*ast.ValueSpec).Values) == 0 && !c.assigned(id) {
			c.drop(s)
			return
		}
		c.edits = append(c.edits, edit{s.End(), s.End(), "\n_ = " + id.Name})
	}
}

// assigned reports whether what is left assigns to a variable.
func (c *cutter) assigned(id *ast.Ident) (is bool) {
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		if n, ok := n.(*ast.Ident); ok && c.d.pkg.TypesInfo.Uses[n] == c.d.pkg.TypesInfo.Defs[id] && !c.isGone(n.Pos()) {
			is = true
		}
		return !is
	})
	return is
}

// definition has x := f() be f(), and drops definitions that do nothing.
func (c *cutter) definition(s *ast.AssignStmt, id *ast.Ident) {
	if c.assigned(id) {
		c.edits = append(c.edits, edit{s.End(), s.End(), "\n_ = " + id.Name})
		return
	}
	if len(s.Lhs) > 1 {
		c.edits = append(c.edits, edit{id.Pos(), id.End(), "_"})
		if c.all(s.Lhs) {
			c.edits = append(c.edits, edit{s.TokPos, s.TokPos + 2, "="})
		}
		return
	}
	switch call := ast.Unparen(s.Rhs[0]).(type) {
	case *ast.CallExpr:
		if of := c.d.pkg.TypesInfo.Types[call.Fun]; of.IsBuiltin() || of.IsType() { // which is no statement
			c.edits = append(c.edits, edit{id.Pos(), id.End(), "_"}, edit{s.TokPos, s.TokPos + 2, "="})
			return
		}
		c.edits = append(c.edits, edit{s.Pos(), s.Rhs[0].Pos(), ""})
	default:
		if c.plain(s, nil) || isLiteral(s.Rhs[0]) {
			c.drop(s)
			return
		}
		c.edits = append(c.edits, edit{id.Pos(), id.End(), "_"}, edit{s.TokPos, s.TokPos + 2, "="})
	}
}

func isLiteral(e ast.Expr) bool { _, ok := e.(*ast.FuncLit); return ok }

// all reports whether a definition defines nothing any more.
func (c *cutter) all(list []ast.Expr) bool {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !c.done[c.d.pkg.TypesInfo.Defs[id]] {
			return false
		}
	}
	return true
}

// statement gives the innermost statement that defines a name.
func (c *cutter) statement(id *ast.Ident) (in ast.Stmt) {
	ast.Inspect(c.d.body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && s.Pos() <= id.Pos() && id.Pos() < s.End() {
			switch s.(type) {
			case *ast.AssignStmt, *ast.RangeStmt, *ast.DeclStmt:
				in = s
			}
		}
		return true
	})
	return in
}
