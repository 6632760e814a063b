package gentest_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
)

// This file makes mutants of what handlers execute: all in one source, of which a variable of the environment picks one
// (testdata/overlay/mutants.go).

// mutants is a package with mutants in its source.
type mutants struct {
	pkg   *load.Package
	fset  *token.FileSet
	edits map[string][]edit // by file
	list  []mutant          // the number of a mutant is its index, and one
	stack []ast.Node        // that lead to the node at hand
}

// mutant is one change.
type mutant struct {
	what     string
	position string
	use      use // of a constant that is changed
}

func (m mutant) String() string { return m.position + ": " + m.what }

// use is what becomes of a constant.
type use uint8

const (
	noConstant use = iota
	compared
	stored // in a field, a message or a result
	passed // to a call, as an index, in a local variable
)

func (u use) String() string { return []string{"no constant", "compared", "stored", "passed on"}[u] }

// edit puts text in the place of a part of a file.
type edit struct {
	from, to int
	text     string
	closes   bool // it ends what another edit of the mutant has opened
}

// mutate makes the mutants of a package: of its methods, but for constraints and what tools of the checker call, and of
// functions that these call.
func mutate(fset *token.FileSet, pkg *load.Package) *mutants {
	m := &mutants{pkg: pkg, fset: fset, edits: map[string][]edit{}}
	for _, fn := range m.executed() {
		m.stack = nil
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n == nil {
				m.stack = m.stack[:len(m.stack)-1]
				return false
			}
			if m.fixed(n) {
				return false
			}
			m.node(n)
			m.stack = append(m.stack, n)
			return true
		})
	}
	return m
}

// executed lists what handlers may execute of the package, in the order of the source.
func (m *mutants) executed() (list []*ast.FuncDecl) {
	funcs := map[types.Object]*ast.FuncDecl{}
	taken := map[*ast.FuncDecl]bool{}
	var take func(fn *ast.FuncDecl)
	take = func(fn *ast.FuncDecl) {
		if taken[fn] {
			return
		}
		taken[fn] = true
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && funcs[m.pkg.TypesInfo.Uses[id]] != nil {
				take(funcs[m.pkg.TypesInfo.Uses[id]])
			}
			return true
		})
	}
	for _, f := range m.pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !strings.HasSuffix(m.fset.Position(f.Pos()).Filename, "_test.go") {
				funcs[m.pkg.TypesInfo.Defs[fn.Name]] = fn
			}
		}
	}
	for _, fn := range funcs {
		if fn.Recv != nil && !slices.Contains([]string{"Accepts", "Snapshot", "Restore", "Clone", "String"}, fn.Name.Name) {
			take(fn)
		}
	}
	for fn := range taken {
		list = append(list, fn)
	}
	slices.SortFunc(list, func(a, b *ast.FuncDecl) int { return int(a.Pos()) - int(b.Pos()) })
	return list
}

// fixed reports whether the language wants constants in a node.
func (m *mutants) fixed(n ast.Node) bool {
	switch n.(type) {
	case *ast.ArrayType, *ast.GenDecl:
		return true
	}
	switch p := m.parent(0).(type) {
	case *ast.SelectorExpr: // of another package
		return p.Sel == n
	case *ast.KeyValueExpr:
		return p.Key == n
	}
	return false
}

// parent gives a node that leads to the one at hand, from the inside; nil if there is none.
func (m *mutants) parent(i int) ast.Node {
	if i >= len(m.stack) {
		return nil
	}
	return m.stack[len(m.stack)-1-i]
}

// add makes a mutant, whose number is in its edits.
func (m *mutants) add(n ast.Node, what string, of use, edits ...edit) {
	p := m.fset.Position(n.Pos())
	m.list = append(m.list, mutant{what, fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line), of})
	m.edits[p.Filename] = append(m.edits[p.Filename], edits...)
}

func (m *mutants) offset(p token.Pos) int { return m.fset.Position(p).Offset }

// around puts text before and behind a node. The number of the mutant comes after the text before.
func (m *mutants) around(n ast.Node, before, after string) []edit {
	at, end := m.offset(n.Pos()), m.offset(n.End())
	return []edit{{from: at, to: at, text: fmt.Sprintf(before, len(m.list)+1)}, {from: end, to: end, text: after, closes: true}}
}

func (m *mutants) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		m.binary(n)
	case *ast.BasicLit:
		m.constant(n)
	case *ast.Ident:
		if _, ok := m.pkg.TypesInfo.Uses[n].(*types.Const); ok {
			m.constant(n)
		}
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CaseClause:
		m.statements(n.Body)
	case *ast.AssignStmt:
		if name, ok := m.named(n.Lhs[0], types.IsNumeric); ok && (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) {
			m.add(n, n.Tok.String()+" turned round", noConstant, m.around(n.Rhs[0], "mutantSign["+name+"](%d, ", ")")...)
		}
	}
}

// named writes the type of an expression, if it is of the package, or basic, and of a kind.
func (m *mutants) named(x ast.Expr, kind types.BasicInfo) (string, bool) {
	t := m.pkg.TypesInfo.TypeOf(x)
	if t == nil {
		return "", false
	}
	b, ok := t.Underlying().(*types.Basic)
	if n, named := types.Unalias(t).(*types.Named); named && n.Obj().Pkg() != m.pkg.Types {
		return "", false
	}
	return types.TypeString(t, types.RelativeTo(m.pkg.Types)), ok && b.Info()&kind != 0 && b.Info()&types.IsUntyped == 0
}

// constant changes a constant.
func (m *mutants) constant(x ast.Expr) {
	if v := m.pkg.TypesInfo.Types[x].Value; v == nil || v.Kind() == constant.Unknown {
		return
	}
	for _, c := range []struct {
		kind types.BasicInfo
		fn   string
	}{{types.IsInteger | types.IsFloat, "mutantConst"}, {types.IsString, "mutantText"}, {types.IsBoolean, "mutantBool"}} {
		if name, ok := m.named(x, c.kind); ok {
			m.add(x, "constant "+types.ExprString(x), m.use(x), m.around(x, c.fn+"["+name+"](%d, ", ")")...)
			return
		}
	}
}

// use says what becomes of a constant, also after calculations.
func (m *mutants) use(x ast.Expr) use {
	for i := 0; ; i++ {
		switch p := m.parent(i).(type) {
		case *ast.BinaryExpr:
			switch p.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				return compared
			}
		case *ast.CaseClause:
			return compared
		case *ast.CompositeLit, *ast.ReturnStmt:
			return stored
		case *ast.AssignStmt:
			if _, local := p.Lhs[0].(*ast.Ident); local {
				return passed
			}
			return stored
		case *ast.ParenExpr, *ast.UnaryExpr, *ast.KeyValueExpr:
		default:
			return passed
		}
	}
}

// binary turns conditions and calculations round.
func (m *mutants) binary(n *ast.BinaryExpr) {
	if m.pkg.TypesInfo.Types[n].Value != nil {
		return // a constant
	}
	what := n.Op.String() + " turned round"
	calls := func(what, before, after string) { // the operator becomes a comma
		edits := m.around(n, before, after)
		at := m.offset(n.OpPos)
		m.add(n, what, noConstant, edits[0], edit{from: at, to: at + len(n.Op.String()), text: ","}, edits[1])
	}
	switch n.Op {
	case token.LAND, token.LOR:
		edits := m.around(n, "mutantBoth(%d, ", fmt.Sprintf(" }, %v)", n.Op == token.LAND))
		at := m.offset(n.OpPos)
		m.add(n, what, noConstant, edits[0], edit{from: at, to: at + 2, text: ", func() bool { return "}, edits[1])
	case token.EQL, token.NEQ:
		m.add(n, what, noConstant, m.around(n, "(mutant(%d) != (", "))")...)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		m.add(n, what, noConstant, m.around(n, "(mutant(%d) != (", "))")...)
		name, ok := m.named(n.X, types.IsOrdered)
		if !ok {
			name, ok = m.named(n.Y, types.IsOrdered)
		}
		if ok {
			calls(n.Op.String()+" with its edge moved", "mutantLess["+name+"](%d, ", fmt.Sprintf(", %q)", n.Op))
		}
	case token.ADD, token.SUB, token.MUL, token.QUO:
		if name, ok := m.named(n, types.IsNumeric); ok {
			calls(what, "mutantSum["+name+"](%d, ", fmt.Sprintf(", %q)", n.Op))
		}
	}
}

// statements drops stores, sends and other calls.
func (m *mutants) statements(list []ast.Stmt) {
	for _, s := range list {
		what := ""
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !strings.HasPrefix(types.ExprString(call.Fun), "panic") && !strings.Contains(types.ExprString(call.Fun), "Fatal") {
				what = "call of " + types.ExprString(call.Fun) + " dropped"
			}
		case *ast.IncDecStmt:
			if _, local := s.X.(*ast.Ident); !local {
				what = "store dropped"
			}
		case *ast.AssignStmt:
			if _, local := s.Lhs[0].(*ast.Ident); !local && s.Tok != token.DEFINE {
				what = "store dropped"
			}
		}
		if what != "" {
			m.add(s, what, noConstant, m.around(s, "if !mutant(%d) { ", " }")...)
		}
	}
}

// write puts the sources into a folder, and gives the overlay.
func (m *mutants) write(dir string) (map[string]string, error) {
	overlay := map[string]string{}
	for path, edits := range m.edits {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		to := filepath.Join(dir, "mutants_"+filepath.Base(path))
		overlay[path] = to
		if err := os.WriteFile(to, apply(src, edits), 0o666); err != nil {
			return nil, err
		}
	}
	return overlay, nil
}

// apply makes all edits. At one place, what closes something comes first, from the inside out, and what opens something
// from the outside in.
func apply(src []byte, edits []edit) []byte {
	var opens, closes []edit
	for _, e := range edits {
		if e.closes {
			closes = append(closes, e)
		} else {
			opens = append(opens, e)
		}
	}
	slices.Reverse(closes)
	all := append(closes, opens...)
	slices.SortStableFunc(all, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range all {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}
