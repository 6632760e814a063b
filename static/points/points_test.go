package points_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// noActors is for programs without any.
type noActors struct{}

func (noActors) Operate(c *points.Call, _ model.Row)     { panic("no actors here: " + c.Callee.FullName()) }
func (noActors) Apply(c *points.Call, _ points.Loc)      { panic("no actors here") }
func (noActors) Variable(*ssa.Global) (points.Set, bool) { return nil, false }

// The program calls sink(name, pointer) with what it wants to know; the pointers lead to variables of named types.
const prelude = `package m

type A struct{ next *B; in any; flag bool }
type B struct{ next *A; f func() *B }
type I interface{ M() any }

func (a *A) M() any { return a.next }
func (b *B) M() any { return b.next }

func sink(name string, x any) {}
`

// program loads a package.
func program(t *testing.T, body string) *load.Program {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	source := prelude + body
	if i := strings.Index(body, "import "); i == 0 {
		line, rest, _ := strings.Cut(body, "\n")
		source = strings.Replace(prelude, "package m\n", "package m\n"+line+"\n", 1) + rest
	}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25.0\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// leads gives the types of what sink is called with, by name.
func leads(t *testing.T, precision points.Precision, body string) map[string]string {
	t.Helper()
	p := program(t, body)
	s := points.New(p, precision, noActors{})
	s.Enter(p.Packages[0].SSA.Func("run"), points.Context{}, nil)
	s.Run()
	out := map[string][]string{}
	for _, f := range s.Functions() {
		for _, b := range f.Fn.Blocks {
			if !f.Reached(b) {
				continue
			}
			for _, in := range b.Instrs {
				call, ok := in.(*ssa.Call)
				if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().Name() != "sink" {
					continue
				}
				name := f.Name(call.Call.Args[0])
				for _, l := range s.Value(f, call.Call.Args[1]) {
					out[name] = append(out[name], kind(s, l))
				}
			}
		}
	}
	if !s.Settled() {
		t.Errorf("something was not looked at again")
	}
	joined := map[string]string{}
	for name, kinds := range out {
		slices.Sort(kinds)
		joined[name] = strings.Join(slices.Compact(kinds), " ")
	}
	return joined
}

// kind names what a place is: the type of a value in an interface, and the memory that it leads to.
func kind(s *points.Solver, l points.Loc) string {
	switch o := s.Object(l); o.Kind {
	case points.Box:
		var to []string
		for _, m := range s.Unboxed(nil, l) {
			if t := s.Object(m).Type; t != nil {
				to = append(to, model.TypeName(t))
			} else {
				to = append(to, kind(s, m))
			}
		}
		slices.Sort(to)
		return model.TypeName(o.Type) + "(" + strings.Join(slices.Compact(to), ",") + ")"
	case points.Nothing:
		return "nil"
	case points.Unknown:
		return "unknown"
	case points.Opaque:
		return "opaque"
	}
	return "other"
}

func TestLeads(t *testing.T) {
	all := points.Precision{Casts: true, Constants: true, Branches: func(*ssa.Function) bool { return true }}
	for name, c := range map[string]struct{ body, want string }{
		"field":              {`func run() { a := &A{next: &B{}}; sink("x", a.next) }`, "m.B(m.B)"},
		"fields apart":       {`func run() { a := &A{next: &B{}, in: 1}; sink("x", a.in) }`, "int() nil"},
		"struct copied":      {`func run() { a := A{next: &B{}}; b := a; c := &b; sink("x", c.next) }`, "m.B(m.B)"},
		"nested struct":      {`type N struct{ a A }; func run() { var n N; n.a = A{next: &B{}}; m := n; sink("x", m.a.next) }`, "m.B(m.B)"},
		"interface":          {`func run() { var i I = &A{next: &B{}}; sink("x", i.M()) }`, "m.B(m.B)"},
		"receivers apart":    {`func run() { a, b := I(&A{in: 1}), I(&B{}); _ = b; sink("x", a.M()) }`, "m.B()"},
		"assertion":          {`func run() { var i any = &A{}; if b, ok := i.(*B); ok { sink("x", b) } else { sink("x", i) } }`, "m.A(m.A)"},
		"closure":            {`func run() { b := &B{}; f := func() *B { return b }; sink("x", f()) }`, "m.B(m.B)"},
		"function in field":  {`func run() { b := &B{}; b.f = func() *B { return b }; sink("x", b.f()) }`, "m.B(m.B)"},
		"method value":       {`func run() { f := (&A{next: &B{}}).M; sink("x", f()) }`, "m.B(m.B)"},
		"slice":              {`func run() { s := append([]any{1}, &A{}); sink("x", s[0]) }`, "int() m.A(m.A) nil"},
		"slice of structs":   {`func run() { s := []A{}; s = append(s, A{next: &B{}}); sink("x", s[0].next) }`, "m.B(m.B)"},
		"map":                {`func run() { m := map[string]*A{"k": {}}; for _, v := range m { sink("x", v) } }`, "m.A(m.A)"},
		"map of structs":     {`func run() { m := map[int]A{1: {next: &B{}}}; sink("x", m[1].next) }`, "m.B(m.B)"},
		"channel":            {`func run() { c := make(chan *A, 1); c <- &A{}; sink("x", <-c) }`, "m.A(m.A)"},
		"global":             {`var g *A; func run() { g = &A{}; sink("x", g) }`, "m.A(m.A)"},
		"generic":            {`func id[T any](x T) T { return x }; func run() { sink("x", id(&A{})) }`, "m.A(m.A)"},
		"helpers apart":      {`func id(x any) any { return x }; func run() { id(&B{}); sink("x", id(&A{})) }`, "m.A(m.A)"},
		"recursion":          {`func last(a *A, n int) *A { if n == 0 { return a }; return last(a, n-1) }; func run() { sink("x", last(&A{}, 5)) }`, "m.A(m.A)"},
		"defer":              {`func run() { a := &A{}; defer func() { sink("x", a) }() }`, "m.A(m.A)"},
		"go":                 {`func run() { go func(a *A) { sink("x", a) }(&A{}) }`, "m.A(m.A)"},
		"range over func":    {`func seq(y func(*A) bool) { y(&A{}) }; func run() { for a := range seq { sink("x", a) } }`, "m.A(m.A)"},
		"constant condition": {`func run() { c := A{flag: true}; if c.flag { sink("x", &A{}) } else { sink("x", &B{}) } }`, "m.A(m.A)"},
		"zero condition":     {`func run() { c := A{}; if c.flag { sink("x", &A{}) } else { sink("x", &B{}) } }`, "m.B(m.B)"},
		"changing condition": {`func run() { c := &A{}; for range 2 { if c.flag { sink("x", &A{}) }; c.flag = true } }`, "m.A(m.A)"},
		"early condition":    {`func get(c *A) bool { return c.flag }; func run() { c := &A{}; if !get(c) { sink("x", &A{}) }; c.flag = true }`, "m.A(m.A)"},
		"zero again":         {`func run() { c := A{flag: true}; c = A{}; if !c.flag { sink("x", &A{}) } }`, "m.A(m.A)"},
		"zero argument":      {`func f(c A) { if !c.flag { sink("x", &A{}) } }; func run() { for _, g := range []func(A){f} { for i := range 2 { if i == 0 { g(A{flag: true}) } else { g(A{}) } } } }`, "m.A(m.A)"},
		"failed assertion":   {`func run() { var x any = 1; if x == nil { x = A{flag: true} }; a, _ := x.(A); if !a.flag { sink("x", &A{}) } }`, "m.A(m.A)"},
		"condition of a map": {`func run() { m := map[int]bool{1: true}; if !m[2] { sink("x", &A{}) } }`, "m.A(m.A)"},
		"sorted":             {"import \"slices\"\nfunc run() { s := slices.SortedFunc(slices.Values([]*A{{}}), func(a, b *A) int { sink(\"y\", a); return 0 }); sink(\"x\", s[0]) }", "m.A(m.A)"},
		"keys":               {"import \"maps\"\nfunc run() { for k := range maps.Keys(map[*A]*B{{}: {}}) { sink(\"x\", k) } }", "m.A(m.A)"},
		"once":               {"import \"sync\"\nfunc run() { var o sync.Once; o.Do(func() { sink(\"x\", &A{}) }) }", "m.A(m.A)"},
		"atomic":             {"import \"sync/atomic\"\nfunc run() { var p atomic.Pointer[A]; p.Store(&A{}); sink(\"x\", p.Load()) }", "m.A(m.A,nil)"},
		"unknown":            {"import \"encoding/json\"\nfunc run() { var x any; json.Unmarshal(nil, &x); sink(\"x\", x) }", "nil unknown"},
		"library":            {"import \"errors\"\nfunc run() { sink(\"x\", errors.New(\"\")) }", "opaque"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := leads(t, all, c.body)["x"]; got != c.want {
				t.Errorf("%s\nleads to %q, want %q", c.body, got, c.want)
			}
		})
	}
}
