package tap

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// IfTrue is the condition of a branch, from the side that is taken if it holds.
//
// Differs: the condition is added when the branch is reached from below, not when its end is; it is the same condition.
type IfTrue struct{}

func (IfTrue) Name() string { return "If-True" }

func (r IfTrue) transitions(e *Engine, c *configuration, i int) []transition {
	return e.branch(r, c, i, 0)
}

// IfFalse is the condition of a branch, from the other side.
type IfFalse struct{}

func (IfFalse) Name() string { return "If-False" }

func (r IfFalse) transitions(e *Engine, c *configuration, i int) []transition {
	return e.branch(r, c, i, 1)
}

// branch goes from a block to the branches that lead to it on one side.
func (e *Engine) branch(r Rule, c *configuration, i, side int) (list []transition) {
	a := c.actors[i]
	if !a.atStart() {
		return nil
	}
	for k, p := range a.at.block.Preds {
		in, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || p.Succs[side] != a.at.block || p.Succs[0] == p.Succs[1] && side != repeated(a.at.block, k) {
			continue
		}
		cond := e.operand(a.at.frame, in.Cond)("", term.Bool)
		if cond != nil && side == 1 {
			cond = e.store.Not(cond)
		}
		list = append(list, e.up(r, c, i, k, func(d *configuration) { d.require(e.decided(in.Cond), cond) })...)
	}
	return list
}

// repeated tells which of two edges from one block to another is predecessor k.
func repeated(b *ssa.BasicBlock, k int) (n int) {
	for j := range k {
		if b.Preds[j] == b.Preds[k] {
			n++
		}
	}
	return n
}

// decided says what is not modelled of a value that a branch depends on.
func (e *Engine) decided(v ssa.Value) string {
	if in, ok := v.(ssa.Instruction); ok {
		return e.reason(in)
	}
	return v.String()
}

// up goes to the end of predecessor k, if the run has not been there too often.
func (e *Engine) up(r Rule, c *configuration, i, k int, do func(*configuration)) []transition {
	from := c.actors[i]
	b := from.at.block
	p := b.Preds[k]
	if from.visit.count(from.at.frame, p) > e.config.Loops {
		e.cut("loops")
		return nil
	}
	return []transition{{rule: r, actor: from.id, to: p, apply: func() *configuration {
		d, a := c.with(i)
		f := a.at.frame
		a.at = &point{f, p, len(p.Instrs) - 1, 0}
		a.visit = &visits{f, p, a.visit}
		e.merge(d, f, b, k)
		do(d)
		return d
	}}}
}

// merge substitutes the phis of a block by what they are on the way from predecessor k, all at once.
func (e *Engine) merge(d *configuration, f *frame, b *ssa.BasicBlock, k int) {
	all := map[string]value{}
	ch := &change{what: "phi"}
	for _, in := range b.Instrs {
		if phi, ok := in.(*ssa.Phi); ok {
			ch.keys = append(ch.keys, f.register(phi))
			all[f.register(phi)] = e.operand(f, phi.Edges[k])
		}
	}
	if len(all) == 0 {
		return
	}
	ch.vars = func(t *term.Term) *term.Term {
		base, part := split(t.Name)
		return all[base](part, t.Sort)
	}
	e.change(d, "a value that depends on the way", ch)
}
