package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Every row is of a function that there is, with the arguments that the row says.
func TestRowsExist(t *testing.T) {
	paths := []string{"slices", "maps", "sort", "sync", "sync/atomic", "context", "errors", "fmt", "reflect", "encoding/json", "encoding/gob", proto,
		"github.com/asynkron/protoactor-go/scheduler", "github.com/asynkron/protoactor-go/eventstream", protoRouter, proto + "/middleware",
		ours + "/actor", ours + "/explore", ours + "/adapter/protoactor"}
	pkgs := slices.Concat(typesOf(t, "../../examples", "", paths...),
		typesOf(t, "../../adapter/protoactor", "-modfile=go.newest.mod", proto),
		typesOf(t, "../../adapter/hollywood", "", hollywood, hollywoodAdapter),
		typesOf(t, "../../adapter/goakt", "", goakt, goaktAdapter))
	found := map[string]*types.Func{}
	add := func(f *types.Func) { found[f.FullName()] = f }
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		for _, name := range p.Types.Scope().Names() {
			switch o := p.Types.Scope().Lookup(name).(type) {
			case *types.Func:
				add(o)
			case *types.TypeName:
				n, ok := o.Type().(*types.Named)
				if !ok {
					continue
				}
				for m := range n.Methods() {
					add(m)
				}
				if i, ok := n.Underlying().(*types.Interface); ok {
					for m := range i.ExplicitMethods() {
						add(m)
					}
				}
			}
		}
	}
	missing := 0
	for name, row := range rows {
		f := found[name]
		if f == nil {
			if !elsewhere(found, name, row) {
				t.Errorf("a row for %s, which does not exist", name)
			}
			missing++
			continue
		}
		if d, ok := Library(f); ok && row == (Row{Op: d.Row}) {
			t.Errorf("the row for %s says what the table of libraries says", name)
		}
		args := f.Signature().Params().Len()
		if f.Signature().Recv() != nil {
			args++
		}
		if most := max(row.To, row.Msg, row.From, row.Props, row.Func, row.Name, row.Limit); most >= args && most > 0 {
			t.Errorf("the row for %s speaks of argument %d of %d", name, most, args)
		}
	}
	if missing > len(rows)*2/3 {
		t.Errorf("%d of %d rows are of no function", missing, len(rows))
	}
}

// typesOf loads packages as a module has them, with another file for its module if a flag says so.
func typesOf(t *testing.T, dir, flag string, paths ...string) []*packages.Package {
	t.Helper()
	c := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}
	if flag != "" {
		c.BuildFlags, c.Env = []string{flag}, append(os.Environ(), "GOWORK=off")
	}
	pkgs, err := packages.Load(c, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// What the struct of futures can do in versions of 2024, the interface can in those since.
func TestFuturesOfEachVersion(t *testing.T) {
	n := 0
	for name, row := range rows {
		if method, ok := strings.CutPrefix(name, "(*"+proto+".Future)."); ok {
			n++
			if rows["("+proto+".Future)."+method] != row {
				t.Errorf("%s of the interface is another", method)
			}
		}
	}
	if n != 4 {
		t.Errorf("%d methods, want 4", n)
	}
}

// elsewhere reports whether a row is of a method that another of protoactor's contexts has: they share one list of
// methods.
func elsewhere(found map[string]*types.Func, name string, row Row) bool {
	method := name[strings.LastIndexByte(name, '.'):]
	if name == "("+proto+".Future)"+method { // an interface in versions since 2025, which have the methods of the struct
		return found["(*"+proto+".Future)"+method] != nil
	}
	for other := range found {
		if row.Framework == Protoactor && strings.HasSuffix(other, ")"+method) && (strings.Contains(other, "Part)") || strings.Contains(other, "RootContext)")) {
			return true
		}
	}
	return false
}

func TestTypeName(t *testing.T) {
	const source = `package p

type T struct{}
type G[X any] struct{}
type companyT struct{}

var (
	a T
	b *T
	c **T
	d []T
	e map[string]*T
	f struct{}
	g G[T]
	h *G[int]
	i int
	j *int
	k []any
	l interface{}
	m struct{ X companyT }
	n func(any) byte
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("a.org/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// What fmt.Sprintf("%T") prints for such values, without the star before a name.
	for name, want := range map[string]string{"a": "p.T", "b": "p.T", "c": "**p.T", "d": "[]p.T", "e": "map[string]*p.T", "f": "struct {}", "g": "p.G[a.org/p.T]",
		"h": "p.G[int]", "i": "int", "j": "int", "k": "[]interface {}", "l": "interface {}", "m": "struct { X p.companyT }", "n": "func(interface {}) uint8"} {
		if got := TypeName(pkg.Scope().Lookup(name).Type()); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	fmtPkg, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import("errors")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Op{"New": Pure, "As": Unknown} {
		row, ok := Find(fmtPkg.Scope().Lookup(name).(*types.Func))
		if !ok || row.Op != want {
			t.Errorf("errors.%s: %v, %t", name, row, ok)
		}
	}
	if _, ok := Find(types.NewFunc(token.NoPos, types.NewPackage("a.org/unheard", "unheard"), "F", types.NewSignatureType(nil, nil, nil, nil, nil, false))); ok {
		t.Error("a row for a function that nobody knows")
	}
}
