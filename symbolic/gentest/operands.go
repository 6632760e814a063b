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
)

// This file counts the right sides of && and ||. To go tool cover they are parts of their statement, to Go's SSA form blocks of their own, and a target may be one.

// operand is the right side of a condition, in offsets.
type operand struct{ from, to int }

// withOperands adds counters of right sides to a file that go tool cover has written from another one, and to its units.
func (v *visits) withOperands(file, counted, variable string, units []unit, info *types.Info, syntax *ast.File) (string, []unit) {
	list, places := v.operands(info, syntax)
	src, err := os.ReadFile(file)
	size := countOf.FindStringSubmatch(counted)
	if err != nil || len(list) == 0 || size == nil || size[1] != strconv.Itoa(len(units)) {
		return counted, units
	}
	at, ok := aligned(string(src), counted, variable+".Count[")
	if !ok {
		return counted, units
	}
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	for i, o := range list {
		all = append(all, insertion{at[o.from], fmt.Sprintf("(%sOperand(%d) && (", variable, len(units)+i)}, insertion{at[o.to-1] + 1, "))"})
	}
	slices.SortStableFunc(all, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	done := 0
	for _, x := range all {
		b.WriteString(counted[done:x.at] + x.text)
		done = x.at
	}
	b.WriteString(counted[done:])
	text := countOf.ReplaceAllString(b.String(), fmt.Sprintf("Count     [%d]uint32", len(units)+len(list)))
	text += fmt.Sprintf("\nfunc %sOperand(n int) bool { %[1]s.Count[n]++; return true }\n", variable)
	return text, append(units, places...)
}

// countOf is the field of counters in what go tool cover writes.
var countOf = regexp.MustCompile(`Count     \[(\d+)\]uint32`)

// operands lists the right sides whose type is bool: of another one no other condition can stand beside it.
func (v *visits) operands(info *types.Info, file *ast.File) (list []operand, places []unit) {
	ast.Inspect(file, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.LAND && b.Op != token.LOR || info.Types[b].Value != nil || !plainBool(info.TypeOf(b)) || !plainBool(info.TypeOf(b.Y)) {
			return true
		}
		from, to := v.fset.PositionFor(b.Y.Pos(), false), v.fset.PositionFor(b.Y.End(), false)
		list = append(list, operand{from.Offset, to.Offset})
		places = append(places, unit{first: point{from.Line, from.Column}, last: point{to.Line, to.Column}, operand: true})
		return true
	})
	return list, places
}

func plainBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// aligned gives for each byte of a source where it is in what go tool cover has made of it. It fails if more was put in between than assignments to counters.
func aligned(src, counted, counter string) (at []int, ok bool) {
	o := 0
	for strings.HasPrefix(counted[o:], "//line ") && !strings.HasPrefix(src, "//line ") {
		o += strings.IndexByte(counted[o:], '\n') + 1
	}
	for i := range len(src) {
		for strings.HasPrefix(counted[o:], counter) {
			end := strings.IndexByte(counted[o:], ';')
			if end < 0 {
				return nil, false
			}
			o += end + 1
		}
		if o >= len(counted) || counted[o] != src[i] {
			return nil, false
		}
		at = append(at, o)
		o++
	}
	return at, true
}
