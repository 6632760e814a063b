package load

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Functions gives the functions of the program whose source was read, instances and wrappers included, in the order of
// their names and places. They are collected once, which takes as long as many an analysis: the program does not change
// any more. Callers may append to the list, but not change it.
func (p *Program) Functions() []*ssa.Function { return p.functions() }

// collect finds the functions that have a body.
func collect(prog *ssa.Program) []*ssa.Function {
	names := map[*ssa.Function]string{} // they are made anew each time they are asked for
	var list []*ssa.Function
	for fn := range ssautil.AllFunctions(prog) {
		if len(fn.Blocks) > 0 {
			list = append(list, fn)
			names[fn] = fn.String()
		}
	}
	slices.SortFunc(list, func(x, y *ssa.Function) int {
		return cmp.Or(strings.Compare(names[x], names[y]), cmp.Compare(x.Pos(), y.Pos()))
	})
	return list
}
