package oneprocess

import (
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/packages"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// What the table says of functions that never return is what package ctrlflow finds in the source of the standard
// library: of all that is exported by the packages that have such functions.
func TestNeverReturns(t *testing.T) {
	sources, err := load.Config{Patterns: []string{"log", "os", "runtime", "syscall", "testing"}, NoTests: true}.Sources(func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	driver := New([]*analysis.Analyzer{ctrlflow.Analyzer})
	var mu sync.Mutex
	var ending []string
	sources.Visit(func(p *packages.Package) {
		if err := driver.Run(p, nil); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for id, obj := range p.TypesInfo.Defs {
			if fn, ok := obj.(*types.Func); ok && id.IsExported() && model.NeverReturns(fn) {
				ending = append(ending, fn.FullName())
			}
		}
	})
	var found []string
	for s := range driver.facts.of {
		fn, ok := s.object.(*types.Func)
		if ok && fn.Exported() && !inside(fn) {
			found = append(found, fn.FullName())
		}
	}
	slices.Sort(ending)
	slices.Sort(found)
	if len(found) < 20 || !slices.Equal(found, ending) {
		t.Errorf("ctrlflow finds\n\t%s\nthe table has\n\t%s", strings.Join(found, " "), strings.Join(ending, " "))
	}
	if name := ctrlflow.Analyzer.FactTypes[0].(interface{ String() string }).String(); name != "noReturn" {
		t.Errorf("the fact of ctrlflow is called %s now", name)
	}
}

// inside reports whether nobody outside of the package can call a function, or is it only a part that panics on this
// platform.
func inside(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.FullName() == "runtime.CPUProfile" // panics since it is out of use
	}
	name := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
	return name != "*Logger" && name != "*common"
}
