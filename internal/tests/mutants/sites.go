package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds what can be changed.
//
//	condition   a boolean expression is true, or false; of a && or || one operand is left out
//	boundary    < becomes <=, and so on
//	off by one  a sum of integers is one less, a difference one more
//	case        a value of a switch never matches
//	constant    true becomes false, and the other way round
//	statement   a call, an assignment, a continue, break or early return is left out
//
// mutantOn_ is asked last, where the answer matters: so it knows whether a mutant makes a difference to its expression.
//
// Left alone: conditions that only guard a panic, and statements whose absence equals a condition that is false.

// mutant is one change.
type mutant struct {
	id     int // index in the table of switches
	file   string
	place  token.Position
	change string
	text   string // what is changed, in short
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", filepath.Base(m.file), m.place.Line, m.place.Column, m.change, m.text)
}

// finder walks one file.
type finder struct {
	p     *pkg
	file  string
	src   []byte
	edits []edit
	stack []ast.Node
}

func (f *finder) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		f.stack = f.stack[:len(f.stack)-1]
		return nil
	}
	f.stack = append(f.stack, n)
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok == token.CONST || n.Tok == token.TYPE || n.Tok == token.IMPORT {
			f.stack = f.stack[:len(f.stack)-1]
			return nil
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
		f.cases(n)
	case *ast.IfStmt:
		f.condition(n.Cond, !guardsPanic(n))
	case *ast.ForStmt:
		if n.Cond != nil {
			f.never(n.Cond, "loop never runs")
		}
	case *ast.ReturnStmt:
		f.values(n.Results)
	case *ast.AssignStmt:
		f.values(n.Rhs)
	case *ast.CallExpr:
		f.values(n.Args)
	case *ast.KeyValueExpr:
		f.values([]ast.Expr{n.Value})
	case *ast.BinaryExpr:
		f.binary(n)
	}
	return f
}

// add makes a mutant of a node: it is wrapped in what before and after give for the number of the mutant.
func (f *finder) add(n ast.Node, change string, wrap func(id int) (before, after string)) {
	id := len(f.p.mutants)
	start, end := f.offset(n.Pos()), f.offset(n.End())
	text := strings.Join(strings.Fields(string(f.src[start:end])), " ")
	if r := []rune(text); len(r) > 90 {
		text = string(r[:90]) + "..."
	}
	at := f.p.fset.Position
	f.p.mutants = append(f.p.mutants, mutant{id, f.file, at(n.Pos()), change, text})
	before, after := wrap(id)
	f.edits = append(f.edits, edit{start: start, end: end, before: before, after: after, seq: id})
}

func (f *finder) offset(p token.Pos) int { return f.p.fset.Position(p).Offset }

// always and never make mutants of a boolean expression.
func (f *finder) always(e ast.Expr, change string) {
	f.add(e, change, func(id int) (string, string) { return "((", fmt.Sprintf(") || mutantOn_(%d))", id) })
}

func (f *finder) never(e ast.Expr, change string) {
	f.add(e, change, func(id int) (string, string) { return "((", fmt.Sprintf(") && !mutantOn_(%d))", id) })
}

// condition makes the mutants of a whole boolean expression.
func (f *finder) condition(e ast.Expr, alsoNever bool) {
	if v := f.p.info.Types[e].Value; v != nil {
		f.flip(e)
		return
	}
	f.always(e, "is true")
	if alsoNever {
		f.never(e, "is false")
	}
}

// flip makes a mutant of true or false.
func (f *finder) flip(e ast.Expr) {
	if f.p.info.Types[e].Value.Kind() == constant.Bool {
		f.add(e, "is flipped", func(id int) (string, string) { return "(", fmt.Sprintf(" != mutantOn_(%d))", id) })
	}
}

// values makes the mutants of the boolean ones among expressions whose values are used.
func (f *finder) values(es []ast.Expr) {
	for _, e := range es {
		if tv := f.p.info.Types[e]; tv.IsValue() && isBasic(tv.Type, types.IsBoolean) {
			f.condition(e, true)
		}
	}
}

// cases makes the mutants of a case.
func (f *finder) cases(c *ast.CaseClause) {
	s, ok := f.stack[len(f.stack)-3].(*ast.SwitchStmt) // clause, block, switch
	if !ok {
		return
	}
	for _, e := range c.List {
		switch tv := f.p.info.Types[e]; {
		case s.Tag == nil && tv.Value == nil:
			f.condition(e, !onlyPanics(c.Body))
		case s.Tag != nil && isBasic(tv.Type, types.IsInteger) && !onlyPanics(c.Body):
			f.add(e, "case never matches", func(id int) (string, string) {
				return fmt.Sprintf("mutantOther_(%d, ", id), ")"
			})
		}
	}
}

// binary makes the mutants of an operator.
func (f *finder) binary(n *ast.BinaryExpr) {
	tv := f.p.info.Types[n]
	if tv.Value != nil {
		return
	}
	switch n.Op {
	case token.LAND:
		f.always(n.X, "left out of &&")
		f.always(n.Y, "left out of &&")
	case token.LOR:
		f.never(n.X, "left out of ||")
		f.never(n.Y, "left out of ||")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		same := fmt.Sprintf("(%s) == (%s)", f.source(n.X), f.source(n.Y))
		f.add(n, "boundary", func(id int) (string, string) {
			if calls(n) { // twice only where the mutant is on
				return "((", fmt.Sprintf(") != (mutantOn_(%d) && %s))", id, same)
			}
			return "((", fmt.Sprintf(") != (%s && mutantOn_(%d)))", same, id)
		})
	case token.ADD, token.SUB:
		if !isBasic(tv.Type, types.IsInteger) || f.inSum() || f.shiftsConstant(n) {
			return
		}
		name := map[token.Token]string{token.ADD: "mutantLess_", token.SUB: "mutantMore_"}[n.Op]
		f.add(n, "off by one", func(id int) (string, string) { return fmt.Sprintf("%s(%d, ", name, id), ")" })
	}
}

// calls reports whether a function is called in an expression, other than len and cap.
func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			i, named := c.Fun.(*ast.Ident)
			found = found || !named || i.Name != "len" && i.Name != "cap"
		}
		return true
	})
	return found
}

// inSum reports whether the node that is visited is part of a longer sum: one mutant is enough for that.
func (f *finder) inSum() bool {
	outer, ok := f.stack[len(f.stack)-2].(*ast.BinaryExpr)
	return ok && (outer.Op == token.ADD || outer.Op == token.SUB)
}

// shiftsConstant reports whether a constant is shifted in a sum. Its type depends on what is around the sum.
func (f *finder) shiftsConstant(sum *ast.BinaryExpr) (found bool) {
	ast.Inspect(sum, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && b.Op == token.SHL && f.p.info.Types[b.X].Value != nil
		return true
	})
	return found
}

func (f *finder) source(n ast.Node) string { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }

// statements makes the mutants of a list of statements.
func (f *finder) statements(list []ast.Stmt) {
	if len(list) == 1 {
		if i, ok := f.stack[len(f.stack)-2].(*ast.IfStmt); ok && i.Else == nil {
			return // the same as a condition that is false
		}
	}
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if isPanic(s) {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s.Lhs) {
				continue
			}
		case *ast.ReturnStmt:
			if slices.Contains(f.p.last, ast.Stmt(s)) {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		case *ast.BranchStmt:
			if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
				continue
			}
		default:
			continue
		}
		f.add(s, "left out", func(id int) (string, string) { return fmt.Sprintf("if !mutantOn_(%d) { ", id), " }" })
	}
}

// ends gives the statements that end a function whose last statement is s. Without one of them it does not compile.
func ends(s ast.Stmt) []ast.Stmt {
	var all []ast.Stmt
	last := func(list []ast.Stmt) {
		if len(list) > 0 {
			all = append(all, ends(list[len(list)-1])...)
		}
	}
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return []ast.Stmt{s}
	case *ast.BlockStmt:
		last(s.List)
	case *ast.LabeledStmt:
		return ends(s.Stmt)
	case *ast.IfStmt:
		if s.Else != nil {
			last(s.Body.List)
			all = append(all, ends(s.Else)...)
		}
	case *ast.SwitchStmt:
		last([]ast.Stmt{s.Body})
		for _, c := range s.Body.List {
			last(c.(*ast.CaseClause).Body)
		}
	case *ast.TypeSwitchStmt:
		for _, c := range s.Body.List {
			last(c.(*ast.CaseClause).Body)
		}
	}
	return all
}

func isBasic(t types.Type, kind types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

func isBlank(lhs []ast.Expr) bool {
	i, ok := lhs[0].(*ast.Ident)
	return ok && i.Name == "_"
}

func isPanic(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	i, ok := c.Fun.(*ast.Ident)
	return ok && i.Name == "panic"
}

func onlyPanics(list []ast.Stmt) bool { return len(list) == 1 && isPanic(list[0]) }

func guardsPanic(n *ast.IfStmt) bool { return n.Else == nil && onlyPanics(n.Body.List) }
