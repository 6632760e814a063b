package gentest

import (
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestSwitchesTwin: counters say of every block of random type switches whether it is executed, as following the blocks
// does.
func TestSwitchesTwin(t *testing.T) {
	const functions = 12
	values := []string{"1", `"a"`, "true", "2.5", "nil", "[]int{1}"}
	dynamic := []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Bool],
		types.Typ[types.Float64], nil, types.NewSlice(types.Typ[types.Int])}
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(7, 7))
	source, calls := "package main\n\nfunc is(any) {}\n", ""
	for i := range functions {
		source += randomSwitch(random, i)
		for k, v := range values {
			calls += fmt.Sprintf("\tclear(counts.Count[:]); f%d(%s); tell(%d)\n", i, v, i*len(values)+k)
		}
	}
	file := filepath.Join(dir, "p.go")
	v := &visits{fset: token.NewFileSet(), files: map[string]int{}, replace: map[string]string{}, tests: true,
		cases: map[caseAt]caseOf{}, out: filepath.Join(dir, "visits")}
	writeFile(t, file, source)
	pkg := countedIn(t, v, file)
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
	tests := 0
	for i := range functions * len(values) {
		fn := pkg.Func(fmt.Sprintf("f%d", i/len(values)))
		been := followTypes(fn, dynamic[i%len(values)])
		for _, b := range fn.Blocks {
			if len(placed(b)) == 0 { // it is no target
				continue
			}
			tests++
			if got, err := (&Counters{v}).executed(all[fmt.Sprint(i)], b); got != been[b] || err != nil {
				t.Errorf("call %d of %s: block %d (%s) is executed: %v, %v, want %v", i, fn, b.Index, b.Comment, got, err,
					been[b])
			}
		}
	}
	if t.Failed() || tests < 300 {
		t.Errorf("%d blocks were asked in\n%s", tests, source)
	}
}

// TestSwitchInACopy: where no counter of a switch has counted, it may have been executed in a copy.
func TestSwitchInACopy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.go")
	v := &visits{fset: token.NewFileSet(), files: map[string]int{}, replace: map[string]string{}, tests: true,
		cases: map[caseAt]caseOf{}, out: filepath.Join(dir, "visits")}
	writeFile(t, file, "package main\n\nfunc f(x any) {\n\tswitch x.(type) {\n\tcase int, bool:\n\t}\n}\n")
	fn := countedIn(t, v, file).Func("f")
	for _, b := range fn.Blocks {
		if n, ok := v.tested(map[[2]int]int{}, b); ok {
			t.Errorf("block %d is executed %d times, by counters that have counted nothing", b.Index, n)
		}
	}
}

// TestAlignedWithElse: braces around what follows an else are no part of the source.
func TestAlignedWithElse(t *testing.T) {
	src := "if a {\n} else if b {\n} else {\n}}\n"
	counted := "if a {n.Count[0]++;\n} else{ n.Count[1]++;if b {n.Count[2]++;\n} else{ n.Count[3]++;{\n}}}}\n"
	end := strings.LastIndex(src, "}")
	if _, ok := aligned(src, counted, "n.Count[", map[int]int{end: 2}); !ok {
		t.Error("they are not aligned")
	}
	if _, ok := aligned(src, counted, "n.Count[", nil); ok {
		t.Error("braces that nobody knows of are taken for the source's")
	}
}

// randomSwitch writes a function whose statements are type switches.
func randomSwitch(random *rand.Rand, n int) string {
	body := ""
	for range 1 + random.IntN(2) {
		all := []string{"int", "string", "bool", "float64", "nil", "[]int"}
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		head, use := "x.(type)", "is(0)"
		if random.IntN(2) == 0 {
			head, use = "y := x.(type)", "is(y)"
		}
		body += "\tswitch " + head + " {\n"
		for len(all) > 1 {
			k := 1 + random.IntN(len(all)-1)
			body += "\tcase " + strings.Join(all[:k], ", ") + ":\n"
			if random.IntN(3) > 0 || strings.Contains(head, "y") {
				body += "\t\t" + use + "\n"
			}
			all = all[k:]
		}
		if random.IntN(2) == 0 {
			body += "\tdefault:\n\t\tis(1)\n"
		}
		body += "\t}\n"
	}
	return fmt.Sprintf("\nfunc f%d(x any) {\n\tif x == 3 {\n\t\tis(3)\n\t} else {\n\t\tis(4)\n\t}\n%s}\n", n, body)
}

// followTypes gives the blocks that a call with a value of a type executes, nil for nil. The value is not 3.
func followTypes(fn *ssa.Function, dynamic types.Type) map[*ssa.BasicBlock]bool {
	been := map[*ssa.BasicBlock]bool{}
	holds := func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Extract:
			return dynamic != nil && types.Identical(v.Tuple.(*ssa.TypeAssert).AssertedType, dynamic)
		case *ssa.BinOp:
			c, ok := v.Y.(*ssa.Const)
			return ok && c.IsNil() && dynamic == nil
		}
		return false
	}
	for b := fn.Blocks[0]; b != nil; {
		been[b] = true
		switch in := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Jump:
			b = b.Succs[0]
		case *ssa.If:
			if holds(in.Cond) {
				b = b.Succs[0]
			} else {
				b = b.Succs[1]
			}
		default:
			b = nil
		}
	}
	return been
}
