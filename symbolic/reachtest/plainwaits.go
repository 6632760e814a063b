package reachtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file replaces requests with which a main waits for the answer, as in result, err := root.RequestFuture(pid, msg,
// time.Second).Result(). What only prints the answer goes with them. A request whose answer decides what comes next
// stays.

// asks takes a statement as a request that can be replaced. It gives the statements that go with it, the request first;
// nil if there are none.
func (f *finder) asks(s ast.Stmt) (call *ast.CallExpr, with []ast.Stmt) {
	if f.d.test == "" || !slices.Contains(f.d.body.List, s) {
		return nil, nil
	}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok != token.DEFINE && f.d.gives(s) {
		return nil, nil
	}
	if call = f.request(value(s)); call == nil {
		return nil, nil
	}
	with = []ast.Stmt{s}
	dead := f.defined(s)
	for _, next := range f.d.body.List {
		if next.Pos() <= s.Pos() || slices.Contains(f.d.gone, next) || !f.uses(next, dead) {
			continue
		}
		if !f.tells(next) {
			return nil, nil
		}
		with = append(with, next)
		for o := range f.defined(next) {
			dead[o] = true
		}
	}
	return call, with
}

// request gives the call that sends, of an expression that is it, or calls methods of the future that it gives.
func (f *finder) request(x ast.Expr) *ast.CallExpr {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if primitive(callee(f.d.pkg, call)) == waits {
		for _, arg := range call.Args { // they go, too
			if what, _ := f.calls.of(f.d.pkg, arg); what != 0 {
				return nil
			}
		}
		return call
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) == 0 {
		return f.request(ast.Unparen(sel.X))
	}
	return nil
}

// defined gives the variables that a statement defines or assigns to.
func (f *finder) defined(s ast.Stmt) map[types.Object]bool {
	list := map[types.Object]bool{}
	if a, ok := s.(*ast.AssignStmt); ok {
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
				list[f.d.pkg.TypesInfo.ObjectOf(id)] = true
			}
		}
	}
	return list
}

// uses reports whether a statement names one of some variables.
func (f *finder) uses(s ast.Stmt, of map[types.Object]bool) (is bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && of[f.d.pkg.TypesInfo.ObjectOf(id)] {
			is = true
		}
		return !is
	})
	return is
}

// tells reports whether a statement does nothing but print, end main, or take apart what a future gave.
func (f *finder) tells(s ast.Stmt) bool {
	if what, _ := f.calls.of(f.d.pkg, s); what != 0 {
		return false
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		fn := (*types.Func)(nil)
		if ok {
			fn = callee(f.d.pkg, call)
		}
		return fn != nil && fn.Pkg() != nil && slices.Contains([]string{"fmt", "log", "os"}, fn.Pkg().Path()) &&
			(prints(fn.Name()) || ending[fn.FullName()])
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE && f.d.gives(s) {
			return false
		}
		switch x := value(s).(type) {
		case *ast.TypeAssertExpr:
			return true
		case *ast.CallExpr: // of the future
			return takesApart(callee(f.d.pkg, x))
		}
		return false
	case *ast.IfStmt:
		if s.Init != nil && !f.tells(s.Init) || s.Else != nil {
			return false
		}
		for _, x := range s.Body.List {
			if _, ends := x.(*ast.ReturnStmt); !ends && !f.tells(x) {
				return false
			}
		}
		return true
	}
	return false
}

// takesApart reports whether a function gives what is in the future of a request, of any framework.
func takesApart(fn *types.Func) bool {
	row, ok := model.Find(fn)
	return ok && (row.Op == model.AwaitBlocking || row.Op == model.PIDOf)
}

func prints(name string) bool {
	return strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Fprint")
}

// request sends a message as the request that the driver makes with this type, so that an answer has somebody to go to;
// "" if it makes none.
func (m *messenger) request(e system.External, to, msg string) string {
	for k, sent := range m.way.Start.Sent {
		if m.d.test == "" || m.from[k] < 0 || sent.Type == nil || sent.To != e.To || !types.Identical(sent.Type, e.Type) {
			continue
		}
		call := m.list[m.from[k]].call
		if fn := callee(m.d.pkg, call); fn != nil && fn.Name() == "RequestFuture" && len(call.Args) == 3 &&
			m.stable(call.Fun) && m.stable(call.Args[2]) {
			return m.text(call.Fun) + "(" + to + ", " + msg + ", " + m.text(call.Args[2]) + ")"
		}
	}
	return ""
}
