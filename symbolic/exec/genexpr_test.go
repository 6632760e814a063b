package exec_test

import (
	"fmt"
	"slices"
)

// expr makes an expression of a type.
func (g *gen) expr(t string, depth int) string {
	if depth <= 0 && len(g.scope[t]) > 0 && g.IntN(4) > 0 {
		return g.v(t)
	}
	switch {
	case slices.Contains(ints, t):
		return g.integer(t, depth)
	case t == "bool":
		return g.boolean(depth)
	case t == "string":
		return g.text(depth)
	}
	return g.composite(t, depth)
}

// lit is a constant of a type of integers, in all of its range.
func (g *gen) lit(t string) string {
	small := fmt.Sprint(g.IntN(6))
	switch g.IntN(6) {
	case 0:
		return map[string]string{"int": "9223372036854775807", "int8": "127", "uint16": "65535", "int64": "-9223372036854775808", "uint8": "255", "int32": "-2147483648", "uint64": "18446744073709551615"}[t]
	case 1:
		return map[string]string{"int": "-1", "int8": "-128", "uint16": "256", "int64": "-3", "uint8": "200", "int32": "-7", "uint64": "10"}[t]
	}
	return small
}

// some is a variable of a type of integers, or one that is converted.
func (g *gen) some(t string) string {
	if len(g.scope[t]) > 0 {
		return g.v(t)
	}
	return fmt.Sprintf("%s(%s)", t, g.v("int"))
}

func (g *gen) integer(t string, depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("%s(%s)", t, g.lit(t))
	}
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("%s(%s)", t, g.lit(t))
	case 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", g.some(t), []string{"+", "-", "*", "&", "|", "^", "&^"}[g.IntN(7)], g.expr(t, depth-1))
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), []string{"/", "%"}[g.IntN(2)], g.divisor(t))
	case 5:
		return fmt.Sprintf("(%s %s %s)", g.some(t), []string{"<<", ">>"}[g.IntN(2)], g.some(ints[g.IntN(len(ints))]))
	case 6:
		from := ints[g.IntN(len(ints))]
		return fmt.Sprintf("%s(%s)", t, g.some(from))
	case 7:
		return fmt.Sprintf("%s%s", []string{"-", "^", "+"}[g.IntN(3)], g.some(t))
	}
	return g.got(t, depth)
}

// divisor is no constant 0, which would not compile.
func (g *gen) divisor(t string) string {
	if g.IntN(2) == 0 {
		return fmt.Sprintf("%s(%d)", t, 1+g.IntN(5))
	}
	return g.some(t)
}

// got is an integer from somewhere else.
func (g *gen) got(t string, depth int) string {
	switch t {
	case "int":
		return []string{g.v("*P") + ".X", fmt.Sprintf("%s[%s]", g.v("[]int"), g.index()), fmt.Sprintf("%s[%s]", g.v("map[int]int"), g.expr("int", depth-1)),
			"len(" + g.v("[]int") + ")", "len(" + g.v("string") + ")", g.v("Shape") + ".Area(" + g.v("int") + ")", "level(" + g.v("*P") + ", 4)", "sum(" + g.v("[]int") + "...)",
			"sum(1, " + g.v("int") + ")", "len(" + g.v("map[string]int8") + ")", g.v("any") + ".(int)", "max(" + g.v("int") + ", " + g.expr("int", depth-1) + ", 3)",
			"len(" + g.v("[]int8") + "[:0])", "cap(make([]int, 2, 5)[1:])"}[g.IntN(14)]
	case "int8":
		return []string{g.v("*P") + ".Y", fmt.Sprintf("%s[%s]", g.v("map[string]int8"), g.expr("string", 1)), fmt.Sprintf("%s[%s]", g.v("[]int8"), g.index())}[g.IntN(3)]
	case "uint16":
		return []string{"v.A", g.v("*P") + ".V.A"}[g.IntN(2)]
	case "int32":
		return []string{"v.B[" + g.v("uint8") + "]", g.v("*P") + ".V.B[1]", "v.B[2]"}[g.IntN(3)]
	case "uint8":
		return fmt.Sprintf("%s[%s]", g.v("string"), g.index())
	case "uint64":
		return g.v("*Q") + ".N"
	}
	return fmt.Sprintf("%s(%s)", t, g.v("int"))
}

func (g *gen) boolean(depth int) string {
	t := ints[g.IntN(len(ints))]
	if depth <= 0 {
		return g.v("bool")
	}
	switch g.IntN(13) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("%s %s %s", g.some(t), []string{"<", "<=", ">", ">=", "==", "!="}[g.IntN(6)], g.expr(t, depth-1))
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.expr("bool", depth-1), []string{"&&", "||"}[g.IntN(2)], g.expr("bool", depth-1))
	case 5:
		return "!(" + g.expr("bool", depth-1) + ")"
	case 6:
		return fmt.Sprintf("%s %s %s", g.v("*P"), []string{"==", "!="}[g.IntN(2)], []string{"nil", g.v("*P"), g.v("*P") + ".Next"}[g.IntN(3)])
	case 7:
		return fmt.Sprintf("%s %s %s", g.v("string"), []string{"==", "!=", "=="}[g.IntN(3)], g.expr("string", depth-1))
	case 8:
		return fmt.Sprintf("%s == nil", []string{g.v("[]int"), g.v("map[int]int"), g.v("any"), g.v("Shape"), g.v("*Q")}[g.IntN(5)])
	case 9:
		return g.v("*P") + ".F"
	case 10:
		return "(v == " + g.expr("V", depth-1) + ")"
	case 11:
		return g.v("any") + " == any(" + []string{g.v("int"), g.v("string"), "v", g.v("*P")}[g.IntN(4)] + ")"
	}
	return g.v("bool")
}

func (g *gen) text(depth int) string {
	switch g.IntN(7) {
	case 0, 1:
		return []string{`"a"`, `""`, `"ab"`, `"again"`}[g.IntN(4)]
	case 2:
		if depth > 0 {
			return fmt.Sprintf("(%s + %s)", g.v("string"), g.expr("string", depth-1))
		}
	case 3:
		return g.v("*P") + ".S"
	case 4:
		return fmt.Sprintf("%s[%s:]", g.v("string"), []string{"1", g.v("uint8")}[g.IntN(2)])
	case 5:
		return g.v("any") + ".(string)"
	}
	return g.v("string")
}

func (g *gen) composite(t string, depth int) string {
	switch t {
	case "*P":
		return []string{"&P{X: " + g.expr("int", depth-1) + ", Next: " + g.v("*P") + "}", g.v("*P") + ".Next", "nil", g.v("*Q") + ".P", "pick(" + g.v("bool") + ", " + g.v("*P") + ", s)",
			g.v("any") + ".(*P)", "new(P)"}[g.IntN(7)]
	case "*Q":
		return []string{"&Q{N: " + g.expr("uint64", depth-1) + "}", g.v("*P") + ".Q", "q"}[g.IntN(3)]
	case "*K":
		return []string{"&K{}", "k1", "k2", "&K{P: " + g.v("*P") + "}"}[g.IntN(4)]
	case "V":
		return []string{"V{A: " + g.expr("uint16", depth-1) + "}", g.v("*P") + ".V", "v", "V{B: [3]int32{1, " + g.expr("int32", depth-1) + "}}"}[g.IntN(4)]
	case "P":
		return []string{"*" + g.v("*P"), "P{Y: " + g.expr("int8", depth-1) + ", S: " + g.v("string") + "}"}[g.IntN(2)]
	case "[]int":
		return []string{"[]int{" + g.expr("int", depth-1) + ", 2}", g.v("*P") + ".L", g.v("[]int") + "[" + g.index() + ":]", g.v("[]int") + "[:" + g.v("int") + "]", "make([]int, " + g.v("uint8") + ")",
			"nil", "append(" + g.v("[]int") + ", " + g.expr("int", depth-1) + ")", "append([]int(nil), " + g.v("[]int") + "...)", g.v("[]int") + "[" + g.v("int") + ":" + g.v("int8") + ":3]"}[g.IntN(9)]
	case "[]int8":
		return []string{"[]int8{1, " + g.expr("int8", depth-1) + "}", "ys[:" + g.v("int8") + "]", "append(ys, 5)", "ys"}[g.IntN(4)]
	case "map[int]int":
		return []string{"map[int]int{1: " + g.expr("int", depth-1) + "}", g.v("*P") + ".M", "make(map[int]int)", "m"}[g.IntN(4)]
	case "map[string]int8":
		return []string{"map[string]int8{}", "w"}[g.IntN(2)]
	case "any":
		return []string{g.expr("int", depth-1), g.v("*P"), "v", g.v("string"), "nil", g.v("*P") + ".I", "Square{" + g.expr("int", depth-1) + "}", "any(" + g.v("Shape") + ")", g.v("[]int"), g.expr("P", 0)}[g.IntN(10)]
	case "Shape":
		return []string{"Square{" + g.expr("int", depth-1) + "}", "&Circle{" + g.expr("int8", depth-1) + "}", g.v("any") + ".(Shape)", "h", g.v("*Q") + ".G"}[g.IntN(5)]
	}
	panic("no expression of " + t)
}
