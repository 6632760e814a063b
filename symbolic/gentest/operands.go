package gentest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file counts parts of statements. They are right sides of && and ||, what comes behind both sides, and conditions
// of cases. To go tool cover they are not executed on their own, but Go's SSA form has blocks of their own for them,
// and a target may be one. The types of type switches are in switches.go.

// operand is a part of a statement, in offsets.
type operand struct {
	from, to int
	joins    bool // it counts once its value is known; else before it is calculated
}

// counts gives what is written before and behind the part to count it.
func (o operand) counts(variable string, n int) (before, behind string) {
	if o.joins {
		return fmt.Sprintf("%sJoin(%d, ", variable, n), ")"
	}
	return fmt.Sprintf("(%sOperand(%d) && (", variable, n), "))"
}

// withOperands adds counters of parts of statements to a file that go tool cover has written from another one, and to
// its units.
func (v *visits) withOperands(file, counted, variable string, units []unit, info *types.Info,
	syntax *ast.File) (string, []unit) {
	list, places := v.operands(info, syntax)
	src, err := os.ReadFile(file)
	size := countOf.FindStringSubmatch(counted)
	if err != nil || size == nil || size[1] != strconv.Itoa(len(units)) {
		return counted, units
	}
	at, ok := aligned(string(src), counted, variable+".Count[", v.elses(syntax))
	if !ok {
		return counted, units
	}
	var all []insertion
	for i, o := range list {
		before, behind := o.counts(variable, len(units)+i)
		all = append(all, insertion{at[o.from], before}, insertion{at[o.to-1] + 1, behind})
	}
	units = append(units, places...)
	for _, x := range v.switches(string(src), variable, syntax, &units) {
		all = append(all, insertion{at[x.at-1] + 1, x.text})
	}
	text := countOf.ReplaceAllString(inserted(counted, all), fmt.Sprintf("Count     [%d]uint32", len(units)))
	text += fmt.Sprintf("\nfunc %sOperand(n int) bool { %[1]s.Count[n]++; return true }\nfunc %[1]sJoin(n int, b bool) bool { %[1]s.Count[n]++; return b }\n", variable)
	return text, units
}

// insertion is a text that is put before a byte of a source.
type insertion struct {
	at   int
	text string
}

// inserted gives a source with insertions. Those at one place stand in their order.
func inserted(source string, all []insertion) string {
	slices.SortStableFunc(all, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	done := 0
	for _, x := range all {
		b.WriteString(source[done:x.at] + x.text)
		done = x.at
	}
	return b.String() + source[done:]
}

// countOf is the field of counters in what go tool cover writes.
var countOf = regexp.MustCompile(`Count     \[(\d+)\]uint32`)

// operands lists the parts whose type is bool: of another one no other condition can stand beside it.
func (v *visits) operands(info *types.Info, file *ast.File) (list []operand, places []unit) {
	plain := func(e ast.Expr) bool { return info.Types[e].Value == nil && plainBool(info.TypeOf(e)) }
	add := func(e ast.Expr, joins bool, u unit) {
		from, to := v.fset.PositionFor(e.Pos(), false), v.fset.PositionFor(e.End(), false)
		if u.operand = true; !joins {
			u.first, u.last = point{from.Line, from.Column}, point{to.Line, to.Column}
		}
		list, places = append(list, operand{from.Offset, to.Offset, joins}), append(places, u)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if n.Tag == nil && plain(e) {
						add(e, false, unit{})
					}
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				if plain(n) {
					at := v.fset.PositionFor(n.OpPos, false)
					add(n, true, unit{joins: point{at.Line, at.Column}})
				}
				if plain(n) && plainBool(info.TypeOf(n.Y)) {
					add(n.Y, false, unit{})
				}
			}
		}
		return true
	})
	return list, places
}

func plainBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// elses gives how many branches that follow an else end at an offset.
func (v *visits) elses(file *ast.File) map[int]int {
	ends := map[int]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if n, ok := n.(*ast.IfStmt); ok && n.Else != nil {
			ends[v.fset.PositionFor(n.Else.End(), false).Offset]++
		}
		return true
	})
	return ends
}

// aligned gives for each byte of a source where it is in what go tool cover has made of it. It fails if more was put in
// between than assignments to counters, and the braces of a block around what follows each else, which ends there.
func aligned(src, counted, counter string, elses map[int]int) (at []int, ok bool) {
	o := 0
	for strings.HasPrefix(counted[o:], "//line ") && !strings.HasPrefix(src, "//line ") {
		o += strings.IndexByte(counted[o:], '\n') + 1
	}
	for i := range len(src) {
		closing, opens := elses[i], strings.HasSuffix(src[:i], "else") && src[i] != '{'
		for o < len(counted) {
			switch {
			case strings.HasPrefix(counted[o:], counter):
				end := strings.IndexByte(counted[o:], ';')
				if end < 0 {
					return nil, false
				}
				o += end + 1
				continue
			case closing > 0 && counted[o] == '}':
				closing--
				o++
				continue
			case opens && counted[o] == '{':
				opens = false
				o++
				continue
			}
			break
		}
		if o >= len(counted) || counted[o] != src[i] {
			return nil, false
		}
		at = append(at, o)
		o++
	}
	return at, true
}

// joinAt gives the number of the file and of the unit that counts a block behind both sides of && or ||.
func (v *visits) joinAt(b *ssa.BasicBlock) (at [2]int, ok bool) {
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		place := v.fset.PositionFor(phi.Pos(), false)
		file, counted := v.files[place.Filename]
		if !counted || phi.Comment != token.LAND.String() && phi.Comment != token.LOR.String() {
			continue
		}
		here := point{place.Line, place.Column}
		if i := slices.IndexFunc(v.units[file], func(u unit) bool { return u.joins == here }); i >= 0 {
			return [2]int{file, i}, true
		}
	}
	return at, false
}
