package points_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/points"
)

// statements are what random functions are made of. N stands for the number of a function of the same program, CALL for
// a call of one.
var statements = []string{
	"a.next = b", "b.next = a", "a.in = x", "x = a.in", "x = a", "x = b", "x = *a", "a = &A{}", "b = &B{next: a}", "a = b.next", "b = a.next",
	"b.f = func() *B { a.in = x; return b }", "b = b.f()", "f := func() { a = b.next; x = a }; f()", "defer func() { global = a }()",
	"global = a", "a = global", "m[0] = a", "a = m[1]", "for _, v := range m { a = v }", "s = append(s, x)", "x = s[0]", "for _, v := range s { x = v }",
	"*a = A{next: b, in: x, flag: true}", "v := *a; v.next = b; x = v", "if v, ok := x.(A); ok { b = v.next }", "if v, ok := x.(*A); ok { a = v }",
	"switch v := x.(type) { case *A: a = v; case *B: b = v; case I: x = v.M() }", "if i, ok := x.(I); ok { x = i.M() }", "a.flag = !a.flag",
	"if a.flag { x = a.in } else { b = a.next }", "if !a.flag { return a, x }", "ch <- a", "a = <-ch", "select { case a = <-ch: case ch <- b.next: default: }",
	"pa := &a; *pa = b.next", "pp := &a.next; b = *pp; *pp = &B{}", "t := [2]any{x, a}; x = t[1]", "n := struct{ in A }{*a}; n.in.in = x; a = &n.in",
	"_, ok := x.(*A); no := !ok; if no { b = a.next }", "for range 2 { for _, v := range m { a = v }; m = map[int]*A{1: b.next} }",
	"t := make([]B, 1); for range 2 { u := slices.Clone(t); a = u[0].next; t[0].next = a }",
	"CALL", "CALL", "CALL", "for range 2 { CALL }", "if b.next == nil { CALL }", "g := functions_P[0]; a, x = g(a, b, x, m, s, ch)", "go func() { CALL }()",
}

// random is a program of several functions that call each other; run_P is where it begins.
func random(r *rand.Rand, program int) string {
	var b strings.Builder
	const functions = 4
	for f := range functions {
		fmt.Fprintf(&b, "func f_%d_%d(a *A, b *B, x any, m map[int]*A, s []any, ch chan *A) (*A, any) {\n", program, f)
		for range 3 + r.IntN(8) {
			line := statements[r.IntN(len(statements))]
			line = strings.ReplaceAll(line, "CALL", fmt.Sprintf("a, x = f_%d_%d(a, b, x, m, s, ch)", program, r.IntN(functions)))
			fmt.Fprintf(&b, "\t{ %s }\n", strings.ReplaceAll(line, "_P", fmt.Sprintf("_%d", program)))
		}
		b.WriteString("\treturn a, x\n}\n\n")
	}
	fmt.Fprintf(&b, "var functions_%d []func(*A, *B, any, map[int]*A, []any, chan *A) (*A, any)\n\n", program)
	fmt.Fprintf(&b, "func run_%d() {\n\tfunctions_%d = append(functions_%[1]d, f_%[1]d_1)\n\ta, x := f_%[1]d_0(&A{}, &B{}, 1, map[int]*A{}, nil, make(chan *A))\n\tsink(\"a\", a)\n\tsink(\"x\", x)\n}\n\n",
		program, program)
	return b.String()
}

// What an analysis finds is what one finds that looks at everything again after each step, the brute force. Since
// nothing ever shrinks, and only what that one does is done, it is enough that looking at everything once more adds
// nothing.
func TestRandomSettled(t *testing.T) {
	const programs = 100
	var b strings.Builder
	b.WriteString("import \"slices\"\nvar global *A\n\nvar _ = slices.Clone[[]A]\n\n")
	r := rand.New(rand.NewPCG(1, 2))
	for p := range programs {
		b.WriteString(random(r, p))
	}
	loaded := program(t, b.String())
	grown := 0
	for p := range programs {
		for _, precision := range []points.Precision{{}, {Casts: true, Constants: true, Branches: func(*ssa.Function) bool { return true }}} {
			s := points.New(loaded, precision, noActors{})
			s.Enter(loaded.Packages[0].SSA.Func(fmt.Sprintf("run_%d", p)), points.Context{In: 1}, nil)
			s.Run()
			grown += s.Work().Grown
			if !s.Settled() {
				t.Errorf("something was not looked at again in\n%s", between(b.String(), fmt.Sprintf("func f_%d_0(", p), fmt.Sprintf("func run_%d(", p)))
			}
		}
	}
	if grown < 100*programs {
		t.Errorf("the programs are too small: %d growths", grown)
	}
}

// between gives the part of a text from one string to another.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return from + s
}
