package vet

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// This file: odd but valid Go. Whatever compiles is analyzed without a panic, in work that does not explode, and twice
// with the same findings and the same facts, byte by byte. driver is a small one of its own, as those of x/tools take a
// second to load anything.

// source is the source of one package.
type source struct{ path, text string }

// driver type-checks packages and runs all analyzers on them, in the order given, with facts that go through their
// encoding.
type driver struct {
	t     *testing.T
	fset  *token.FileSet
	std   types.Importer
	pkgs  map[string]*types.Package
	facts map[factKey][]byte
	found []string
}

type factKey struct {
	obj types.Object
	pkg *types.Package
	typ reflect.Type
}

// stdlib is read from source once; programs use little of it.
var stdlib = importer.Default()

func newDriver(t *testing.T) *driver {
	d := &driver{t: t, fset: token.NewFileSet(), std: stdlib, pkgs: map[string]*types.Package{}, facts: map[factKey][]byte{}}
	d.run(source{frame.Proto + "/actor", read(t, "testdata/stubs/protoactor.go")})
	d.run(source{frame.Native + "/actor", read(t, "testdata/stubs/native.go")})
	return d
}

// Import finds a package that was run, or one of the standard library.
func (d *driver) Import(path string) (*types.Package, error) {
	if p := d.pkgs[path]; p != nil {
		return p, nil
	}
	return d.std.Import(path)
}

func (d *driver) run(src source) {
	d.t.Helper()
	file, err := parser.ParseFile(d.fset, src.path+".go", src.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		d.t.Fatalf("%v\n%s", err, src.text)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: d, GoVersion: "go1.25"}
	pkg, err := conf.Check(src.path, d.fset, []*ast.File{file}, info)
	if err != nil {
		d.t.Fatalf("%v\n%s", err, src.text)
	}
	d.pkgs[src.path] = pkg
	results := map[*analysis.Analyzer]any{}
	for _, a := range Analyzers() {
		d.analyze(a, pkg, file, info, results)
	}
}

func (d *driver) analyze(a *analysis.Analyzer, pkg *types.Package, file *ast.File, info *types.Info, results map[*analysis.Analyzer]any) {
	if _, done := results[a]; done {
		return
	}
	for _, r := range a.Requires {
		d.analyze(r, pkg, file, info, results)
	}
	pass := &analysis.Pass{
		Analyzer: a, Fset: d.fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"), ResultOf: results,
		Report: func(x analysis.Diagnostic) {
			d.found = append(d.found, fmt.Sprint(d.fset.Position(x.Pos), " ", x.Message))
		},
		ExportObjectFact:  func(o types.Object, f analysis.Fact) { d.export(factKey{o, o.Pkg(), reflect.TypeOf(f)}, f) },
		ExportPackageFact: func(f analysis.Fact) { d.export(factKey{nil, pkg, reflect.TypeOf(f)}, f) },
		ImportObjectFact:  func(o types.Object, f analysis.Fact) bool { return d.fact(factKey{o, o.Pkg(), reflect.TypeOf(f)}, f) },
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool { return d.fact(factKey{nil, p, reflect.TypeOf(f)}, f) },
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
		Module:            &analysis.Module{Path: "odd"},
	}
	result, err := a.Run(pass)
	if err != nil {
		d.t.Fatal(a.Name, err)
	}
	results[a] = result
}

func (d *driver) export(k factKey, f analysis.Fact) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		d.t.Fatal(err)
	}
	d.facts[k] = buf.Bytes()
}

func (d *driver) fact(k factKey, f analysis.Fact) bool {
	data, ok := d.facts[k]
	if ok {
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(f); err != nil {
			d.t.Fatal(err)
		}
	}
	return ok
}

// told is all that was found and all facts, comparable between runs.
func (d *driver) told() string {
	var lines []string
	for k, data := range d.facts {
		name := k.pkg.Path()
		if k.obj != nil {
			name = k.obj.String()
		}
		lines = append(lines, fmt.Sprintf("%s %s %x", name, k.typ, data))
	}
	slices.Sort(lines)
	return strings.Join(append(lines, d.found...), "\n")
}

// most is what analyzing a few packages allocates at most, in bytes: the measure of work that is the same on a machine
// that is busy.
const most = 1 << 29

// analyzed runs packages twice and compares.
func analyzed(t *testing.T, srcs ...source) *driver {
	t.Helper()
	var runs [2]*driver
	for i := range runs {
		runs[i] = newDriver(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, s := range srcs {
			runs[i].run(s)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("allocates %d MB, want at most %d", n>>20, most>>20)
		}
	}
	if a, b := runs[0].told(), runs[1].told(); a != b {
		t.Errorf("two runs differ:\n%s\n\n%s", a, b)
	}
	return runs[0]
}

// Programs made of statements that go/ssa and the analysis of memory treat in a special way, in functions that call
// each other in circles, also through values and interfaces of packages below.
func TestRandomPrograms(t *testing.T) {
	found := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 5))
		var srcs []source
		for i := range 1 + r.IntN(3) {
			srcs = append(srcs, oddPackage(r, i))
		}
		d := analyzed(t, srcs...)
		if found += len(d.found); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if found < 15 {
		t.Errorf("only %d findings: the programs do nothing of interest", found)
	}
}

// oddPackage makes package number i, which may use those before it.
func oddPackage(r *rand.Rand, i int) source {
	var b strings.Builder
	fmt.Fprintf(&b, "package p%d\n\nimport (\n\t\"github.com/asynkron/protoactor-go/actor\"\n", i)
	for j := range i {
		fmt.Fprintf(&b, "\t\"odd/p%d\"\n", j)
	}
	b.WriteString(")\n\n")
	for j := range i {
		fmt.Fprintf(&b, "var _ = p%d.F0\n", j)
	}
	node := "p0.Node"
	if i == 0 {
		node = "Node"
		b.WriteString(oddTypes)
	}
	b.WriteString(strings.ReplaceAll(oddActor, "NODE", node))
	funcs := 2 + r.IntN(4)
	for f := range funcs {
		fmt.Fprintf(&b, "func F%d(n *%s, s []*%[2]s, m map[string]*%[2]s, f func(*%[2]s) *%[2]s, x any, ctx actor.Context) (*%[2]s, []*%[2]s) {\n", f, node)
		for l := range 2 + r.IntN(7) {
			text := oddStatements[r.IntN(len(oddStatements))]
			callee := fmt.Sprintf("F%d", r.IntN(funcs))
			if i > 0 && r.IntN(2) == 0 {
				callee = fmt.Sprintf("p%d.F%d", r.IntN(i), r.IntN(2))
			}
			text = strings.NewReplacer("NODE", node, "CALL", callee, "LABEL", fmt.Sprintf("L%d", l)).Replace(text)
			b.WriteString("\t{\n\t" + text + "\n\t}\n")
		}
		b.WriteString("\treturn n, s\n}\n\n")
	}
	return source{fmt.Sprintf("odd/p%d", i), b.String()}
}

const oddTypes = `
type Node struct {
	Next *Node
	Kids []*Node
	By   map[string]*Node
	Do   func(*Node) *Node
	Any  any
	Pair [2]*Node
	Box  *Box[*Node]
	Inner
}

type Inner struct{ *Deep }

type Deep struct{ Up *Node }

type Box[T any] struct{ Val T; More *Box[T] }

type Tree[K comparable, V any] struct{ Left, Right *Tree[K, V]; Of map[K]V }

func (b *Box[T]) Set(v T) *Box[T] { b.Val = v; return b.More.Set(v) }

func Map[S ~[]E, E any](s S, f func(E) E) S { for i := range s { s[i] = f(s[i]) }; return append(s, s...) }

func Seq(n *Node) func(func(*Node) bool) { return func(yield func(*Node) bool) { for ; n != nil; n = n.Next { if !yield(n) { return } } } }

type Doer interface { Act(*Node) *Node; comparable2 }

type comparable2 interface{ Same(Doer) bool }

func (n *Node) Act(o *Node) *Node { n.Next = o; if o != nil { return o.Act(n) }; return n }

func (n *Node) Same(d Doer) bool { return d.Act(n) == n }

func (d *Deep) Rise() *Node { return d.Up.Rise() }
`

const oddActor = `
type Worker struct{ *NODE; list []*NODE; f func(*NODE) *NODE }

func (w *Worker) Receive(ctx actor.Context) {
	n, s := F0(w.Node, w.list, w.By, w.f, ctx.Message(), ctx)
	switch msg := ctx.Message().(type) {
	case *NODE:
		w.Next, msg.Next = msg, n
		w.f = msg.Act
		F1(msg, s, msg.By, w.Act, msg, ctx)
	case []*NODE:
		w.list = append(w.list[:0], msg...)
	case func(*NODE) *NODE:
		w.f = msg
	case interface{ Act(*NODE) *NODE }:
		w.Any = msg.Act(n)
	}
}

var Last *NODE

func Spawn(root *actor.RootContext, n *NODE) {
	for range 2 {
		root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &Worker{n, nil, func(o *NODE) *NODE { n.Next = o; return n } } }))
	}
}
`

var oddStatements = []string{
	"n.Next = n",
	"n.Kids = append(n.Kids, s...); s = s[:0:len(s)]",
	"n, s = CALL(n.Next, n.Kids, n.By, n.Do, n.Any, ctx)",
	"CALL(n, s, m, func(o *NODE) *NODE { o.Next = n; n = o; return f(o) }, f, ctx)",
	"f = n.Act; n.Do = (*NODE).Rise; _ = f",
	"var g func(*NODE) *NODE; g = func(o *NODE) *NODE { if o == nil { return g(n) }; return g(o.Next) }; n.Do = g",
	"goto LABEL; LABEL: n = n.Next",
	"LABEL: for i := range s { for range m { if s[i] == n { continue LABEL }; break LABEL } }",
	"for o := range func(yield func(*NODE) bool) { for o := n; o != nil && yield(o); o = o.Next { } } { o.Next = n; if o == nil { break }; defer f(o) }",
	"switch v := x.(type) { case *NODE: n = v; case func() *NODE: n = v(); case []any: x = v[0]; case error, nil: x = v }",
	"ctx.Send(ctx.Sender(), n); n.Next = nil",
	"ctx.Respond(s); if len(s) > 0 { s[0] = n }",
	"ctx.Send(ctx.Self(), func() { n.Any = x })",
	"go func() { m[\"a\"] = n; defer func() { x = recover() }() }()",
	"type local struct { *NODE; rest map[*NODE][]func() }; l := local{n, nil}; l.rest[n] = append(l.rest[n], func() { l.Next = n }); x = l",
	"n.Pair = [2]*NODE{n, n.Next}; p := &n.Pair; q := p[:]; s = append(q, q...); *p = [2]*NODE{}",
	"x = struct{ a, b any }{x, &x}",
	"a := any(&x); x = a; _ = a.(*any)",
	"for i, o := range s { defer func() { s[i] = o; Last = o }() }",
	"n.Box.Val, n.Box.More = n, n.Box; n.Box.Set(n)",
	"if y, ok := x.(interface{ Rise() *NODE }); ok { n = y.Rise() }",
	"select { default: n = Last }",
	"n.Deep.Up.Deep.Up = n; n.Up = n.Inner.Up",
	"c := make(chan *NODE, 1); c <- n; n = <-c",
	"h := func(gs ...func(*NODE) *NODE) *NODE { for _, g := range gs { n = g(n) }; return n }; h(f, n.Act, n.Do, f)",
	"n = (*struct{ p *NODE })(&struct{ p *NODE }{n}).p",
	"clear(m); delete(m, \"b\"); copy(s, n.Kids); x = min(len(s), cap(s))",
	"var arr [3][2]map[string][]*NODE; arr[1][0] = map[string][]*NODE{\"k\": s}; s = arr[len(s)%3][0][\"k\"]",
}
