package exec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// oddFloats are those that functions of package math differ on.
var oddFloats = []float64{0, math.Copysign(0, -1), 1, -1.5, 2.5, -3, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}

// TestMath: what functions of package math give of constants is what they give when they are called, and the models of
// some hold for any value.
func TestMath(t *testing.T) {
	source := &strings.Builder{}
	source.WriteString("package p\n\nimport \"math\"\n\n")
	one := map[string]func(float64) float64{"Sqrt": math.Sqrt, "Abs": math.Abs, "Round": math.Round, "Floor": math.Floor}
	two := map[string]func(x, y float64) float64{"Hypot": math.Hypot, "Max": math.Max, "Mod": math.Mod}
	for name := range one {
		fmt.Fprintf(source, "func %s(x float64) float64 { return math.%s(x) }\n", name, name)
	}
	for name := range two {
		fmt.Fprintf(source, "func %s(x, y float64) float64 { return math.%s(x, y) }\n", name, name)
	}
	source.WriteString(`
func NaN(x float64) bool { return math.IsNaN(x) }
func Infinite(x float64) bool { return math.IsInf(x, 0) }
func Most(x float64) bool { return math.IsInf(x, 1) }
func Least(x float64) bool { return math.IsInf(x, -1) }
`)
	for i, x := range oddFloats {
		for name := range one {
			fmt.Fprintf(source, "func %s%d() float64 { return %s(%s) }\n", name, i, name, floatText(x))
		}
		for name := range two {
			fmt.Fprintf(source, "func %s%d() float64 { return %s(%s, 2) }\n", name, i, name, floatText(x))
		}
	}
	p := loaded(t, source.String())
	store := term.NewStore()
	gives := func(name string) *term.Term {
		t.Helper()
		fn := p.Packages[0].SSA.Func(name)
		r := exec.New(p).Explore(t.Context(), store, newSolver(t, store), exec.Entry{Fn: fn}, exec.Config{})
		if len(r.Paths) != 1 || r.Paths[0].Exit != exec.Return || len(r.Paths[0].Marks) > 0 {
			t.Fatalf("%s: %d paths, %v", name, len(r.Paths), r.Defect)
		}
		return r.Paths[0].Results[0].(*term.Term)
	}
	for i, x := range oddFloats {
		for name, f := range one {
			sameFloat(t, name, x, gives(fmt.Sprint(name, i)), f(x))
		}
		for name, f := range two {
			sameFloat(t, name, x, gives(fmt.Sprint(name, i)), f(x, 2))
		}
		given := store.Float(term.Float64, x).Value()
		model := &term.Model{Vars: map[*term.Term]term.Value{store.Var("x", term.Float64): given}}
		for name, want := range map[string]bool{
			"NaN": math.IsNaN(x), "Infinite": math.IsInf(x, 0), "Most": math.IsInf(x, 1), "Least": math.IsInf(x, -1),
		} {
			if got := model.Evaluator().Holds(gives(name)); got != want {
				t.Errorf("%s of %v is %v, want %v", name, x, got, want)
			}
		}
	}
}

// floatText spells a float in Go, also those that no literal is.
func floatText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "math.NaN()"
	case math.IsInf(x, 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, x)))
	case x == 0 && math.Signbit(x):
		return "math.Copysign(0, -1)"
	}
	return fmt.Sprint(x)
}

func sameFloat(t *testing.T, name string, x float64, got *term.Term, want float64) {
	t.Helper()
	if !got.Const() {
		t.Errorf("%s(%v) is %v, want a constant", name, x, got)
		return
	}
	if f := got.Value().Float(); math.Float64bits(f) != math.Float64bits(want) && !(math.IsNaN(f) && math.IsNaN(want)) {
		t.Errorf("%s(%v) is %v, want %v", name, x, f, want)
	}
}
