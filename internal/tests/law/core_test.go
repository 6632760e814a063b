package law

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// core lists the packages that make no hidden choice: what they do depends on their arguments alone.
var core = []string{"trace", "explore", "internal/delivery", "internal/sample", "internal/search", "internal/replay",
	"internal/causal", "internal/dpor", "internal/reverse", "internal/bitset",
	"internal/baseline", "internal/order", "internal/cover",
	"internal/stateful", "internal/strategies", "internal/check", "internal/reach",
	"internal/explain", "symbolic/term", "symbolic/solve/internal/circuit"}

// forbidden maps "package.Name", or "package." for all of it, to what to do instead.
var forbidden = map[string]string{
	"time.Now":      "time is virtual: take it from the trace; budgets in time go through explore.Options.Stop",
	"time.Since":    "time is virtual: take it from the trace; budgets in time go through explore.Options.Stop",
	"time.After":    "time is virtual",
	"time.Sleep":    "time is virtual",
	"math/rand.":    "derive it from the seed with trace.ID.With",
	"math/rand/v2.": "derive it from the seed with trace.ID.With",
	"crypto/rand.":  "derive it from the seed with trace.ID.With",
	"fmt.Print":     "return a value; the caller prints",
	"fmt.Printf":    "return a value; the caller prints",
	"fmt.Println":   "return a value; the caller prints",
	"os.":           "the core is free of I/O: the caller reads and writes",
	"log.":          "return a value; the caller prints",
}

// coreBreaches lists what a core file does that it must not.
func coreBreaches(f *file) []string {
	names := map[string]string{} // of packages in this file
	var bad []string
	for _, spec := range f.ast.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := p[strings.LastIndexByte(p, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
		if instead, ok := forbidden[p+"."]; ok {
			bad = append(bad, fmt.Sprintf("%s: import of %s in the core: %s", f.at(spec), p, instead))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			bad = append(bad, f.at(n)+": go statement in the core: it is single-goroutine and deterministic")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && names[x.Name] != "" {
				what := names[x.Name] + "." + n.Sel.Name
				if instead, ok := forbidden[what]; ok {
					bad = append(bad, fmt.Sprintf("%s: %s in the core: %s", f.at(n), what, instead))
				}
			}
		}
		return true
	})
	return bad
}

func TestCoreMakesNoHiddenChoice(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range tree(t) {
		if f.test || !slices.Contains(core, f.pkg) {
			continue
		}
		seen[f.pkg] = true
		for _, b := range coreBreaches(f) {
			t.Error(b)
		}
	}
	for _, pkg := range core {
		if !seen[pkg] {
			t.Errorf("core package %s has no code: was it renamed?", pkg)
		}
	}
}

func TestCoreFindsBreaches(t *testing.T) {
	for body, want := range map[string]string{
		`import "time"; var _ = time.Now()`:              "time.Now in the core",
		`import t "time"; var f = t.Now`:                 "time.Now in the core",
		`import "time"; var _ time.Duration`:             "",
		`import "math/rand/v2"; var _ = rand.Int`:        "import of math/rand/v2 in the core",
		`import "fmt"; func f() { fmt.Println() }`:       "fmt.Println in the core",
		`import "fmt"; var _ = fmt.Sprint`:               "",
		`func f() { go f() }`:                            "go statement in the core",
		`import "os"; var _ = os.Args`:                   "import of os in the core",
		`var fmt struct{ Print int }; var _ = fmt.Print`: "",
	} {
		bad := coreBreaches(mustParse(t, "trace/x.go", "package p; "+body))
		if want == "" && len(bad) > 0 || want != "" && !strings.Contains(strings.Join(bad, "\n"), want) {
			t.Errorf("%s: %q, want %q", body, bad, want)
		}
	}
}
