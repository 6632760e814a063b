package reachtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// This file writes drivers of table tests: for _, tc := range cases { t.Run(tc.name, ...) }. A driver is one turn of
// such a loop, and its test has the variables of the loop as they are in that turn. Where the driver is a function in
// the table it is looked up there.
//
//	assumes: each turn comes to the driver once. Where that is not so the test has another turn, and is not confirmed

// turns lists the loops of the entry that the driver's call stands in, the outermost first.
func (d *driver) turns() (list []ast.Stmt) {
	ast.Inspect(d.entry.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.RangeStmt:
			if inside(s.Body, d.call.Pos()) {
				list = append(list, s)
			}
		case *ast.ForStmt:
			if inside(s.Body, d.call.Pos()) {
				list = append(list, s)
			}
		}
		return n == nil || inside(n, d.call.Pos())
	})
	return list
}

// turn gives the loop that has a variable in its head, with what that is computed from; nil if there is none.
func (d *driver) turn(o types.Object) (loop ast.Stmt, from ast.Node, err error) {
	for _, s := range d.turns() {
		switch x := s.(type) {
		case *ast.RangeStmt:
			if d.defined(x.Key) == o || d.defined(x.Value) == o {
				loop, from = x, x.X
			}
		case *ast.ForStmt:
			if init, ok := x.Init.(*ast.AssignStmt); ok && len(init.Lhs) == 1 && d.defined(init.Lhs[0]) == o {
				loop, from = x, init.Rhs[0]
			}
		}
	}
	if loop != nil {
		if _, ok := d.turnOf(loop); !ok {
			return nil, nil, unwritable("the system is made in turn %d of a loop in a loop whose turns cannot be counted, from %s (%s)", d.nth+1, o.Name(), d.program.Position(loop.Pos()))
		}
	}
	return loop, from, nil
}

// turnOf gives which turn of a loop the driver is in. In a loop within a loop the turns of the inner one begin anew in
// each turn of the outer one. So the inner one has to have the same number of turns each time. It reports false if that
// is not seen.
func (d *driver) turnOf(loop ast.Stmt) (n int, ok bool) {
	all := d.turns()
	n = d.nth
	for i, s := range slices.Backward(all) {
		if s == loop && i == 0 {
			return n, true
		}
		size := d.size(s, all[:i])
		switch {
		case n == 0: // the first turn of all around it, too
			return 0, true
		case size == 0:
			return 0, false
		case s == loop:
			return n % size, true
		}
		n /= size
	}
	return n, true
}

// size gives how many turns a loop has, 0 if that is not seen, or may differ in turns of those around it.
func (d *driver) size(s ast.Stmt, around []ast.Stmt) int {
	switch x := s.(type) {
	case *ast.RangeStmt:
		if n, ok := d.constant(x.X); ok {
			return n
		}
		if o := d.uses(x.X); o != nil && slices.ContainsFunc(around, func(s ast.Stmt) bool { return inside(s, o.Pos()) }) {
			return 0
		}
		return d.elements(d.composite(x.X))
	case *ast.ForStmt:
		init, is := x.Init.(*ast.AssignStmt)
		cond, less := x.Cond.(*ast.BinaryExpr)
		post, counts := x.Post.(*ast.IncDecStmt)
		if !is || !less || !counts || cond.Op != token.LSS || post.Tok != token.INC || len(init.Rhs) != 1 {
			return 0
		}
		from, ok := d.constant(init.Rhs[0])
		if to, known := d.constant(cond.Y); ok && known && to > from && d.uses(cond.X) == d.defined(init.Lhs[0]) {
			return to - from
		}
	}
	return 0
}

// constant gives the whole number that an expression always is.
func (d *driver) constant(e ast.Expr) (int, bool) {
	v := d.pkg.TypesInfo.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(v)
	return int(n), ok
}

// elements gives how many elements the literal of a slice, array or map has, 0 for another one, and where indices are
// written.
func (d *driver) elements(lit *ast.CompositeLit) int {
	if lit == nil {
		return 0
	}
	t := d.pkg.TypesInfo.TypeOf(lit).Underlying()
	if a, array := t.(*types.Array); array {
		return int(a.Len())
	}
	if _, slice := t.(*types.Slice); slice &&
		slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
		return 0
	}
	return len(lit.Elts)
}

// uses gives the variable that an expression is, nil if it is none.
func (d *driver) uses(e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return d.pkg.TypesInfo.Uses[id]
	}
	return nil
}

// defined gives the variable that an expression of a loop's head defines, nil if it defines none.
func (d *driver) defined(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		return d.pkg.TypesInfo.Defs[id]
	}
	return nil
}

// local writes a statement that the test needs; a loop as the variables of the driver's turn.
func (w *writer) local(s ast.Stmt, edits []edit) (string, error) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return w.ofRange(s, edits)
	case *ast.ForStmt:
		init := s.Init.(*ast.AssignStmt)
		text, err := w.d.text(init, edits)
		nth, _ := w.d.turnOf(s)
		if post, ok := s.Post.(*ast.IncDecStmt); nth > 0 && (!ok || post.Tok != token.INC) {
			return "", unwritable("the system is made in turn %d of a loop that does not count by one (%s)", nth+1,
				w.d.program.Position(s.Pos()))
		} else if nth > 0 {
			text += fmt.Sprintf(" + %d", nth)
		}
		return text, err
	}
	return w.d.text(s, edits)
}

// ofRange writes the variables of a range loop.
func (w *writer) ofRange(s *ast.RangeStmt, edits []edit) (string, error) {
	of, err := w.d.text(s.X, edits)
	if err != nil {
		return "", err
	}
	nth, _ := w.d.turnOf(s)
	key := strconv.Itoa(nth)
	var value string
	switch t := w.d.pkg.TypesInfo.TypeOf(s.X).Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger == 0 {
			return "", unwritable("the system is made in a loop over a %s (%s)", t, w.d.program.Position(s.Pos()))
		}
		if v := w.d.defined(s.Key); v != nil && !types.Identical(v.Type(), types.Typ[types.Int]) {
			key = fmt.Sprintf("%s(%s)", types.TypeString(v.Type(), types.RelativeTo(w.d.pkg.Types)), key)
		}
	case *types.Map:
		if key, err = w.keyOf(s, edits); err != nil {
			return "", err
		}
		value = fmt.Sprintf("%s[%s]", of, key)
	case *types.Slice, *types.Array:
		value = fmt.Sprintf("%s[%d]", of, nth)
	default:
		return "", unwritable("the system is made in a loop over a %s (%s)", w.d.pkg.TypesInfo.TypeOf(s.X),
			w.d.program.Position(s.Pos()))
	}
	var names, values []string
	for _, x := range []struct {
		e    ast.Expr
		text string
	}{{s.Key, key}, {s.Value, value}} {
		if o := w.d.defined(x.e); o != nil && w.needed[o] {
			names, values = append(names, o.Name()), append(values, x.text)
		}
	}
	return strings.Join(names, ", ") + " := " + strings.Join(values, ", "), nil
}

// keyOf writes the key of a turn of a loop over a map, in the order of its literal.
func (w *writer) keyOf(s *ast.RangeStmt, edits []edit) (string, error) {
	nth, _ := w.d.turnOf(s)
	if lit := w.d.composite(s.X); lit != nil && nth < len(lit.Elts) {
		if kv, ok := lit.Elts[nth].(*ast.KeyValueExpr); ok {
			return w.d.text(kv.Key, edits)
		}
	}
	return "", unwritable("the system is made in a loop over a map that is no literal (%s)", w.d.program.Position(s.Pos()))
}

// same reports whether a statement gives a variable a new one of the same name, as in tc := tc.
func same(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	to, is := a.Lhs[0].(*ast.Ident)
	from, was := a.Rhs[0].(*ast.Ident)
	return is && was && to.Name == from.Name
}

// function follows the names of a function value to the literal, or the name of the function, that it is; it gives what
// it comes to.
func (d *driver) function(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := d.value(x); v != nil {
			return d.function(v)
		}
	case *ast.SelectorExpr:
		if _, is := d.pkg.TypesInfo.Uses[x.Sel].(*types.Var); !is {
			break
		}
		if lit := d.composite(x.X); lit != nil {
			if v := d.fieldOf(lit, x.Sel.Name); v != nil {
				return d.function(v)
			}
		}
	}
	return ast.Unparen(e)
}

// value gives the expression that a variable of the entry, or of the package, is defined with: of a loop over a literal
// the element of the driver's turn. It is nil of others.
func (d *driver) value(id *ast.Ident) ast.Expr {
	v, ok := d.pkg.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	for _, s := range d.turns() {
		r, is := s.(*ast.RangeStmt)
		if !is || d.defined(r.Value) != types.Object(v) {
			continue
		}
		lit := d.composite(r.X)
		nth, counted := d.turnOf(s)
		if lit == nil || !counted || nth >= len(lit.Elts) {
			return nil
		}
		if kv, keyed := lit.Elts[nth].(*ast.KeyValueExpr); keyed {
			return kv.Value
		}
		return lit.Elts[nth]
	}
	if lit := d.valueOf(id); lit != nil {
		return lit
	}
	var found ast.Expr
	ast.Inspect(d.entry.Body, func(n ast.Node) bool {
		if a, is := n.(*ast.AssignStmt); is && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
			if i := slices.IndexFunc(a.Lhs, func(l ast.Expr) bool { return d.defined(l) == types.Object(v) }); i >= 0 {
				found = a.Rhs[i]
			}
		}
		return found == nil
	})
	return found
}

// composite gives the literal of a struct, slice, array or map that an expression is, nil if that is not seen.
func (d *driver) composite(e ast.Expr) *ast.CompositeLit {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return x
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return d.composite(x.X)
		}
	case *ast.Ident:
		if v := d.value(x); v != nil {
			return d.composite(v)
		}
	}
	return nil
}

// fieldOf gives the value of a field in the literal of a struct.
func (d *driver) fieldOf(lit *ast.CompositeLit, name string) ast.Expr {
	t := d.pkg.TypesInfo.TypeOf(lit)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element whose type is left out
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case keyed:
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
				return kv.Value
			}
		case i < s.NumFields() && s.Field(i).Name() == name:
			return e
		}
	}
	return nil
}
