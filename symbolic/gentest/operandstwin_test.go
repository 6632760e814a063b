package gentest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestOperandsTwin: counters say of every block of random conditions whether it is executed, as following the blocks
// does.
func TestOperandsTwin(t *testing.T) {
	const functions, inputs = 12, 8
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(5, 5))
	source := "package main\n"
	for i := range functions {
		source += randomCondition(random, i)
	}
	file, v := filepath.Join(dir, "p.go"), &visits{fset: token.NewFileSet(), files: map[string]int{}, replace: map[string]string{}, tests: true, cases: map[caseAt]caseOf{}, out: filepath.Join(dir, "visits")}
	writeFile(t, file, source)
	pkg := countedIn(t, v, file)
	calls := ""
	for i := range functions * inputs {
		calls += fmt.Sprintf("\tclear(counts.Count[:]); f%d(%t, %t, %t); tell(%d)\n", i/inputs, i&1 > 0, i&2 > 0, i&4 > 0, i)
	}
	writeFile(t, filepath.Join(dir, "main.go"), fmt.Sprintf(countedMain, calls))
	cmd := exec.Command("go", "run", "main.go", "counted.go")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	writeFile(t, v.out, string(said))
	all, err := v.read()
	if err != nil {
		t.Fatal(err)
	}
	for i := range functions * inputs {
		fn := pkg.Func(fmt.Sprintf("f%d", i/inputs))
		been := follow(fn, i&1 > 0, i&2 > 0, i&4 > 0)
		for _, b := range fn.Blocks {
			if _, joins := v.joinAt(b); !joins && len(placed(b)) == 0 { // it is no target
				continue
			}
			if got, err := (&Counters{v}).executed(all[fmt.Sprint(i)], b); got != been[b] || err != nil {
				t.Errorf("call %d of %s: block %d (%s) is executed: %v, %v, want %v", i, fn, b.Index, b.Comment, got, err, been[b])
			}
		}
	}
	if t.Failed() {
		t.Log(source)
	}
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// countedMain tells of each call which counters have counted.
const countedMain = `package main

import "fmt"

func tell(test int) {
	fmt.Printf("{\"Test\":\"%%d\",\"Files\":1,\"At\":[", test)
	for i, k := range counts.Count {
		if i > 0 {
			fmt.Print(",")
		}
		fmt.Printf("[0,%%d,%%d]", i, k)
	}
	fmt.Println("]}")
}

func main() {
%s}
`

// countedIn counts in a file, whose counted form is in counted.go, and gives its package.
func countedIn(t *testing.T, v *visits, file string) *ssa.Package {
	t.Helper()
	syntax, err := parser.ParseFile(v.fset, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, info, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, v.fset, types.NewPackage("main", "main"), []*ast.File{syntax}, 0)
	if err != nil {
		t.Fatal(err)
	}
	counted, units, err := counting(t.Context(), file, "counts")
	if err != nil {
		t.Fatal(err)
	}
	v.parted(units, syntax)
	counted, units = v.withOperands(file, counted, "counts", units, info, syntax)
	v.files[file], v.units = 0, [][]unit{units}
	writeFile(t, filepath.Join(filepath.Dir(file), "counted.go"), counted)
	return pkg
}

// randomCondition writes a function whose statements are made of conditions.
func randomCondition(random *rand.Rand, n int) string {
	var cond func(depth int) string
	cond = func(depth int) string {
		if depth == 0 || random.IntN(4) == 0 {
			return []string{"a", "b", "c", "!a", "!b", "!c"}[random.IntN(6)]
		}
		return "(" + cond(depth-1) + []string{" && ", " || "}[random.IntN(2)] + cond(depth-1) + ")"
	}
	body := ""
	for range 1 + random.IntN(3) {
		switch random.IntN(3) {
		case 0:
			body += fmt.Sprintf("\tswitch {\n\tcase %s:\n\t\ta = !b\n\tcase %s, %s:\n\t\tb = c\n\t}\n", cond(2), cond(1), cond(0))
		case 1:
			body += fmt.Sprintf("\tif %s {\n\t\tc = %s\n\t}\n", cond(2), cond(1))
		default:
			body += fmt.Sprintf("\ta = %s\n", cond(2))
		}
	}
	return fmt.Sprintf("\nfunc f%d(a, b, c bool) bool {\n%s\treturn %s\n}\n", n, body, cond(2))
}

// follow gives the blocks that a call executes.
func follow(fn *ssa.Function, args ...bool) map[*ssa.BasicBlock]bool {
	values, been := map[ssa.Value]bool{}, map[*ssa.BasicBlock]bool{}
	for i, p := range fn.Params {
		values[p] = args[i]
	}
	value := func(v ssa.Value) bool {
		if c, ok := v.(*ssa.Const); ok {
			return constant.BoolVal(c.Value)
		}
		return values[v]
	}
	var before *ssa.BasicBlock
	for b := fn.Blocks[0]; b != nil; {
		been[b] = true
		joined, next := map[ssa.Value]bool{}, (*ssa.BasicBlock)(nil)
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok { // all at once
				joined[phi] = value(phi.Edges[slices.Index(b.Preds, before)])
			}
		}
		maps.Copy(values, joined)
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				values[in] = !value(in.X)
			case *ssa.Jump:
				next = b.Succs[0]
			case *ssa.If:
				if next = b.Succs[1]; value(in.Cond) {
					next = b.Succs[0]
				}
			}
		}
		before, b = b, next
	}
	return been
}
