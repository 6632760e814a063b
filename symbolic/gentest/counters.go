package gentest

import (
	"context"
	"fmt"
	"path/filepath"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
)

// Counters count which places of a program a test executes that somebody else writes: a test function calls VisitsOf(t) first, and what is executed many times
// calls VisitsAfresh, so that only the last time counts.
type Counters struct{ v *visits }

// The functions that tests call. They are in the package that Count was told.
const (
	VisitsOf     = "rehearseVisitsOf"     // takes the *testing.T
	VisitsAfresh = "rehearseVisitsAfresh" // without arguments
)

// Count has the places of files be counted, tests among them. The functions are for tests of a package, by its name, in a folder. All that is written goes to the
// folder scratch.
func Count(ctx context.Context, p *load.Program, scratch, dir, name string, files map[string]bool) (*Counters, error) {
	v := &visits{fset: p.Fset, files: map[string]int{}, replace: map[string]string{}, tests: true, out: filepath.Join(scratch, "visits")}
	for _, pkg := range p.Packages {
		if pkg.Module != nil && pkg.Module.Main {
			v.pkg(ctx, scratch, pkg, files)
		}
	}
	v.lay(scratch, "visits_test.go", filepath.Join(dir, "zz_rehearse_visits_test.go"), fmt.Sprintf(visitsOfTests+visitsAfresh, name))
	switch {
	case v.why != "":
		return nil, fmt.Errorf("what tests execute cannot be counted: %s", v.why)
	case len(v.files) < len(files):
		return nil, fmt.Errorf("what tests execute cannot be counted: %d of %d files are in no module that is worked on", len(files)-len(v.files), len(files))
	}
	return &Counters{v}, nil
}

// Overlay gives files by those that they are laid over, for go test, and a variable of the environment that it needs.
func (c *Counters) Overlay() (replace map[string]string, variable string) {
	return c.v.replace, visitsVariable + "=" + c.v.out
}

// Executed reports whether a test that was run has executed a block, from its first place that is counted on. A panic that a block ends in counts, too.
func (c *Counters) Executed(test string, b *ssa.BasicBlock) (bool, error) {
	all, err := c.v.read()
	if err != nil {
		return false, fmt.Errorf("what %s executes: %w", test, err)
	}
	been, ok := all[test]
	if !ok {
		return false, fmt.Errorf("what %s executes is not known: it did not end", test)
	}
	for _, pos := range placed(b) {
		if at, ok := c.v.unitAt(pos); ok {
			return been[at], nil
		}
	}
	return false, fmt.Errorf("the block has no place that is counted")
}

// visitsAfresh clears the counters.
const visitsAfresh = `
func rehearseVisitsAfresh() {
	flag.VisitAll(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "rehearse-visits-") {
			clear(f.Value.(flag.Getter).Get().([]uint32))
		}
	})
}
`
