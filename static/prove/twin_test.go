package prove_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/static/prove"
)

// amounts gives how many functions are run, how often, and from which seed.
func amounts(few, many int) (functions, runs int, seed uint64) {
	functions, runs, seed = few, 300, 1
	if n, err := strconv.Atoi(os.Getenv("REHEARSE_TOY")); err == nil && n > 0 {
		functions, runs = many*n, 1000
	}
	if n, err := strconv.ParseUint(os.Getenv("REHEARSE_PROVE_SEED"), 10, 64); err == nil {
		seed = n
	}
	return functions, runs, seed
}

// Random functions are executed on random inputs. No check fails of which it was shown that it cannot. REHEARSE_TOY=n
// takes n times as many functions, with more inputs; REHEARSE_PROVE_SEED others.
func TestAgainstExecution(t *testing.T) {
	functions, runs, seed := amounts(60, 150)
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 2))}
	w.WriteString(shared)
	names := []string{}
	for i := range functions {
		w.function(i)
		names = append(names, fmt.Sprintf("f%d", i))
	}
	failed := execute(t, w.String(), runner, names, runs, seed)
	compare(t, w.String(), failed, checksOf(t, w.String(), nil))
}

// compare holds checks to what has failed.
func compare(t *testing.T, source string, failed map[string]string, checks table) {
	t.Helper()
	shown, left := 0, 0
	for key, c := range checks {
		shown, left = shown+c.shown, left+c.left
		if c.shown > 0 && c.left == 0 && failed[key] != "" {
			t.Errorf("line %s\n%s\nfails with %s, and it was shown that it cannot", key, strings.Split(source, "\n")[c.line-1], failed[key])
		}
	}
	for key, text := range failed {
		if checks[key] == nil {
			var line int
			fmt.Sscan(key, &line)
			t.Errorf("line %s\n%s\nfails with %s, and has no such check", key, strings.Split(source, "\n")[line-1], text)
		}
	}
	t.Logf("%d checks cannot fail, %d were not shown, %d have failed", shown, left, len(failed))
	if shown*10 < left || len(failed)*20 < left {
		t.Errorf("%d checks are shown, %d have failed and %d were not shown: too few for a comparison", shown, len(failed), left)
	}
}

// checks counts the checks of a kind on a line.
type checks struct{ line, shown, left int }

// table has them by line and kind.
type table map[string]*checks

func (found table) count(line int, kind string, shown bool) {
	key := fmt.Sprintf("%d %s", line, kind)
	if found[key] == nil {
		found[key] = &checks{line: line}
	}
	if shown {
		found[key].shown++
	} else {
		found[key].left++
	}
}

// texts are what Go's runtime says of checks.
var texts = []struct{ kind, text string }{
	{"index", "index out of range"}, {"slice", "slice bounds out of range"}, {"nil", "nil pointer"}, {"map", "nil map"}, {"division", "divide by zero"}, {"shift", "negative shift"},
	{"length", "makeslice"}, {"assertion", "interface conversion"},
}

// TestProgramAgainstExecution is the same for what a Program shows: types that random functions make and write.
func TestProgramAgainstExecution(t *testing.T) {
	groups, runs, seed := amounts(40, 120)
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 3))}
	w.WriteString(coins)
	names := []string{}
	for i := range groups {
		w.group(i)
		names = append(names, fmt.Sprintf("run%d", i))
	}
	failed := execute(t, w.String(), caller, names, runs, seed)
	compare(t, w.String(), failed, checksOf(t, w.String(), func(pkg *ssa.Package) func(ssa.Instruction) string {
		var list []*ssa.Function
		for fn := range ssautil.AllFunctions(pkg.Prog) {
			list = append(list, fn)
		}
		for _, name := range names {
			if pkg.Func(name) == nil {
				t.Fatal(name)
			}
		}
		return prove.NewProgram(list, func(p *types.Package) bool { return p == pkg.Pkg }).Never
	}))
}

// execute runs the functions, and gives what has failed, by line and kind.
func execute(t *testing.T, source, main string, names []string, runs int, seed uint64) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module twin\n\ngo 1.25\n", "functions.go": source, "main.go": strings.NewReplacer("SEED", fmt.Sprint(seed), "RUNS", fmt.Sprint(runs)).Replace(main),
		"note.go": noting, "list.go": "package main\n\nvar functions = list{" + strings.Join(names, ", ") + "}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Optimised code has one check for two stores of which only the second one is left, and tells the line of that.
	cmd := exec.CommandContext(t.Context(), "go", "run", "-gcflags=-N -l", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	failed := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\d+) (.*)$`).FindAllStringSubmatch(string(out), -1) {
		kind := ""
		for _, x := range texts {
			if strings.Contains(m[2], x.text) {
				kind = x.kind
				break
			}
		}
		if kind == "" {
			t.Fatalf("no kind of check: %s", m[0])
		}
		failed[m[1]+" "+kind] = m[2]
	}
	return failed
}

// checksOf reads the functions and counts their checks, by line and kind.
func checksOf(t *testing.T, source string, never func(*ssa.Package) func(ssa.Instruction) string) table {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "functions.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := &types.Config{Importer: libraries{}}
	pkg, _, err := ssautil.BuildPackage(config, fset, types.NewPackage("twin", "main"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	shows := prove.Never
	if never != nil {
		shows = never(pkg)
	}
	found := table{}
	for fn := range withMethods(pkg) {
		if fn.Package() != pkg || fn.Syntax() == nil {
			continue
		}
		for _, b := range fn.Blocks {
			at := token.NoPos
			for _, in := range b.Instrs {
				if in.Pos().IsValid() {
					at = in.Pos()
				}
				if kind := kindOf(in); kind != "" {
					found.count(fset.Position(at).Line, kind, shows(in) != "")
				}
			}
		}
	}
	return found
}

// withMethods gives all functions, and the methods that nothing calls: a message may be in an interface that has them.
func withMethods(pkg *ssa.Package) map[*ssa.Function]bool {
	all := ssautil.AllFunctions(pkg.Prog)
	for _, m := range pkg.Members {
		if n, ok := m.Type().(*types.Named); ok && m.Token() == token.TYPE {
			for m := range n.Methods() {
				all[pkg.Prog.FuncValue(m)] = true
			}
		}
	}
	return all
}

// kindOf says which check an instruction makes, "" if none.
func kindOf(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return "nil"
		}
	case *ssa.FieldAddr, *ssa.Store:
		return "nil"
	case *ssa.Call:
		if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
			return "nil"
		}
	case *ssa.IndexAddr, *ssa.Index:
		return "index"
	case *ssa.Slice:
		return "slice"
	case *ssa.MapUpdate:
		return "map"
	case *ssa.MakeSlice:
		return "length"
	case *ssa.TypeAssert:
		if !in.CommaOk {
			return "assertion"
		}
	case *ssa.BinOp:
		switch in.Op {
		case token.QUO, token.REM:
			return "division"
		case token.SHL, token.SHR:
			return "shift"
		}
	}
	return ""
}
