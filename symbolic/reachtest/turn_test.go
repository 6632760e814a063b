package reachtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rehearse-go/rehearse/static/load"
)

// A variable that only gives another one a new place is none of the test, where the loop has one turn.
func TestSame(t *testing.T) {
	for src, want := range map[string]bool{"tc := tc": true, "tc := more(tc)": false, "a, b := a, b": false, "tc := other": false} {
		e, err := parser.ParseExpr("func() { " + src + " }")
		if err != nil {
			t.Fatal(err)
		}
		if got := same(e.(*ast.FuncLit).Body.List[0]); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}

// nests are loops around a call that a program makes of what it says in turns: their heads, and whether their turns can
// be counted.
var nests = []struct {
	heads   []string
	counted bool
}{
	{[]string{"for i := range 3"}, true},
	{[]string{"for i := range 2", "for k := range []int{5, 6, 7}"}, true},
	{[]string{"for i := range names", "for k := 1; k < 4; k++"}, true},
	{[]string{"for i := range 2", "for k := range three", "for m := range 2"}, true},
	{[]string{"for i := range 3", "for k := range i + 1"}, false},
	{[]string{"for i := range 2", "for k := range names"}, false},
}

// TestTurnOf: of loops in loops the turn of each is what its variable says when the call is made so often, if its loops
// can be counted.
func TestTurnOf(t *testing.T) {
	for _, c := range nests {
		src, end := "package p\n\nvar names []int\n\nfunc f() {\n\tthree := []string{\"a\", \"b\", \"c\"}\n\t_ = three\n", ""
		for _, head := range c.heads {
			src, end = src+head+" {\n", end+"}\n"
		}
		d := driverOf(t, src+"made("+strings.Join([]string{"i", "k", "m"}[:len(c.heads)], ", ")+")\n"+end+"}\n\nfunc made(...int) {}\n")
		for want := range 6 {
			if d.nth = want; len(c.heads) == 1 && want > 2 {
				break
			}
			var turns []int
			counted := true
			for _, s := range d.turns() {
				n, ok := d.turnOf(s)
				turns, counted = append(turns, n), counted && ok
			}
			if want > 0 && counted != c.counted {
				t.Fatalf("%q: counted %v", c.heads, counted)
			}
			if back := numberOf(turns, inner(c.heads)); counted && back != want {
				t.Errorf("%q: time %d is %v", c.heads, want, turns)
			}
		}
	}
}

// inner gives how many turns loops have that are within another one.
func inner(heads []string) (sizes []int) {
	for _, head := range heads[1:] {
		n := 3
		if head == "for m := range 2" {
			n = 2
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// numberOf counts the calls before the one in such turns.
func numberOf(turns, sizes []int) (n int) {
	for i, turn := range turns {
		if i > 0 {
			n *= sizes[i-1]
		}
		n += turn
	}
	return n
}

// driverOf gives the driver whose call in f is that of made.
func driverOf(t *testing.T, src string) *driver {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{pkg: &load.Package{Package: &packages.Package{Types: pkg, TypesInfo: info, Syntax: []*ast.File{file}}}}
	d.entry = file.Decls[1].(*ast.FuncDecl)
	ast.Inspect(d.entry, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			d.call = call
		}
		return true
	})
	return d
}
