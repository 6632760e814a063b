package tap

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// DeferredCall is the call of a deferred function, where its caller returns: first, backwards, of the one that was
// deferred first.
//
// Differs: the paper has no deferred calls. Only those are modelled that every way to the return defers, once; that a
// function recovers from a panic is not.
type DeferredCall struct{}

func (DeferredCall) Name() string { return "Deferred Call" }

func (r DeferredCall) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	in, ok := a.previous().(*ssa.RunDefers)
	if !ok {
		return nil
	}
	calls, why := e.program.deferred(in)
	if why != nil {
		return statement(r, c, i, func(d *configuration, _ *actor) { d.unmodelled(e.reason(why)) })
	}
	if a.at.deferred == len(calls) {
		return statement(r, c, i, func(*configuration, *actor) {})
	}
	call := calls[a.at.deferred]
	for _, callee := range e.program.calleesOf(&call.Call) {
		if e.program.recovers(callee.fn) {
			e.note("a function that recovers from panics" + e.where(call))
		}
		for _, b := range exits(callee.fn) {
			list = append(list, transition{rule: r, actor: a.id, to: b, apply: func() *configuration {
				d, a := c.with(i)
				a.at = &point{a.at.frame, a.at.block, a.at.index, a.at.deferred + 1}
				e.call(d, a, call, callee, b)
				return d
			}})
		}
	}
	return list
}

// deferred lists the calls that are executed where a function returns, the one that was deferred first before the
// others. It gives one that is not modelled if there is any.
func (p *Program) deferred(at *ssa.RunDefers) (list []*ssa.Defer, why *ssa.Defer) {
	for _, b := range at.Parent().DomPreorder() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Defer)
			if !ok || b != at.Block() && !leads(b, at.Block()) {
				continue
			}
			fn, _ := calledFunc(&call.Call)
			row, known := model.Find(fn)
			switch callees := p.calleesOf(&call.Call); {
			case known && row.Op.Acts(), fn == nil && len(callees) == 0, !b.Dominates(at.Block()), leads(b, b):
				return nil, call
			case len(callees) > 0:
				list = append(list, call)
			}
		}
	}
	return list, nil
}

// returning lists the places behind a deferred call, backwards: one for each return of its function.
func (p *Program) returning(f *frame, call *ssa.Defer) (list []*point) {
	for _, b := range call.Parent().Blocks {
		for i, in := range b.Instrs {
			if at, ok := in.(*ssa.RunDefers); ok {
				calls, _ := p.deferred(at)
				if k := slices.Index(calls, call); k >= 0 {
					list = append(list, &point{f, b, i + 1, k + 1})
				}
			}
		}
	}
	return list
}

// leads reports whether there is a way from the end of a block to another one.
func leads(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return seen[to]
}

// recovers reports whether a function, or what it calls, recovers from panics.
func (p *Program) recovers(fn *ssa.Function) bool {
	for f := range p.reach(fn) {
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return isBuiltin(in, "recover") }) {
				return true
			}
		}
	}
	return false
}

// isBuiltin reports whether an instruction calls a builtin function.
func isBuiltin(in ssa.Instruction, name string) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}
