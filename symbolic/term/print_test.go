package term_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/random"
	. "github.com/rehearse-go/rehearse/symbolic/term"
)

func TestPrint(t *testing.T) {
	s := NewStore()
	v := func(name string) *Term { return s.Var(name, Word64) }
	n := func(i int64) *Term { return s.Int(Word64, i) }
	amount, balance := v("msg.Amount"), v("s.balance")
	for want, got := range map[string]*Term{
		"msg.Amount > 0 && msg.Amount + s.balance < 10": s.And(s.SLess(n(0), amount), s.SLess(s.Add(balance, amount), n(10))),
		"len(s.nodes) < 4":               s.SAtMost(v("s.nodes!len"), n(3)),
		"s.next == nil":                  s.Equal(s.Var("s.next!ref", Word16), s.Int(Word16, 0)),
		"s.next != nil":                  s.Not(s.Equal(s.Var("s.next!ref", Word16), s.Int(Word16, 0))),
		"has(s.m[msg.Key])":              s.Var("s.m[msg.Key]!has", Bool),
		`sym("no name")`:                 v("no name"),
		"uint(a) < uint(b)":              s.ULess(v("a"), v("b")),
		"uint(a) / uint(b) + 1":          s.Add(s.UDiv(v("a"), v("b")), n(1)),
		"3 * a - b - 7":                  s.Sub(s.Sub(s.Scale(3, v("a")), v("b")), n(7)),
		"-a":                             s.Neg(v("a")),
		"^a":                             s.Complement(v("a")),
		"a &^ b":                         s.AndNot(v("a"), v("b")),
		"int(int8(a))":                   s.SExtend(Word64, s.Truncate(Word8, v("a"))),
		"int(uint8(a))":                  s.ZExtend(Word64, s.Truncate(Word8, v("a"))),
		"a << uint(b)":                   s.Shl(v("a"), v("b")),
		"8 * a":                          s.Shl(v("a"), n(3)),
		`other == "id-" + name`:          s.Equal(s.Concat(s.Text("id-"), s.Var("name", String)), s.Var("other", String)),
		`name == ""`:                     s.SLess(s.Len(s.Var("name", String)), n(1)),
		"a == fmt.Sprint(a, true)":       s.Equal(v("a"), s.Apply("fmt.Sprint", Word64, v("a"), s.Bool(true))),
		"ite(a == 1, b, int8(5))":        s.If(s.Equal(v("a"), n(1)), s.Var("b", Word8), s.Int(Word8, 5)),
		"f + 0.5 < 2.0":                  s.FLess(s.FAdd(s.Var("f", Float64), s.Float(Float64, 0.5)), s.Float(Float64, 2)),
		"!(f <= g)":                      s.Not(s.FAtMost(s.Var("f", Float64), s.Var("g", Float64))),
		"same(f, math.NaN())":            s.Equal(s.Var("f", Float64), s.Float(Float64, nan())),
		"a == 1 || b == 2":               s.Or(s.Equal(v("a"), n(1)), s.Equal(v("b"), n(2))),
		"(a == 1 || b == 2) && c == 3":   s.And(s.Or(s.Equal(v("a"), n(1)), s.Equal(v("b"), n(2))), s.Equal(v("c"), n(3))),
		"msg.Data.(bank.Pay).Amount > 0": s.SLess(n(0), v("msg.Data.(bank.Pay).Amount")),
	} {
		if got.String() != want {
			t.Errorf("%s: want %s", got, want)
		}
	}
	unsigned := Printer{Unsigned: func(name string) bool { return name == "u" || name == "w" }}
	for want, got := range map[string]*Term{
		"u < w":                     s.ULess(v("u"), v("w")),
		"int(u) < 5":                s.SLess(v("u"), n(5)),
		"u == 18446744073709551615": s.Equal(v("u"), n(-1)),
	} {
		if unsigned.Print(got) != want {
			t.Errorf("%s: want %s", unsigned.Print(got), want)
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// names gives the names of a term's variables and functions.
func names(t *Term) Names {
	vars, funcs := map[string]Type{}, map[string]Type{}
	Walk(func(t *Term) {
		switch t.Op {
		case OpVar:
			vars[t.Name] = Type{Sort: t.Sort, Unsigned: isUnsigned(t.Name)}
		case OpApply:
			funcs[t.Name] = Type{Sort: t.Sort}
		}
	}, t)
	return Names{Var: in(vars), Func: in(funcs)}
}

func in(m map[string]Type) func(string) (Type, bool) {
	return func(name string) (Type, bool) { t, ok := m[name]; return t, ok }
}

// isUnsigned takes variables whose name begins with b for unsigned.
func isUnsigned(name string) bool { return strings.HasPrefix(name, "b_word") }

// Parsing what was printed gives the same term.
func TestPrintParse(t *testing.T) {
	for seed := range rounds(t, 20000) {
		g := random.New(uint64(seed), 7, NewStore())
		g.Floats = seed%3 == 0
		want := g.Term(g.Sort(), 1+seed%5)
		text := Printer{Unsigned: isUnsigned}.Print(want)
		got, _, err := Parse(g.Store, text, names(want))
		if err != nil || got != want {
			t.Fatalf("seed %d: %s\nis parsed as %v, %v", seed, text, got, err)
		}
	}
}

// Go's type checker accepts what is printed.
func TestPrintedIsGo(t *testing.T) {
	var source strings.Builder
	source.WriteString("package p\n\nimport \"math\"\n\nvar _ = math.Pi\n\nfunc ite[T any](c bool, a, b T) T { return a }\n\nfunc same[T any](a, b T) bool { return true }\n")
	for _, sort := range []Sort{Bool, Word8, Word16, Word32, Word64, Float32, Float64, String} {
		for _, letter := range "abc" {
			name := fmt.Sprintf("%c_%v", letter, sort)
			typ := strings.NewReplacer("word64", "int", "word", "int").Replace(sort.String())
			if isUnsigned(name) {
				typ = "u" + typ
			}
			fmt.Fprintf(&source, "var %s %s\n", name, typ)
		}
	}
	for seed := range 2000 {
		g := random.New(uint64(seed), 8, NewStore())
		g.Floats, g.Funcs = seed%3 == 0, nil
		x := g.Term(g.Sort(), 1+seed%5)
		constant := x.Const()
		Walk(func(t *Term) { constant = constant || (t.Op == OpFToS || t.Op == OpFToU) && t.Args[0].Const() }, x)
		if !constant { // a constant out of the range of its type is no Go
			fmt.Fprintf(&source, "var _ = %s\n", Printer{Unsigned: isUnsigned}.Print(x))
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "printed.go", source.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(source.String(), "\n")
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(err error) {
		if e := err.(types.Error); !strings.Contains(e.Msg, "division by zero") {
			t.Errorf("%v\n%s", err, lines[fset.Position(e.Pos).Line-1])
		}
	}}
	config.Check("p", fset, []*ast.File{file}, nil)
}
