package reachtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file finds the Config with which the driver's system is explored. It is an argument beside the system, in the
// function that makes it or in one of its package that it is handed to.

// config gives the Config with which the system is explored, nil if it is not known.
func (d *driver) config() ast.Expr {
	if d.call == nil || d.away != nil { // it is called by itself, or what it is called with stays behind
		return nil
	}
	var system types.Object // the variable that it is put into
	ast.Inspect(d.entry.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.DEFINE && len(s.Lhs) == 1 && len(s.Rhs) == 1 &&
			ast.Unparen(s.Rhs[0]) == ast.Expr(d.call) {
			system = d.pkg.TypesInfo.Defs[s.Lhs[0].(*ast.Ident)]
		}
		return true
	})
	return d.configOf(d.entry.Body, func(e ast.Expr) bool { return e == ast.Expr(d.call) || d.names(e, system) }, helpers)
}

// helpers bounds how many functions a system is handed through.
const helpers = 3

// names reports whether an expression is the name of an object.
func (d *driver) names(e ast.Expr, o types.Object) bool {
	return o != nil && d.uses(e) == o
}

// configOf gives the Config beside the system in a call in a body, or in a function that is called with the system
// there.
func (d *driver) configOf(body ast.Node, system func(ast.Expr) bool, depth int) (config ast.Expr) {
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || config != nil {
			return config == nil
		}
		i := slices.IndexFunc(c.Args, func(e ast.Expr) bool { return system(ast.Unparen(e)) })
		if i < 0 {
			return true
		}
		for _, a := range c.Args {
			if n, ok := types.Unalias(d.pkg.TypesInfo.TypeOf(a)).(*types.Named); ok && n.Obj().Name() == "Config" &&
				n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == ours {
				config = ast.Unparen(a)
				return false
			}
		}
		if fn := callee(d.pkg, c); fn != nil && depth > 0 && i < fn.Signature().Params().Len() {
			if decl := d.declared(fn); decl != nil && decl.Body != nil {
				at := fn.Signature().Params().At(i)
				config = d.configOf(decl.Body, func(e ast.Expr) bool { return d.names(e, at) }, depth-1)
			}
		}
		return config == nil
	})
	return config
}

// elsewhere reports whether an expression names a variable of a function other than the entry.
func (d *driver) elsewhere(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := d.pkg.TypesInfo.Uses[id].(*types.Var)
			is = is || ok && !v.IsField() && v.Parent() != nil && v.Parent() != d.pkg.Types.Scope() && v.Pkg() == d.pkg.Types &&
				!inside(d.entry, v.Pos()) && !inside(e, v.Pos())
		}
		return !is
	})
	return is
}

// valueOf gives the literal that a variable of the package is declared with, nil if there is none.
func (d *driver) valueOf(id *ast.Ident) (lit *ast.CompositeLit) {
	o := d.pkg.TypesInfo.Uses[id]
	for _, f := range d.pkg.Syntax {
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for i, name := range s.(*ast.ValueSpec).Names {
					if values := s.(*ast.ValueSpec).Values; d.pkg.TypesInfo.Defs[name] == o && o != nil && i < len(values) {
						lit, _ = values[i].(*ast.CompositeLit)
					}
				}
			}
		}
	}
	return lit
}

// literalOf gives the literal with which a variable of the entry is defined, if it is not changed anywhere.
func (w *writer) literalOf(id *ast.Ident) (lit *ast.CompositeLit, ok bool) {
	o := w.d.pkg.TypesInfo.Uses[id]
	if o == nil || !inside(w.d.entry.Body, o.Pos()) {
		return nil, false
	}
	if s, is := w.defines(o).(*ast.AssignStmt); is && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		lit, ok = ast.Unparen(s.Rhs[0]).(*ast.CompositeLit)
	}
	ast.Inspect(w.d.entry.Body, func(n ast.Node) bool {
		if s, is := n.(*ast.AssignStmt); is && ok && s.Tok == token.ASSIGN {
			for _, l := range s.Lhs {
				if x, field := l.(*ast.SelectorExpr); field {
					l = x.X
				}
				to, is := l.(*ast.Ident)
				ok = ok && (!is || w.d.pkg.TypesInfo.Uses[to] != o)
			}
		}
		return ok
	})
	return lit, ok
}
