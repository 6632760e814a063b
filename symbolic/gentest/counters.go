package gentest

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// Counters count which places of a program a test executes that somebody else writes. A test function calls VisitsOf(t)
// first, and what is executed many times calls VisitsAfresh, so that only the last time counts.
type Counters struct{ v *visits }

// The functions that tests call. They are in the package that Count was told.
const (
	VisitsOf     = "rehearseVisitsOf"     // takes the *testing.T
	VisitsAfresh = "rehearseVisitsAfresh" // without arguments
)

// Count has the places of files be counted, tests among them. The functions are for tests of a package, by its name, in
// a folder. All that is written goes to the folder scratch.
func Count(ctx context.Context, p *load.Program, scratch, dir, name string, files map[string]bool) (*Counters, error) {
	v := &visits{fset: p.Fset, files: map[string]int{}, replace: map[string]string{}, tests: true,
		cases: map[caseAt]caseOf{}, out: filepath.Join(scratch, "visits")}
	for _, pkg := range p.Packages {
		if pkg.Module != nil && pkg.Module.Main {
			v.pkg(ctx, scratch, pkg, files)
		}
	}
	v.lay(scratch, "visits_test.go", filepath.Join(dir, "zz_rehearse_visits_test.go"),
		fmt.Sprintf(visitsOfTests+visitsAfresh, name))
	switch {
	case v.why != "":
		return nil, fmt.Errorf("what tests execute cannot be counted: %s", v.why)
	case len(v.files) < len(files):
		return nil, fmt.Errorf("what tests execute cannot be counted: %d of %d files are in no module that is worked on",
			len(files)-len(v.files), len(files))
	}
	return &Counters{v}, nil
}

// Overlay gives files by those that they are laid over, for go test, and a variable of the environment that it needs.
func (c *Counters) Overlay() (replace map[string]string, variable string) {
	return c.v.replace, visitsVariable + "=" + c.v.out
}

// Insertion is a statement that counts, for a copy of a part of a file in another file of its package.
type Insertion struct {
	Line, Column int // of the place in the original from which on it counts
	Text         string
}

// Insertions gives the statements that count in a file. Parts of statements are counted in the original only.
func (c *Counters) Insertions(file string) (list []Insertion) {
	n, ok := c.v.files[file]
	if !ok {
		return nil
	}
	for i, u := range c.v.units[n] {
		if !u.operand {
			list = append(list, Insertion{u.first.line, u.first.column, fmt.Sprintf("rehearseCounts%d.Count[%d]++\n", n, i)})
		}
	}
	return list
}

// Executed reports whether a test that was run has executed a block. A panic that a block ends in counts, too. Some
// blocks have no counter of their own. They were executed if a block was that only they lead to, or as often as the
// block before them was and has not gone the other way. For those that test a case of a type switch, what the switch
// came to may tell.
func (c *Counters) Executed(test string, b *ssa.BasicBlock) (bool, error) {
	all, err := c.v.read()
	if err != nil {
		return false, fmt.Errorf("what %s executes: %w", test, err)
	}
	been, ok := all[test]
	if !ok {
		return false, fmt.Errorf("what %s executes is not known: it did not end", test)
	}
	return c.executed(been, b)
}

func (c *Counters) executed(been map[[2]int]int, b *ssa.BasicBlock) (bool, error) {
	if n, ok := c.times(been, b, 0); ok {
		return n > 0, nil
	}
	if slices.ContainsFunc(b.Dominees(), func(d *ssa.BasicBlock) bool { return c.below(been, d) }) {
		return true, nil
	}
	if n, ok := c.v.tested(been, b); ok {
		return n > 0, nil
	}
	return false, ErrUncounted
}

// ErrUncounted says that a test may have executed a block: no counter tells.
var ErrUncounted = errors.New("whether its block is executed cannot be counted")

// deepest bounds how far other blocks are asked.
const deepest = 50

// times says how often a block was executed, if counters tell.
func (c *Counters) times(been map[[2]int]int, b *ssa.BasicBlock, depth int) (n int, ok bool) {
	if n, ok := c.counter(been, b); ok || depth > deepest {
		return n, ok
	}
	if len(b.Preds) != 1 {
		return 0, false
	}
	before := b.Preds[0]
	n, ok = c.times(been, before, depth+1)
	if !ok || n == 0 || len(before.Succs) == 1 && goesOn(before) {
		return n, ok
	}
	if len(before.Succs) != 2 {
		return 0, false
	}
	other := before.Succs[0]
	if other == b {
		other = before.Succs[1]
	}
	m, ok := c.counter(been, other)
	if !ok || len(other.Preds) != 1 || m > 0 && !goesOn(before) {
		return 0, false
	}
	return n - m, true
}

// goesOn reports whether who comes to a block comes to its end: nothing in it may panic or wait. If a block has come to
// its end once, and not gone one way, it has gone the other one.
func goesOn(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.If, *ssa.Jump, *ssa.Extract, *ssa.Phi, *ssa.DebugRef, *ssa.ChangeType, *ssa.ChangeInterface:
		case *ssa.TypeAssert:
			if !in.CommaOk {
				return false
			}
		case *ssa.Call:
			if row, ok := model.Find(calledMethod(in.Common())); !ok || row.Op != model.Message {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// calledMethod gives the function that a call names, nil if it is one of a value.
func calledMethod(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if to := call.StaticCallee(); to != nil {
		fn, _ := to.Object().(*types.Func)
		return fn
	}
	return nil
}

// below reports whether a block, or one that it dominates, was executed.
func (c *Counters) below(been map[[2]int]int, b *ssa.BasicBlock) bool {
	if n, ok := c.counter(been, b); ok && n > 0 {
		return true
	}
	return slices.ContainsFunc(b.Dominees(), func(d *ssa.BasicBlock) bool { return c.below(been, d) })
}

// counter is what a block's own counter says. One that it shares with a block that decides about it says nothing. The
// right side of && has that of the whole condition, and the head of a case that of the switch.
func (c *Counters) counter(been map[[2]int]int, b *ssa.BasicBlock) (n int, ok bool) {
	if at, ok := c.v.joinAt(b); ok {
		return been[at], true
	}
	for _, pos := range placed(b) {
		at, ok := c.v.unitAt(pos)
		if !ok || c.v.units[at[0]][at[1]].parts && c.shared(b, at) {
			continue
		}
		return been[at], true
	}
	return 0, false
}

// shared reports whether another block of the function, which may be executed without this one, has the same counter.
func (c *Counters) shared(b *ssa.BasicBlock, at [2]int) bool {
	for _, x := range b.Parent().Blocks {
		if b.Dominates(x) {
			continue
		}
		for _, pos := range placed(x) {
			if u, ok := c.v.unitAt(pos); ok && u == at {
				return true
			}
		}
	}
	return false
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
