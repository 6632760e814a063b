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

// This file makes mutants of a package's methods: all in one source, of which a variable of the environment picks one. So they are compiled once.

// mutants is a package with mutants in its source.
type mutants struct {
	pkg   *load.Package
	fset  *token.FileSet
	edits map[string][]edit // by file
	told  []string          // what each mutant is
}

// edit puts text in the place of a part of a file.
type edit struct {
	from, to int
	text     string
}

// picker is the source that picks the mutant.
const picker = `package %s

import (
	"os"
	"strconv"
)

var mutantPicked, _ = strconv.Atoi(os.Getenv("REHEARSE_MUTANT"))

func mutant(n int) bool { return mutantPicked == n }

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func mutantConst[T mutantNumber](n int, v T) T {
	if mutant(n) {
		return v + 1
	}
	return v
}

func mutantSum[T mutantNumber](n int, a, b T, add bool) T {
	if mutant(n) != add {
		return a + b
	}
	return a - b
}
`

// mutate makes the mutants of the methods in the files of a package that are no tests.
func mutate(fset *token.FileSet, pkg *load.Package) *mutants {
	m := &mutants{pkg: pkg, fset: fset, edits: map[string][]edit{}}
	for _, f := range pkg.Syntax {
		if strings.HasSuffix(fset.Position(f.Pos()).Filename, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Body != nil && fn.Name.Name != "Accepts" {
				ast.Inspect(fn.Body, m.node)
			}
		}
	}
	return m
}

// add makes a mutant. Its edits do not overlap with those of others: those inside of a replaced part would be lost.
func (m *mutants) add(n ast.Node, what string, edits ...edit) {
	p := m.fset.Position(n.Pos())
	m.told = append(m.told, fmt.Sprintf("%s:%d: %s", filepath.Base(p.Filename), p.Line, what))
	m.edits[p.Filename] = append(m.edits[p.Filename], edits...)
}

func (m *mutants) offset(p token.Pos) int { return m.fset.Position(p).Offset }

func (m *mutants) node(n ast.Node) bool {
	k := len(m.told) + 1
	switch n := n.(type) {
	case *ast.CompositeLit, *ast.FuncLit:
		return true
	case *ast.BinaryExpr:
		m.binary(n, k)
	case *ast.BasicLit:
		t := m.pkg.TypesInfo.Types[n]
		if b, ok := t.Type.(*types.Basic); ok && b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUntyped == 0 && t.Value.Kind() != constant.Unknown && n.Kind == token.INT {
			m.add(n, "constant", edit{m.offset(n.Pos()), m.offset(n.Pos()), fmt.Sprintf("mutantConst[%s](%d, ", b.Name(), k)}, edit{m.offset(n.End()), m.offset(n.End()), ")"})
		}
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CaseClause:
		m.statements(n.Body)
	case *ast.IfStmt:
		return n.Init == nil // a variable of the condition may be unused otherwise
	case *ast.ForStmt, *ast.RangeStmt, *ast.TypeSwitchStmt:
		return true
	}
	return true
}

var turned = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND}

// binary turns comparisons, and sums into differences.
func (m *mutants) binary(n *ast.BinaryExpr, k int) {
	t := m.pkg.TypesInfo.Types[n]
	if t.Value != nil {
		return // a constant
	}
	at, end, op := m.offset(n.Pos()), m.offset(n.End()), m.offset(n.OpPos)
	after := op + len(n.Op.String())
	if _, ok := turned[n.Op]; ok {
		// x < y becomes (mutant(k) != (x < y)): the condition turned round.
		m.add(n, n.Op.String()+" turned round", edit{at, at, fmt.Sprintf("(mutant(%d) != (", k)}, edit{end, end, "))"})
		return
	}
	b, ok := t.Type.Underlying().(*types.Basic)
	if ok && b.Info()&types.IsNumeric != 0 && (n.Op == token.ADD || n.Op == token.SUB) {
		m.add(n, n.Op.String()+" turned round", edit{at, at, fmt.Sprintf("mutantSum[%s](%d, ", types.TypeString(t.Type, types.RelativeTo(m.pkg.Types)), k)}, edit{op, after, ","},
			edit{end, end, fmt.Sprintf(", %v)", n.Op == token.ADD)})
	}
}

// statements drops stores and calls.
func (m *mutants) statements(list []ast.Stmt) {
	for _, s := range list {
		what := ""
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !strings.HasPrefix(types.ExprString(call.Fun), "panic") && !strings.Contains(types.ExprString(call.Fun), "Fatal") {
				what = "call dropped"
			}
		case *ast.IncDecStmt:
			what = "store dropped"
		case *ast.AssignStmt:
			if _, field := s.Lhs[0].(*ast.SelectorExpr); field && s.Tok != token.DEFINE {
				what = "store dropped"
			}
		}
		if what != "" {
			at, end := m.offset(s.Pos()), m.offset(s.End())
			m.add(s, what, edit{at, at, fmt.Sprintf("if !mutant(%d) { ", len(m.told)+1)}, edit{end, end, " }"})
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
	to := filepath.Join(dir, "mutants_picker.go")
	overlay[filepath.Join(filepath.Dir(m.pkg.GoFiles[0]), "zz_mutants.go")] = to
	return overlay, os.WriteFile(to, fmt.Appendf(nil, picker, m.pkg.Name), 0o666)
}

// apply makes all edits. Those at one place come from the outside in where they open something, and from the inside out where they close it.
func apply(src []byte, edits []edit) []byte {
	opens := func(e edit) bool {
		return strings.HasSuffix(e.text, ", ") || strings.HasSuffix(e.text, "(") || strings.HasSuffix(e.text, "{ ")
	}
	var before, after []edit
	for _, e := range edits {
		if opens(e) || e.from != e.to {
			before = append(before, e)
		} else {
			after = append([]edit{e}, after...)
		}
	}
	all := append(after, before...)
	slices.SortStableFunc(all, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range all {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}
