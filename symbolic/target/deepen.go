package target

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file searches backward a second time, with summaries that have more turns of loops and longer slices. It does
// so where no path comes to the target, and a path was cut by the bounds on these. A quicksort of which a branch
// takes four numbers is such a case.
//
//	differs: [TAP18] has no summaries. Its loops turn as long as there is time
//	cost:    the handlers of a start are summarised once more, for the first such target

// The bounds of the second search.
const (
	deepLoops    = 5
	deepElements = 5
)

// deepen searches once more, if that promises something. Only a way that it finds changes the answer.
func (e *Engine) deepen(ctx context.Context) {
	if e.answer.Verdict != GaveUp || e.config.Exec.Loops > 0 || e.config.Exec.Elements > 0 || !e.cutShort() {
		return
	}
	first, solver, c := e.answer, e.solver, e.config
	deep := c
	deep.Exec.Loops, deep.Exec.Elements = deepLoops, deepElements
	deep.Follow.Loops, deep.Follow.Elements = max(c.Follow.Loops, deepLoops+1), max(c.Follow.Elements, deepElements+1)
	e.begins(e.start, e.target, deep)
	back, stop := context.WithTimeout(ctx, c.Timeout/4)
	defer stop()
	e.prepare(back)
	e.search(back)
	second := e.answer
	second.Counts.Queries = e.solver.Stats().Checks
	e.solver.Close()
	e.answer, e.solver, e.config = first, solver, c
	e.answer.Counts.add(second.Counts)
	if second.Verdict == Found {
		e.finds(second.Way)
	}
}

// add adds what another search has done.
func (c *Counts) add(o Counts) {
	c.Nodes += o.Nodes
	c.Queries += o.Queries
	c.Seen += o.Seen
	c.Followed += o.Followed
	c.Refused += o.Refused
}

// cutShort reports whether no path of a handler comes to the target, and a path was cut by a bound that the second
// search widens. The path is of a handler that comes into the target's function.
func (e *Engine) cutShort() bool {
	fn, short := e.functionOf(e.target.Goal), false
	if fn == nil || e.ofStates() {
		return false
	}
	for _, f := range e.lib.fns {
		for _, h := range e.lib.handlers[f] {
			if slices.ContainsFunc(h.routes, func(r *route) bool { return r.reaches(e.target) }) {
				return false
			}
			cut := slices.ContainsFunc(slices.Collect(maps.Keys(h.sum.Cuts)), exec.Widens)
			short = short || cut && h.enters(fn)
		}
	}
	return short
}

// enters reports whether some path of a handler comes into a function.
func (h *handler) enters(fn *ssa.Function) bool {
	return h.fn == fn || slices.ContainsFunc(h.routes, func(r *route) bool {
		return slices.ContainsFunc(r.path.Blocks, func(b *ssa.BasicBlock) bool { return b.Parent() == fn })
	})
}
