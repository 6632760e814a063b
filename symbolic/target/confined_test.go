package target

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// TestHooksOfRanDrivers: where a driver was run for real, what start hooks have done before is not known, also of
// hooks that handlers call. Where it was executed symbolically, handlers and the start tell all of them.
func TestHooksOfRanDrivers(t *testing.T) {
	p, err := load.Config{Dir: "testdata/hooks", Patterns: []string{"."}}.Load()
	if err != nil {
		t.Fatal(err)
	}
	driver, lib := &system.Driver{}, &library{}
	e := &Engine{loaded: p, start: &system.Start{Driver: driver}, lib: lib}
	var hooks []*ssa.Function
	for _, fn := range p.Functions() {
		switch {
		case fn.Synthetic != "":
		case fn.Name() == "Receive":
			lib.fns = append(lib.fns, fn)
		case fn.Name() == "Start":
			hooks = append(hooks, fn)
		}
	}
	if len(hooks) != 2 || len(lib.fns) != 2 {
		t.Fatalf("hooks %v, handlers %v: want two of each", hooks, lib.fns)
	}
	for _, fn := range hooks {
		driver.Ran = nil
		c := &confinement{e: e, known: map[*ssa.Function]string{}}
		if why := c.outside(fn); why != "" {
			t.Errorf("%v: %s", fn, why)
		}
		driver.Ran = &startstate.State{}
		c = &confinement{e: e, known: map[*ssa.Function]string{}}
		if why := c.outside(fn); !strings.Contains(why, "run for real") {
			t.Errorf("%v, of a driver that was run for real: %q", fn, why)
		}
	}
}

// TestFunctionsThatCallEachOther: what is said of a function does not depend on what was asked before.
func TestFunctionsThatCallEachOther(t *testing.T) {
	p, err := load.Config{Dir: "testdata/hooks", Patterns: []string{"."}}.Load()
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{loaded: p, start: &system.Start{}, lib: &library{}}
	c := &confinement{e: e, known: map[*ssa.Function]string{}}
	for _, name := range []string{"volley", "Bounce", "Serve"} {
		if why := c.outside(p.Packages[0].SSA.Func(name)); !strings.HasSuffix(why, ".Serve") {
			t.Errorf("%s: %q, want that no handler calls Serve", name, why)
		}
	}
}
