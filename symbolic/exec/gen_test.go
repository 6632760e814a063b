package exec_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// prelude declares what random functions work with.
const prelude = `package main

import (
	"sync"
	"sync/atomic"
)

var _ = atomic.AddInt64

type Base struct {
	N int
	V
}

func (b *Base) Add(n int) int { b.N += n; return b.N }

func (b Base) Sum() int { b.N++; return b.N + int(b.A) }

type K struct {
	Base
	*P
	Shape
	Hits atomic.Int64
	Cell atomic.Uint32
	On   atomic.Bool
	To   atomic.Pointer[P]
	Any  atomic.Value
	Once sync.Once
	Map  sync.Map
	Mu   sync.Mutex
}

type P struct {
	X    int
	Y    int8
	F    bool
	S    string
	Next *P
	L    []int
	M    map[int]int
	I    any
	V    V
	Q    *Q
}

type V struct {
	A uint16
	B [3]int32
}

type Q struct {
	N uint64
	P *P
	G Shape
}

type Shape interface{ Area(int) int }

type Square struct{ W int }

func (s Square) Area(n int) int { return s.W*n + 1 }

type Circle struct{ R int8 }

func (c *Circle) Area(n int) int { c.R++; return int(c.R) - n }

type pair[T any] struct{ a, b T }

func (p pair[T]) swap() pair[T] { return pair[T]{p.b, p.a} }

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func sum(xs ...int) (n int) {
	for i, x := range xs {
		n += x ^ i
	}
	return
}

func guard(f func() int) (n int) {
	defer func() {
		if r := recover(); r != nil {
			n = -7
			if s, ok := r.(string); ok && s == "again" {
				panic("twice")
			}
		}
	}()
	return f()
}

func twist(p *P, k int) (*P, bool) {
	if p == nil {
		return nil, false
	}
	if k > p.X {
		return p.Next, true
	}
	p.X -= k
	return p, p.F
}

func level(p *P, left int) int {
	if p == nil || left == 0 {
		return 0
	}
	return 1 + level(p.Next, left-1)
}
`

// inputs are the parameters of every random function.
const inputs = "s *P, q *Q, v V, a int, b int8, c uint16, d int64, e uint8, f bool, g string, xs []int, ys []int8, m map[int]int, w map[string]int8, i any, h Shape, k1 *K, k2 *K"

// gen makes random functions. What it declares it uses, and no constant expression is out of range.
type gen struct {
	*rand.Rand
	b        strings.Builder
	scope    map[string][]string // names by type
	n        int
	loops    int
	closures int  // that are open
	plain    bool // the innermost of them has no results
	doing    bool // one of them is given to a sync.Once
}

func newGen(seed uint64) *gen { return &gen{Rand: rand.New(rand.NewPCG(seed, 7))} }

// function makes one.
func (g *gen) function(name string) string {
	g.b.Reset()
	g.scope = map[string][]string{}
	g.n, g.loops, g.closures, g.plain, g.doing = 0, 0, 0, false, false
	for _, p := range strings.Split(inputs, ", ") {
		name, t, _ := strings.Cut(p, " ")
		g.scope[t] = append(g.scope[t], name)
	}
	fmt.Fprintf(&g.b, "func %s(%s) (r int, t string, u *P, o any) {\n", name, inputs)
	g.scope["int"], g.scope["string"], g.scope["*P"], g.scope["any"] = append(g.scope["int"], "r"), append(g.scope["string"], "t"), append(g.scope["*P"], "u"), append(g.scope["any"], "o")
	if g.IntN(8) == 0 {
		g.b.WriteString("\tdefer func() {\n\t\tif x := recover(); x != nil {\n\t\t\tr, o = r+1, \"caught\"\n\t\t}\n\t}()\n")
	}
	for range 2 + g.IntN(5) {
		g.stmt(3)
	}
	for i, t := range []string{"int", "string", "*P", "any"} {
		g.p("var r%d %s = %s", i, t, g.one(t, 2))
	}
	g.b.WriteString("\treturn r0, r1, r2, r3\n}\n")
	return g.b.String()
}

func (g *gen) name() string {
	g.n++
	return fmt.Sprintf("x%d", g.n)
}

func (g *gen) v(t string) string { return g.scope[t][g.IntN(len(g.scope[t]))] }

var ints = []string{"int", "int8", "uint16", "int64", "uint8", "int32", "uint64"}

var kinds = []string{"int", "int", "int", "int8", "uint16", "int64", "uint8", "bool", "string", "*P", "*Q", "V", "[]int", "[]int8", "map[int]int", "map[string]int8", "any", "Shape", "P", "int32", "uint64", "*K"}

// block is statements in a scope of their own.
func (g *gen) block(depth int) {
	old := map[string][]string{}
	for t, names := range g.scope {
		old[t] = names[:len(names):len(names)]
	}
	for range 1 + g.IntN(3) {
		g.stmt(depth - 1)
	}
	g.scope = old
}

func (g *gen) p(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

// risks matches what may panic, or has an effect. Go leaves open in which order two of them in one statement happen, so
// there is only one. Chains of selectors and indices count as one: their order is that of their values.
var risks = regexp.MustCompile(`(\.[A-Z]\w*|\w\[[^]]*\])+|/|%|<<|>>|\.\(|Area\(|[ (,=]\*[a-z]`)

// once writes a statement in which at most one thing is a risk.
func (g *gen) once(format string, make func() []any) {
	for range 30 {
		text := fmt.Sprintf(format, make()...)
		if len(risks.FindAllString(" "+harmless.Replace(text), -1)) <= 1 {
			g.p("%s", text)
			return
		}
	}
}

var harmless = strings.NewReplacer("v.A", "v", "v.B[2]", "v", "v.B", "vb", "map[int]int", "map", "map[string]int8", "map")

// one makes an expression in which at most one thing is a risk.
func (g *gen) one(t string, depth int) string {
	for range 30 {
		if text := g.expr(t, depth); len(risks.FindAllString(" "+harmless.Replace(text), -1)) <= 1 {
			return text
		}
	}
	return g.v(t)
}

func (g *gen) stmt(depth int) {
	switch n := g.IntN(34); {
	case n < 6:
		t := kinds[g.IntN(len(kinds))]
		x, name := g.one(t, 2), g.name()
		g.p("var %s %s = %s\n_ = %s", name, t, x, name)
		g.scope[t] = append(g.scope[t], name)
	case n < 12:
		g.assign()
	case n < 17 && depth > 0:
		g.p("if (%s) {", g.one("bool", 2))
		g.block(depth)
		if g.IntN(2) == 0 {
			g.p("} else {")
			g.block(depth)
		}
		g.p("}")
	case n < 19 && depth > 0 && g.loops < 2:
		g.loop(depth)
	case n < 21 && depth > 0:
		g.typeSwitch(depth)
	case n < 22 && depth > 0:
		g.p("switch (%s) {\ncase 1:", g.one("int", 1))
		g.block(depth)
		g.p("case %s:", g.v("int"))
		g.block(depth)
		g.p("default:")
		g.block(depth)
		g.p("}")
	case n < 30:
		g.other(depth)
	default:
		g.cell(depth)
	}
}

// assign changes something.
func (g *gen) assign() {
	switch g.IntN(12) {
	case 0:
		g.p("%s.X = %s", g.v("*P"), g.one("int", 2))
	case 1:
		g.p("%s.%s", g.v("*P"), []string{"X++", "Y--", "F = !" + g.v("*P") + ".F", "S += " + g.v("string"), "V.A *= 3", "V.B[1] = " + g.one("int32", 1),
			"Next = " + g.one("*P", 1), "L = " + g.one("[]int", 1), "M = " + g.one("map[int]int", 1), "I = " + g.one("any", 1), "V = " + g.one("V", 1), "Q = " + g.v("*Q")}[g.IntN(12)])
	case 2:
		g.p("%s[%s] = %s", g.v("[]int"), g.index(), g.one("int", 1))
	case 3:
		g.once("%s[%s] = %s", func() []any { return []any{g.v("map[int]int"), g.expr("int", 1), g.expr("int", 1)} })
	case 4:
		g.p("%s[%s] %s", g.v("map[string]int8"), g.one("string", 1), []string{"++", "= 3", "-= 2"}[g.IntN(3)])
	case 5:
		g.p("*%s = %s", g.v("*P"), g.one("P", 1))
	case 6:
		g.p("%s.%s", g.v("*Q"), []string{"N++", "P = " + g.one("*P", 1), "G = " + g.one("Shape", 1)}[g.IntN(3)])
	default:
		t := kinds[g.IntN(len(kinds))]
		if len(g.scope[t]) > 0 {
			g.p("%s = %s", g.v(t), g.one(t, 3))
		}
	}
}

func (g *gen) loop(depth int) {
	g.loops++
	i := g.name()
	inner := func(t string) {
		y := g.name() // what the body changes is not what the loop counts
		g.p("%s := %s\n_ = %s", y, i, y)
		g.scope[t] = append(g.scope[t], y)
		g.block(depth)
		g.scope[t] = g.scope[t][:len(g.scope[t])-1]
		g.p("}")
	}
	switch g.IntN(6) {
	case 0:
		g.p("for %s := 0; %s < %d; %s++ {", i, i, 1+g.IntN(5), i)
		inner("int")
	case 1:
		g.p("for %s := 0; %s < %s && %s < 5; %s++ {", i, i, g.v("int"), i, i)
		inner("int")
	case 2:
		g.p("for _, %s := range %s {\n_ = %s", i, g.v("[]int"), i)
		inner("int")
	case 3:
		k := g.name()
		g.p("for _, %s := range %s {\nr += %s\n}", k, g.v("map[int]int"), k)
	case 4:
		k := g.name()
		g.p("for %s, %s := %s, 0; %s != nil && %s < 3; %s, %s = %s.Next, %s+1 {", i, k, g.v("*P"), i, k, i, k, i, k)
		inner("*P")
	case 5:
		g.p("for %s := range %s {", i, []string{"3", "len(" + g.v("[]int8") + ")"}[g.IntN(2)])
		g.p("if (%s) {\n%s\n}", g.one("bool", 1), []string{"break", "continue"}[g.IntN(2)])
		inner("int")
	}
	g.loops--
}

func (g *gen) typeSwitch(depth int) {
	x := g.name()
	g.p("switch %s := %s.(type) {", x, g.v("any"))
	for _, t := range []string{"int", "P", "*P", "string", "V", "nil", "Shape", "Square"} {
		if g.IntN(2) == 0 {
			continue
		}
		g.p("case %s:\n_ = %s", t, x)
		if t != "nil" && t != "Square" {
			g.scope[t] = append(g.scope[t], x)
		}
		g.block(depth)
		if t != "nil" && t != "Square" {
			g.scope[t] = g.scope[t][:len(g.scope[t])-1]
		}
	}
	g.p("default:\n_ = %s", x)
	g.block(depth)
	g.p("}")
}

// other is a statement of the rarer kinds.
func (g *gen) other(depth int) {
	switch g.IntN(13) {
	case 12:
		g.p("a = func() int { r++; return r + %s }()", g.v("int"))
	case 0:
		g.p("if (%s) {\npanic(%s)\n}", g.one("bool", 1), []string{`"stop"`, g.v("any"), g.one("int", 1), "v"}[g.IntN(4)])
	case 1:
		g.p("xs = append(xs, %s)", g.one("int", 1))
	case 2:
		g.p("delete(%s, %s)", g.v("map[int]int"), g.one("int", 1))
	case 3:
		g.p("{\nz := guard(func() int {\nr++")
		old := g.plain
		g.closures, g.plain = g.closures+1, false
		if depth > 0 {
			g.block(depth)
		}
		g.closures, g.plain = g.closures-1, old
		g.p("return %s\n})\nr += z\n}", g.one("int", 1))
	case 4:
		switch {
		case g.plain:
			g.p("if (%s) {\nreturn\n}", g.one("bool", 2))
			return
		case g.closures > 0:
			g.p("if (%s) {\nreturn %s\n}", g.one("bool", 2), g.one("int", 1))
			return
		}
		g.p("if (%s) {\nreturn %s, \"early\", s, nil\n}", g.one("bool", 2), g.one("int", 1))
	case 5:
		g.p("defer func(k int) { r = 3*r + k }(%s)", g.one("int", 1))
	case 6:
		g.p("{\nz := &%s\n*z = %s\n}", []string{"r", "a"}[g.IntN(2)], g.one("int", 1))
	case 7:
		x := g.name()
		g.p("%s, f := twist(%s, %s)\n_, _ = %s, f", x, g.v("*P"), g.one("int", 1), x)
		g.scope["*P"] = append(g.scope["*P"], x)
	case 8:
		g.p("r += copy(%s, %s)", g.v("[]int"), g.v("[]int"))
	case 9:
		g.p("if k, ok := %s[%s]; ok {\nr -= k\n}", g.v("map[int]int"), g.one("int", 1))
	case 10:
		g.p("{\nz := pair[int]{%s, r}.swap()\nr = z.a*2 + z.b\n}", g.one("int", 1))
	case 11:
		g.p("{\nz := &%s.V\nz.A++\nk := *z\nk.B[%s]--\nr += int(k.B[0])\n}", g.v("*P"), []string{"0", "2", g.v("uint8")}[g.IntN(3)])
	}
}

func (g *gen) index() string {
	if g.IntN(2) == 0 {
		return fmt.Sprint(g.IntN(4))
	}
	return g.v(ints[g.IntN(4)])
}
