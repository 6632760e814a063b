package load

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Functions gives the functions of the program whose source was read, instances and wrappers included, in the order of their names and places.
func (p *Program) Functions() []*ssa.Function {
	names := map[*ssa.Function]string{} // they are made anew each time they are asked for
	var list []*ssa.Function
	for fn := range ssautil.AllFunctions(p.SSA) {
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
