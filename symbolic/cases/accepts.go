package cases

import (
	"context"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file keeps to messages that an actor takes: a native actor may have a method Accepts, and what that refuses
// waits in the mailbox. So a case has the condition that the method gives true, which is found by executing it
// symbolically, in the state and with the message of the handler.

// acceptance gives the condition that the actor of a handler takes its message; nil if it takes all, or if that is not
// known for sure within the bounds.
func (p *Program) acceptance(ctx context.Context, t *Target, c Config) *noted {
	if t.Kind != NativeHandler || t.Handler.Message == nil || t.Fn.Signature.Recv() == nil {
		return nil
	}
	solver := p.solver.Scope()
	defer solver.Close()
	entry := exec.Entry{Fn: t.Fn, Handler: true, Message: t.Handler.Message}
	entry.Driver = func() exec.Driver { return &asking{target: t} }
	found := p.Exec().Explore(ctx, p.store, solver, entry, c.exec())
	if !found.Complete() {
		return nil
	}
	n := &noted{}
	var one []*term.Term
	for _, path := range found.Paths {
		switch {
		case len(path.Marks) > 0, path.Exit == exec.Refused: // it depends on what is not known, or there is no such method
			return nil
		case path.Exit != exec.Return:
			continue // where it panics the message is not taken
		}
		conds := []*term.Term{path.Results[0].(*term.Term)}
		for _, cond := range path.PC {
			if !cond.Given {
				conds = append(conds, cond.Term)
			}
		}
		one = append(one, p.store.And(conds...))
		n.inputs = append(n.inputs, path.Inputs...)
	}
	n.cond = p.store.Or(one...)
	return n
}

// accept adds the condition to a case.
func (c *Case) accept(n *noted) {
	if n != nil {
		c.Accepted = append(c.Accepted, n.cond)
		c.needs(n.inputs...)
	}
}

// asking calls Accepts of the actor of a handler.
type asking struct{ target *Target }

// Run implements exec.Driver.
func (a *asking) Run(m *exec.Machine) []exec.Value {
	recv := a.target.Fn.Params[0]
	accepts := acceptsOf(m, recv.Type())
	if accepts == nil {
		m.End("all messages are taken")
	}
	self, msg := m.There(exec.ParameterName(0, recv), recv.Type()), a.target.Handler.Message
	return []exec.Value{m.Held(m.Call(accepts, self, exec.Face{Type: msg, Val: m.There("msg", msg)}))}
}

// acceptsOf gives the method Accepts of a type, nil if it has none.
func acceptsOf(m *exec.Machine, t types.Type) *ssa.Function {
	fn := m.Method(t, nil, "Accepts")
	if fn == nil || len(fn.Params) != 2 || fn.Signature.Results().Len() != 1 || !types.Identical(fn.Params[0].Type(), t) {
		return nil
	}
	return fn
}

// Operate implements exec.Driver: the method does nothing to actors.
func (*asking) Operate(*exec.Machine, exec.Operation) (exec.Value, bool) { return nil, false }
