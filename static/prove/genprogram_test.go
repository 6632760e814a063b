package prove_test

import (
	"fmt"
	"strings"
)

// coins is what the groups of random types share.
const coins = `package main

var state uint64 = 1

func coin() bool {
	state = state*6364136223846793005 + 1442695040888963407
	return state>>40&3 == 0
}

type none struct{}

func (none) Error() string { return "none" }

`

// group writes two types of its own, functions that make and write them, and one that uses them. What holds of the
// fields of one group is independent of the others.
func (w *writer) group(g int) {
	text := strings.NewReplacer("§", fmt.Sprint(g))
	out := func(lines ...string) {
		for _, l := range lines {
			w.WriteString(text.Replace(l) + "\n")
		}
	}
	out("type b§ struct {", "\tn int", "\tup *a§", "}", "", "type in§ struct {", "\tb *b§", "}", "", "type a§ struct {", "\tx, y *b§", "\tm map[int]int", "\tf func() int", "\tin§", "}", "")
	out("func get§() (*b§, error) {", "\tif coin() {", "\t\treturn nil, "+w.rarely("nil", "none{}"), "\t}", "\treturn "+w.rarely("nil", "&b§{}")+", nil", "}", "")
	out("func make§(b *b§, m map[int]int) *a§ {")
	w.makes(out)
	out("}", "")
	out("func (a *a§) set(b *b§) {", "\t"+w.of([]string{"a.x = b", "a.y = b", "a.in§ = in§{b}", "a.in§.b = b", "*a = *make§(b, a.m)", "a.x, a.y = a.y, b"}), "}", "")
	out("func (a *a§) use() (sum int) {", "\tsum += a.x.n", "\tsum += a.y.n", "\ta.m[1] = 1", "\tsum += a.f()", "\tsum += a.in§.b.n", "\treturn sum", "}", "")
	out("func apply§(f func(*b§, map[int]int) *a§, b *b§) *a§ { return f(b, map[int]int{}) }", "")
	out("func run§() (sum int) {")
	w.runs(out)
	out("}", "")
}

// rarely gives the first text sometimes, and the other one mostly.
func (w *writer) rarely(a, b string) string {
	if w.IntN(12) == 0 {
		return a
	}
	return b
}

func (w *writer) pointer() string {
	if w.IntN(14) == 0 {
		return "nil"
	}
	return w.of([]string{"&b§{}", "new(b§)", "&b§{n: 2}", "func() *b§ { return &b§{} }()"})
}

// makes writes the body of a constructor.
func (w *writer) makes(out func(...string)) {
	b := func() string { return w.rarely(w.pointer(), w.of([]string{"b", "b", "&b§{}"})) }
	fields := fmt.Sprintf("x: %s, m: m, f: func() int { return 1 }, in§: in§{%s}", b(), b())
	if w.IntN(8) > 0 {
		fields += ", y: " + b()
	}
	switch w.IntN(7) {
	case 0:
		out("\ta := &a§{"+fields+"}", "\tif coin() {", "\t\ta.x = "+b(), "\t}", "\treturn a")
	case 1:
		out("\ta := new(a§)", "\ta.x, a.y, a.m, a.in§.b = b, "+b()+", m, b", "\ta.f = func() int { return a.x.n }", "\treturn a")
	case 2:
		out("\tc, err := get§()", "\tif err != nil {", "\t\tc = "+b(), "\t}", "\ta := &a§{"+fields+"}", "\ta.y = c", "\treturn a")
	case 3:
		out("\tc := a§{"+fields+"}", "\td := c", "\treturn &d")
	case 4:
		out("\tvar c *b§ = "+b(), "\tgrow := func() *a§ {", "\t\tc = "+b(), "\t\treturn &a§{"+fields+"}", "\t}", "\ta := grow()", "\ta.x = c", "\treturn a")
	default:
		out("\treturn &a§{" + fields + "}")
	}
}

// runs writes the body of the function that is called.
func (w *writer) runs(out func(...string)) {
	m := w.rarely("nil", "map[int]int{}")
	out("\ta := make§("+w.pointer()+", "+m+")", "\tall := map[int]a§{}", "\t_ = all")
	for range 1 + w.IntN(4) {
		switch w.IntN(20) {
		case 0, 1, 2:
			out("\ta.set(" + w.pointer() + ")")
		case 3, 4:
			out("\tb, err := get§()", "\tif err == nil {", "\t\ta.set(b)", "\t\tsum += b.n", "\t}", "\terr, b = nil, nil", "\t_, _ = b, err")
			out("\treturn sum + a.use()")
			return
		case 5:
			out("\tc := *a", "\tsum += c.x.n", "\ta = &c")
			out("\treturn sum + a.use()")
			return
		case 6:
			out("\tall[1] = *a", "\te := all["+w.of([]string{"1", "2"})+"]", "\ta = &e", "\tsum += a.use()", "\treturn sum")
			return
		case 7:
			out("\tlist := [2]a§{*a, *a}", "\tsum += list[1].use()")
			out("\treturn sum + a.use()")
			return
		case 8:
			out("\t{", "\tlate := func() { sum += a.use() }", "\tif coin() {", "\t\ta = make§("+w.pointer()+", nil)", "\t}", "\tlate()", "\t}")
		case 9:
			out("\tvar keep any = a", "\tif k, ok := keep.(*a§); ok {", "\t\tsum += k.use()", "\t}")
			out("\treturn sum + a.use()")
			return
		case 10:
			out("\tclear := func(p **b§) { *p = nil }", "\tif coin() {", "\t\tclear(&a.x)", "\t}")
			out("\treturn sum + a.use()")
			return
		case 11:
			out("\t{", "\ttype other a§", "\to := other(*a)", "\to.x = nil", "\tq := a§(o)", "\ta = &q", "\t}")
		case 12:
			out("\t{", "\th := a.set", "\th("+w.of([]string{"nil", "&b§{}"})+")", "\t}")
		case 13:
			out("\t{", "\tmk := make§", "\ta = mk("+w.of([]string{"nil", "&b§{}"})+", "+m+")", "\ta = apply§(mk, "+w.of([]string{"nil", "&b§{}"})+")", "\t}")
		case 14:
			out("\tc, err := get§()", "\tif err != nil {", "\t\treturn sum", "\t}", "\tdrop := func() { c = "+w.of([]string{"nil", "&b§{}"})+" }", "\tif coin() {", "\t\tdrop()", "\t}", "\tsum += func() int {",
				"\t\treturn c.n", "\t}()", "\treturn sum + a.use()")
			return
		default:
			out("\tsum += a.use()")
		}
	}
	out("\tsum += a.use()", "\treturn sum")
}
