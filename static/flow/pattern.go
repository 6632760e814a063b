package flow

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// Pattern counts the functions of the named packages that handle messages. It also counts those that match the pattern
// that the optimisations of [TAP18] 4.3 are for. In these a branch on the top level of the function asks for the type
// of the message. Handlers are methods Receive, and other functions of their signature that are used as values:
// behaviours, and actors that are functions.
func Pattern(p *load.Program) (matching, all int) { return PatternIn(p, nil) }

// PatternIn counts those of packages with some paths; nil means all of the named ones.
func PatternIn(p *load.Program, paths []string) (matching, all int) {
	seen := map[string]bool{} // files: a package that was read with its tests and without
	for _, pkg := range p.Packages {
		if !pkg.Root || paths != nil && !slices.Contains(paths, pkg.PkgPath) {
			continue
		}
		for _, file := range pkg.Syntax {
			name := p.Fset.Position(file.Pos()).Filename
			if seen[name] {
				continue
			}
			seen[name] = true
			values := valuesIn(pkg.Syntax, pkg.TypesInfo)
			ast.Inspect(file, func(n ast.Node) bool {
				body := handlerBody(n, pkg.TypesInfo, values)
				if body != nil {
					all++
					if asksFirst(body, pkg.TypesInfo) {
						matching++
					}
				}
				return true
			})
		}
	}
	return matching, all
}

// valuesIn gives the functions that are used as values, and the literals that are called where they stand, as false.
func valuesIn(files []*ast.File, info *types.Info) map[any]bool {
	called := map[ast.Expr]bool{}
	values := map[any]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				called[ast.Unparen(n.Fun)] = true
				if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
					values[lit] = false
				}
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
					called[sel.Sel] = true
				}
			case *ast.Ident:
				if f, ok := info.Uses[n].(*types.Func); ok && !called[n] {
					values[f] = true
				}
			}
			return true
		})
	}
	return values
}

// handlerBody gives the body of a function if it handles messages.
func handlerBody(n ast.Node, info *types.Info, values map[any]bool) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f, ok := info.Defs[n.Name].(*types.Func)
		if ok && n.Body != nil && model.Handles(f.Signature()) != "" &&
			(n.Recv != nil && n.Name.Name == "Receive" || values[f]) {
			return n.Body
		}
	case *ast.FuncLit:
		sig, ok := info.TypeOf(n).(*types.Signature)
		if _, called := values[n]; ok && !called && model.Handles(sig) != "" {
			return n.Body
		}
	}
	return nil
}

// asksFirst reports whether a statement on the top level of a handler branches on the type of the message.
func asksFirst(body *ast.BlockStmt, info *types.Info) bool {
	held := map[types.Object]bool{} // variables that hold the message
	asked := map[types.Object]bool{}
	for _, st := range body.List {
		switch st := st.(type) {
		case *ast.AssignStmt:
			note(st, info, held, asked)
		case *ast.TypeSwitchStmt:
			if init, ok := st.Init.(*ast.AssignStmt); ok {
				note(init, info, held, asked)
			}
			if isMessage(subject(st), info, held) {
				return true
			}
		case *ast.IfStmt:
			if init, ok := st.Init.(*ast.AssignStmt); ok && note(init, info, held, asked) {
				return true
			}
			if mentions(st.Cond, info, asked) {
				return true
			}
		}
	}
	return false
}

// note follows a message into variables, and reports whether it was asked for its type.
func note(st *ast.AssignStmt, info *types.Info, held, asked map[types.Object]bool) bool {
	if len(st.Rhs) != 1 {
		return false
	}
	if a, ok := ast.Unparen(st.Rhs[0]).(*ast.TypeAssertExpr); ok && len(st.Lhs) == 2 && isMessage(a.X, info, held) {
		if id, ok := st.Lhs[1].(*ast.Ident); ok {
			asked[info.ObjectOf(id)] = true
		}
		return true
	}
	if id, ok := st.Lhs[0].(*ast.Ident); ok && len(st.Lhs) == 1 && isMessage(st.Rhs[0], info, held) {
		held[info.ObjectOf(id)] = true
	}
	return false
}

// subject is what a type switch asks.
func subject(st *ast.TypeSwitchStmt) ast.Expr {
	var x ast.Expr
	switch a := st.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	return ast.Unparen(x).(*ast.TypeAssertExpr).X
}

// isMessage reports whether an expression is the message that is being handled.
func isMessage(x ast.Expr, info *types.Info, held map[types.Object]bool) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		o, ok := info.ObjectOf(x).(*types.Var)
		return ok && (held[o] || isAny(o.Type()) && o.Kind() == types.ParamVar)
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
			f, _ := info.Uses[sel.Sel].(*types.Func)
			row, ok := model.Find(f)
			return ok && row.Op == model.Message
		}
	}
	return false
}

func mentions(x ast.Expr, info *types.Info, asked map[types.Object]bool) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && asked[info.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}
