package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Accepting is that an actor which chooses its messages has accepted the one that it handles: what it is asked by gives
// true, with what it holds then.
//
// Differs: the paper's actors take every message. The function is executed like one that the handler calls first. What
// was refused before costs nothing, as in the mailbox. A target may be in that function itself: then the last message
// only has to come as far as the mailbox.
type Accepting struct{}

func (Accepting) Name() string { return "Accepting" }

func (r Accepting) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if !a.atEntry() || !a.handling() || !e.chooses(a) {
		return nil
	}
	for _, b := range exits(a.behaves.Accepts) {
		list = append(list, transition{rule: r, actor: a.id, to: b, apply: func() *configuration {
			d, a := c.with(i)
			e.takes(d, a, b)
			return d
		}})
	}
	return list
}

// chooses reports whether what an actor handles has still to be accepted.
func (e *Engine) chooses(a *actor) bool { return a.behaves.Accepts != nil && !a.accepted && !a.asked() }

// takes goes to the end of the function that accepts, which has given true.
func (e *Engine) takes(d *configuration, a *actor, b *ssa.BasicBlock) {
	handler := a.at.frame
	result := handler.id + ".accepted"
	d.require("whether a message is accepted", e.variable(result)("", term.Bool))
	f := &frame{id: d.fresh("f"), fn: b.Parent(), caller: handler, ret: a.at, result: result, depth: 1}
	f.args = []value{e.variable(parameter(handler, 0)), e.variable(parameter(handler, len(handler.fn.Params)-1))}
	a.at, a.accepted = &point{f, b, len(b.Instrs), 0}, true
	a.visit = &visits{f, b, a.visit}
}

// accepting gives the method by which native actors of a type accept messages, nil if it has none.
func (p *Program) accepting(t types.Type, handler *ssa.Function) *ssa.Function {
	if model.Handles(handler.Signature) != model.Native {
		return nil
	}
	sel := p.load.SSA.MethodSets.MethodSet(t).Lookup(nil, "Accepts")
	if sel == nil {
		return nil
	}
	fn := p.load.SSA.MethodValue(sel)
	if fn == nil || len(fn.Blocks) == 0 || len(fn.Params) != 2 || fn.Signature.Results().Len() != 1 {
		return nil
	}
	return fn
}
