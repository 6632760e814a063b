package target

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file goes back from a check at the end of a test, and from the functions of a Config that judge: invariants and
// the final check. Nothing handles them, so no path of a handler reaches them. What decides them is memory that
// handlers write. So the search begins with the paths that write what the check may look at. Each way to such a path is
// executed to its end, with what judges it. An invariant may also ask which actors there are: so paths that create some
// are among those to begin with.
//
//	assumes: what the check reads has the types of what it names
//	differs: the conditions of the check are not those of a node. So an exhausted search says nothing

// ofStates reports whether the target is a check of executions that no handler makes.
func (e *Engine) ofStates() bool { return e.target.AtEnd || e.target.Check != nil }

// ends gives the nodes with which the search for a check at the end begins.
func (e *Engine) ends() (list []*node) {
	for _, r := range e.telling() {
		list = append(list, e.anybody(&node{}, r, nil, nil)...)
	}
	return list
}

// more gives nodes with one more step that writes what a check at the end may look at.
func (e *Engine) more(n *node) (list []*node) {
	if !e.ofStates() || n.counted() >= e.most {
		return nil
	}
	for _, r := range e.telling() {
		list = append(list, e.anybody(n, r, nil, nil)...)
	}
	return list
}

// telling gives the routes that write what the check may look at.
func (e *Engine) telling() (list []*route) {
	if e.tells != nil {
		return e.tells
	}
	fn := e.target.Check
	if fn == nil {
		fn = e.functionOf(e.target.Goal)
	}
	cells := looksAt(fn)
	runs := e.flow.runs()
	for _, r := range e.lib.routes {
		if runs[r] && r.passes() && (slices.ContainsFunc(r.writes, func(w string) bool { return r.tells(w, cells) }) ||
			e.target.Check != nil && slices.Contains(r.roles, spawn)) {
			list = append(list, r)
		}
	}
	e.tells = list
	return list
}

// tells reports whether what a route writes is one of some kinds of memory.
func (r *route) tells(at string, cells []cell) bool {
	c, _, known := r.cell(at)
	return !known || slices.ContainsFunc(cells, c.meets)
}

// looksAt lists the kinds of memory that a function may look at, with what it calls.
func looksAt(fn *ssa.Function) (cells []cell) {
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				cells = append(cells, cellsOf(in)...)
				for _, v := range in.Operands(nil) { // called, or given to what calls it
					if to, ok := (*v).(*ssa.Function); ok {
						visit(to)
					}
				}
			}
		}
	}
	visit(fn)
	return cells
}

// cellsOf lists the kinds of memory that an instruction names.
func cellsOf(in ssa.Instruction) []cell {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		t := pointed(in.X.Type())
		return []cell{{pointed(in.Type()), t, in.Field}}
	case *ssa.Field:
		return []cell{{in.Type(), in.X.Type(), in.Field}}
	case *ssa.IndexAddr:
		return []cell{{typ: pointed(in.Type())}}
	case *ssa.Lookup:
		if elem, _ := elementOf(in.X.Type()); elem != nil {
			return []cell{{typ: elem}}
		}
	}
	return nil
}
