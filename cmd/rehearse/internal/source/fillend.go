package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// explore explores the orders of tests.
func (f *fillRun) explore(ctx context.Context, s cli.Streams, list []*filling) error {
	if f.orders == 0 || len(list) == 0 {
		return nil
	}
	if len(list) > batch {
		fmt.Fprintf(s.Err, "the orders of %d tests are explored, %v each\n", len(list), f.orders)
	}
	var tests []*reachtest.Test
	for _, c := range list {
		tests = append(tests, c.job.Test)
	}
	run := reachtest.Run{Scratch: f.scratch, Timeout: f.timeout + f.orders, Until: f.deadline.Add(-f.costs.profile)}
	orders, err := reachtest.ExploreAll(ctx, run, tests, f.orders.String())
	if err != nil {
		return err
	}
	for i, o := range orders {
		list[i].answer.Orders = toldOrdersOf(o)
		content, err := tests[i].Source()
		if err != nil {
			return err
		}
		list[i].answer.Test.Source = string(content)
	}
	return nil
}

// end profiles the tests, writes those that add something, and tells.
func (f *fillRun) end(ctx context.Context, s cli.Streams, open []*target.Listed, list []*filling) (int, error) {
	list, left, err := f.together(ctx, open, list)
	if err != nil {
		return 0, err
	}
	list = needed(list, left)
	if err := f.put(list); err != nil {
		return 0, err
	}
	f.count(left, func(p *filledPackage) *int { return &p.After })
	f.report.only(left)
	f.report.Tests = []*targetAnswer{}
	for _, c := range list {
		f.report.Tests = append(f.report.Tests, c.answer)
	}
	f.report.Notes = f.notes
	return f.report.tell(s, f.json, f.preview)
}

// together profiles all tests. Those new ones that fail beside the others are left out, and what they execute is left,
// too.
func (f *fillRun) together(ctx context.Context, open []*target.Listed, list []*filling) (passing []*filling,
	left []*target.Listed, err error) {
	for len(list) > 0 {
		overlay := map[string]string{}
		for i, c := range list {
			at := filepath.Join(f.scratch, fmt.Sprintf("kept%d_test.go", i))
			if err := os.WriteFile(at, []byte(c.answer.Test.Source), 0o666); err != nil {
				return nil, nil, err
			}
			overlay[c.answer.Test.path] = at
		}
		left, err := f.profile(ctx, overlay)
		var fail *testsFail
		if !errors.As(err, &fail) {
			return list, left, err
		}
		passing := slices.DeleteFunc(slices.Clone(list), func(c *filling) bool {
			failed := slices.Contains(fail.names, c.answer.Test.Function)
			if failed {
				f.report.leave(c.of.Listed, verdictUnconfirmed+": the test that was found fails when it runs beside the others")
			}
			return failed
		})
		if len(passing) == len(list) {
			return nil, nil, err
		}
		list = passing
	}
	return nil, open, nil
}

// needed gives those of tests that execute a block which none of the others does, and which is none of those that are
// left. A copy of the driver has copies of the functions that are written inside of it. A test that was found early may
// not be needed any more because of one that executes more.
func needed(list []*filling, left []*target.Listed) []*filling {
	by := map[*ssa.BasicBlock]int{} // how many tests execute it
	for _, c := range list {
		c.reaches = slices.DeleteFunc(c.reaches, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(left, func(t *target.Listed) bool { return t.Block == b })
		})
		slices.SortFunc(c.reaches,
			func(a, b *ssa.BasicBlock) int { return cmp.Or(int(a.Parent().Pos()-b.Parent().Pos()), a.Index-b.Index) })
		c.reaches = slices.Compact(c.reaches)
		for _, b := range c.reaches {
			by[b]++
		}
	}
	return slices.DeleteFunc(list, func(c *filling) bool {
		if slices.ContainsFunc(c.reaches, func(b *ssa.BasicBlock) bool { return by[b] == 1 }) {
			return false
		}
		for _, b := range c.reaches {
			by[b]--
		}
		return true
	})
}

// put writes tests: all of them, or none if one may not be written.
func (f *fillRun) put(list []*filling) error {
	if f.preview || f.json {
		return nil
	}
	for _, c := range list {
		if err := f.mayWrite(c.answer.Test.path); err != nil {
			return err
		}
	}
	for _, c := range list {
		if err := files.WriteBytes(c.answer.Test.path, []byte(c.answer.Test.Source)); err != nil {
			return err
		}
	}
	return nil
}

// count fills a column of the table: how many blocks of each package are executed, where some are not.
func (f *fillRun) count(left []*target.Listed, column func(*filledPackage) *int) {
	for _, p := range f.report.Packages {
		*column(p) = p.Blocks
	}
	for _, t := range left {
		*column(f.packageOf(t))--
	}
}

// packageOf gives the row of a block.
func (f *fillRun) packageOf(t *target.Listed) *filledPackage {
	path := f.shown(filepath.Dir(t.Place.Filename))
	at, ok := slices.BinarySearchFunc(f.report.Packages, path,
		func(p *filledPackage, path string) int { return strings.Compare(p.Package, path) })
	if !ok {
		f.report.Packages = slices.Insert(f.report.Packages, at, &filledPackage{Package: path})
	}
	return f.report.Packages[at]
}
