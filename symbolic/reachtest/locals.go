package reachtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file finds the statements of a driver's function that its test needs: those that define the variables in what is
// kept.

// needs collects the statements of the entry that define what the call names.
func (w *writer) needs() error { return w.needsOf(w.d.call) }

// needsOf collects the statements of the entry that define what an expression of it names.
func (w *writer) needsOf(e ast.Expr) error {
	if w.needed == nil {
		w.needed = map[types.Object]bool{}
	}
	seen := w.needed
	var err error
	var of func(n ast.Node)
	of = func(n ast.Node) {
		ast.Inspect(n, func(x ast.Node) bool {
			id, ok := x.(*ast.Ident)
			if !ok || err != nil {
				return err == nil
			}
			o := w.d.pkg.TypesInfo.Uses[id]
			if v, is := o.(*types.Var); is && v.IsField() {
				return true
			}
			if o == nil || seen[o] || !inside(w.d.entry.Body, o.Pos()) || inside(e, o.Pos()) || inside(n, o.Pos()) ||
				w.gone(id.Pos()) && !w.used[o] {
				return true
			}
			seen[o] = true
			s, from, failed := w.defining(o, id)
			if err = failed; err != nil {
				return false
			}
			of(from)
			if !slices.Contains(w.locals, s) && !same(s) {
				w.locals = append(w.locals, s)
			}
			return err == nil
		})
	}
	of(e)
	return err
}

// defining gives the statement that defines a variable of the entry, with what that is computed from. id is where it is
// used.
func (w *writer) defining(o types.Object, id *ast.Ident) (s ast.Stmt, from ast.Node, err error) {
	if s, from, err = w.d.turn(o); s != nil || err != nil {
		return s, from, err
	}
	if s = w.defines(o); s == nil {
		return nil, nil, unwritable("the system is made from %s, which is no variable with one definition (%s)", id.Name,
			w.d.program.Position(id.Pos()))
	}
	return s, s, nil
}

// defines gives the statement that defines a variable of the entry: x := ..., or var x = ...
func (w *writer) defines(o types.Object) (found ast.Stmt) {
	ast.Inspect(w.d.entry.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE && w.d.pkg.TypesInfo.Defs[id] == o {
					found = s
				}
			}
		case *ast.DeclStmt:
			if inside(s, o.Pos()) {
				found = s
			}
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return !inside(n, o.Pos()) || inside(n, w.d.call.Pos())
		}
		return true
	})
	return found
}
