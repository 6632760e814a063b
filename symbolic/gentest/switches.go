package gentest

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file counts the types of type switches. Go's SSA form tests them one after the other, in blocks of their own.
// No statement is executed there, so go tool cover has no counter for such a test. Counters in the clauses tell which
// type a value had. All tests up to that of its type were executed, and none behind it.
//
//	invariants: I1 a copy with counters does what the source does. A clause begins with its counter, and a switch
//	            without a default has one that only counts

// caseAt is the place of a clause of a type switch, or of a nil in it: there the SSA form has the tests.
type caseAt struct {
	file int
	point
}

// caseOf is where the types of a clause are among those of its switch.
type caseOf struct {
	types []int // of each test of the switch, in its order, and of the default behind them: the number of the unit
	tests []int // of each type at the place, in its order: its index in types
}

// switches gives what counts the types of the type switches of a file, in offsets of the source, and adds the units.
func (v *visits) switches(src, variable string, file *ast.File, units *[]unit) (list []insertion) {
	number := len(v.units)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSwitchStmt); ok && len(s.Body.List) > 0 {
			list = append(list, v.typeSwitch(src, variable, number, s, units)...)
		}
		return true
	})
	return list
}

// typeSwitch gives what counts the types of one switch. It gives nothing where the name of its value hides a type, or a
// type has several lines.
func (v *visits) typeSwitch(src, variable string, number int, s *ast.TypeSwitchStmt,
	units *[]unit) (list []insertion) {
	offset := func(pos token.Pos) int { return v.fset.PositionFor(pos, false).Offset }
	name, uses := "rehearseTag", "_ = rehearseTag;"
	if a, ok := s.Assign.(*ast.AssignStmt); ok {
		name, uses = a.Lhs[0].(*ast.Ident).Name, ""
	} else {
		list = append(list, insertion{offset(s.Assign.Pos()), name + " := "})
	}
	if hides(s, name) {
		return nil
	}
	var types []int
	count := func() string {
		types = append(types, len(*units))
		*units = append(*units, unit{operand: true})
		return fmt.Sprintf("%s.Count[%d]++;", variable, len(*units)-1)
	}
	last, places := insertion{offset(s.Body.Rbrace), ";default:"}, map[caseAt]caseOf{}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			last = insertion{offset(c.Colon) + 1, ""}
			continue
		}
		var of caseOf
		text := ""
		for _, t := range c.List {
			if id, ok := t.(*ast.Ident); ok && id.Name == "nil" {
				places[v.caseAt(number, t.Pos())] = caseOf{tests: []int{len(types)}}
			} else {
				of.tests = append(of.tests, len(types))
			}
			written := src[offset(t.Pos()):offset(t.End())]
			if strings.Contains(written, "\n") { // no line may move
				return nil
			}
			text += "case " + written + ":" + count()
		}
		if len(c.List) == 1 {
			_, text, _ = strings.Cut(text, ":"+variable)
			text = variable + text
		} else {
			text = "switch " + name + ".(type) {" + text + "};"
		}
		places[v.caseAt(number, c.Case)] = of
		list = append(list, insertion{offset(c.Colon) + 1, text})
	}
	list = append(list, insertion{last.at, last.text + count() + uses})
	for at, of := range places {
		of.types = types
		v.cases[at] = of
	}
	return list
}

func (v *visits) caseAt(file int, pos token.Pos) caseAt {
	at := v.fset.PositionFor(pos, false)
	return caseAt{file, point{at.Line, at.Column}}
}

// hides reports whether a name stands in the types of a switch, too.
func hides(s *ast.TypeSwitchStmt, name string) (is bool) {
	for _, c := range s.Body.List {
		for _, t := range c.(*ast.CaseClause).List {
			ast.Inspect(t, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				is = is || ok && id.Name == name
				return true
			})
		}
	}
	return is
}

// tested says how often a block that tests a type of a type switch was executed, if the counters of its switch tell.
// They do not where they have counted nothing: then the switch may have been executed in a copy.
func (v *visits) tested(been map[[2]int]int, b *ssa.BasicBlock) (n int, ok bool) {
	for _, in := range b.Instrs {
		nth := 0
		switch in := in.(type) {
		case *ssa.TypeAssert:
			nth = nthTest(in)
		case *ssa.BinOp: // with nil
		default:
			continue
		}
		file, counted := v.files[v.fset.PositionFor(in.Pos(), false).Filename]
		of, is := v.cases[v.caseAt(file, in.Pos())]
		if !counted || !is || nth >= len(of.tests) {
			continue
		}
		all := 0
		for i, u := range of.types {
			k := been[[2]int{file, u}]
			all += k
			if i >= of.tests[nth] {
				n += k
			}
		}
		return n, all > 0
	}
	return 0, false
}

// nthTest says which of the tests of its clause one is. All are at the place of the clause, in the order of the source.
func nthTest(test *ssa.TypeAssert) (n int) {
	for _, b := range test.Parent().Blocks {
		for _, in := range b.Instrs {
			if in == ssa.Instruction(test) {
				return n
			}
			if x, ok := in.(*ssa.TypeAssert); ok && x.Pos() == test.Pos() {
				n++
			}
		}
	}
	return n
}
