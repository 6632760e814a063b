package prove_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shared is what the random functions use. The functions that write what others have looked at are not to be inlined:
// where they are called among other operands, the order is the compiler's choice.
const shared = `package main

type obj struct {
	s    []int
	tt   [][]int
	n, k int
	next *obj
	a    [4]int
	m    map[int]int
	f    func() int
}

var fuel int

//go:noinline
func (o *obj) shrink() int {
	if o != nil {
		o.s, o.n, o.next, o.m = o.s[:len(o.s)/2], o.n-1, nil, nil
	}
	return 0
}

//go:noinline
func (o *obj) peek() int { return 1 }

func fresh(n int) *obj {
	if n > 3 {
		return &obj{n: n}
	}
	return &obj{s: []int{n}, m: map[int]int{}}
}

func maybe(n int) *obj {
	if n > 3 {
		return nil
	}
	return fresh(n)
}

`

// writer writes random functions, with at most one check or so on a line.
type writer struct {
	*rand.Rand
	strings.Builder
	indent int
	vars   int
	ints   []string
	slices []string
	objs   []string
}

func (w *writer) line(format string, args ...any) {
	w.WriteString(strings.Repeat("\t", w.indent))
	fmt.Fprintf(w, format+"\n", args...)
}

func (w *writer) of(list []string) string { return list[w.IntN(len(list))] }

func (w *writer) name() string {
	w.vars++
	return fmt.Sprintf("v%d", w.vars)
}

// function writes function f and its number.
func (w *writer) function(i int) {
	w.vars, w.ints, w.slices, w.objs = 0, []string{"i", "n"}, []string{"s", "t"}, []string{"o", "p"}
	w.line("func f%d(s, t []int, o, p *obj, i, n int) (sum int) {", i)
	w.indent++
	for range 4 + w.IntN(4) {
		w.statement(3)
	}
	w.line("return sum")
	w.indent--
	w.line("}\n")
}

// number is an integer that may be an index.
func (w *writer) number() string {
	switch w.IntN(14) {
	case 0, 1, 2, 3:
		return w.of(w.ints)
	case 4:
		return w.of(w.ints) + "+1"
	case 5:
		return w.of(w.ints) + "-1"
	case 6:
		return fmt.Sprint(w.IntN(4))
	case 7:
		return "len(" + w.slice() + ")"
	case 8:
		return "len(" + w.slice() + ")-1"
	case 9:
		return w.of(w.ints) + w.of([]string{"&3", ">>1", "/2", "%4", "-" + w.of(w.ints), "+" + w.of(w.ints), "*2"})
	case 10:
		return fmt.Sprintf("%s(%s, len(%s))", w.of([]string{"min", "max"}), w.of(w.ints), w.of(w.slices))
	case 11:
		return "int(uint8(" + w.of(w.ints) + "))"
	case 12:
		return "len(" + w.of(w.objs) + ".m)"
	}
	return w.of(w.objs) + "." + w.of([]string{"n", "k"})
}

// variable is a number that is no constant: the compiler refuses some of these.
func (w *writer) variable() string {
	for {
		if s := w.number(); len(s) > 1 || s > "9" {
			return s
		}
	}
}

func (w *writer) slice() string {
	if w.IntN(3) == 0 {
		return w.of(w.objs) + ".s"
	}
	return w.of(w.slices)
}

// condition compares what checks are about.
func (w *writer) condition() string {
	switch w.IntN(8) {
	case 0:
		return w.of(w.objs) + w.of([]string{"", ".next", ".m", ".f"}) + w.of([]string{" == ", " != "}) + "nil"
	case 1:
		return "len(" + w.slice() + ") " + w.of([]string{"==", "!=", ">", "<"}) + " 0"
	case 2:
		return fmt.Sprintf("%s >= 0 && %s < len(%s)", w.of(w.ints), w.of(w.ints), w.slice())
	case 3:
		x := w.of(w.ints)
		return fmt.Sprintf("%s < 0 || %s >= len(%s)", x, x, w.slice())
	}
	return w.number() + " " + w.of([]string{"<", "<=", ">", ">=", "==", "!="}) + " " + w.number()
}

// use looks at something that may fail.
func (w *writer) use() {
	switch w.IntN(13) {
	case 0, 1, 2, 3:
		w.line("sum += %s[%s]", w.slice(), w.number())
	case 4:
		w.line("%s[%s] = 1", w.slice(), w.number())
	case 5:
		w.line("sum += %s.n", w.of(w.objs))
	case 6:
		w.line("sum += %s.a[%s]", w.of(w.objs), w.number())
	case 7:
		w.line("%s.m[%s] = 2", w.of(w.objs), w.of(w.ints))
	case 8:
		w.line("sum += %s %s (%s)", w.of(w.ints), w.of([]string{"/", "%"}), w.variable())
	case 9:
		w.line("sum += 1 << (%s)", w.variable())
	case 10:
		w.line("sum += %s[%s] + %s.%s()", w.slice(), w.number(), w.of(w.objs), w.of([]string{"shrink", "peek"}))
	case 11:
		w.line("sum += len(make([]int, min(%s, 9)))", w.number())
	case 12:
		w.line("if %s.f != nil { sum += %s.f() }", w.of(w.objs), w.of(w.objs))
	}
}

// assign changes or makes a variable.
func (w *writer) assign() {
	switch w.IntN(13) {
	case 0, 1:
		v, value := w.name(), w.number()
		w.line("%s := %s", v, value)
		w.line("_ = %s", v)
		w.ints = append(w.ints, v)
	case 2:
		w.line("%s = %s", w.of(w.ints), w.number())
	case 3:
		w.line("%s = %s", w.of(w.slices), w.slice())
	case 4:
		w.line("%s = append(%s, %s)", w.of(w.slices), w.slice(), w.of(w.ints))
	case 5:
		w.line("%s = %s[%s:]", w.of(w.slices), w.slice(), w.number())
	case 6:
		w.line("%s = %s[%s:%s]", w.of(w.slices), w.slice(), w.variable(), w.number())
	case 7:
		w.line("%s = %s(%s)", w.of(w.objs), w.of([]string{"fresh", "maybe"}), w.of(w.ints))
	case 8:
		w.line("%s = %s.next", w.of(w.objs), w.of(w.objs))
	case 9:
		w.line("%s.s = %s", w.of(w.objs), w.of(w.slices))
	case 10:
		w.line("%s.%s = %s", w.of(w.objs), w.of([]string{"n", "k"}), w.number())
	case 11:
		w.line("%s.m = map[int]int{}", w.of(w.objs))
	case 12:
		w.line("%s.%s()", w.of(w.objs), w.of([]string{"shrink", "peek"}))
	}
}

// guarded writes a check, and behind it what it is meant for, with something between that may undo it.
func (w *writer) guarded() {
	o, p, i := w.of(w.objs), w.of(w.objs), w.of(w.ints)
	between := w.of([]string{"", "", o + ".shrink()", p + ".shrink()", p + ".s = t", o + ".next = " + p + ".next", p + ".n--", o + " = " + p, i + "++", p + ".m = nil", "clear(" + p + ".m)", o + ".k++"})
	call := w.of([]string{"", "", " + " + o + ".shrink()", " + " + p + ".peek()"})
	switch w.IntN(9) {
	case 6:
		w.line("if %s >= 0 && %s+1 < len(s) {", i, i)
		w.line("\tsum += s[%s+1]%s", i, call)
	case 7:
		w.line("if %s < len(s) && %s-1 >= 0 {", i, i)
		w.line("\tsum += s[%s-1]%s", i, call)
	case 8:
		w.line("if %s != nil {", o)
		w.line("\tsum += %s.next.n", o)
		w.line("\t%s", between)
		w.line("\tsum += %s.next.k", o)
	case 0:
		w.line("if %s >= 0 && %s < len(%s.s) {", i, i, o)
		w.line("\t%s", between)
		w.line("\tsum += %s.s[%s]%s", o, i, call)
	case 1:
		w.line("if %s != nil && %s.next != nil {", o, o)
		w.line("\t%s", between)
		w.line("\tsum += %s.next.n%s", o, call)
	case 2:
		w.line("if len(%s.m) > 0 {", o)
		w.line("\t%s", between)
		w.line("\tsum += %s / len(%s.m)%s", i, o, call)
	case 3:
		w.line("if %s != nil && %s.m != nil {", o, o)
		w.line("\t%s", between)
		w.line("\t%s.m[%s] = 1%s", o, i, call)
	case 4:
		w.line("if %s.n >= 0 && %s.n < %s.k && %s.k <= len(%s.s) {", o, o, o, o, o)
		w.line("\t%s", between)
		w.line("\tsum += %s.s[%s.n]%s", o, o, call)
	case 5:
		w.line("if m := %s.m; %s > 0 && len(m) > %s {", o, i, i)
		w.line("\t%s", between)
		w.line("\tsum += %s / len(m)%s", i, call)
	}
	w.line("}")
}

// statement writes a statement, in which others may be.
func (w *writer) statement(deep int) {
	kind := w.IntN(14)
	switch {
	case kind >= 12:
		w.guarded()
	case kind < 4 || deep == 0:
		w.use()
	case kind < 6:
		w.assign()
	case kind < 9:
		w.line("if %s {", w.condition())
		w.block(deep)
		if end := w.IntN(3); end == 0 {
			w.line("\treturn sum")
		} else if end == 1 {
			w.line("} else {")
			w.block(deep)
		}
		w.line("}")
	default:
		w.loop(deep)
	}
}

// block writes what is in braces. Variables that are made there end with it.
func (w *writer) block(deep int) {
	ints, slices := len(w.ints), len(w.slices)
	w.indent++
	for range 1 + w.IntN(3) {
		w.statement(deep - 1)
	}
	w.indent--
	w.ints, w.slices = w.ints[:ints], w.slices[:slices]
}

// loop writes a loop that ends when there is no fuel.
func (w *writer) loop(deep int) {
	v := w.name()
	ints := len(w.ints)
	switch w.IntN(6) {
	case 0:
		w.line("for %s := range %s {", v, w.slice())
	case 1:
		w.line("for %s := range %s {", v, w.number())
	case 2:
		w.line("for %s := %d; %s < len(%s); %s++ {", v, w.IntN(3)-1, v, w.slice(), v)
	case 3:
		w.line("for %s := len(%s) - 1; %s >= 0; %s-- {", v, w.slice(), v, v)
	case 4:
		w.line("for %s := %s; %s %s %s; %s += %d {", v, w.number(), v, w.of([]string{"<", "<=", "!="}), w.number(), v, 1+w.IntN(2))
	case 5:
		w.line("for %s, e := range %s {", v, w.slice())
		w.line("\tsum += e")
	}
	w.ints = append(w.ints, v, v)
	w.line("\tif fuel--; fuel < 0 || %s == 99 {", v)
	w.line("\t\treturn sum")
	w.line("\t}")
	w.block(deep)
	if w.IntN(3) == 0 {
		w.line("\tif %s {", w.condition())
		w.line("\t\t%s", w.of([]string{"break", "continue"}))
		w.line("\t}")
	}
	w.ints = w.ints[:ints]
	w.line("}")
}
