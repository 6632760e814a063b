package cases

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// This file is about start hooks: a native actor may have a method Start, which runs as a part of the step that creates
// it, before any message. So nobody has sent something there, and it must not wait.

// Why start hooks panic. It is a part of the text of the panic.
const (
	HookReplies = "Reply while no message is being handled"
	InHook      = " in a start hook" // behind the name of the method that would wait
)

// startName is the name of the method.
const startName = "Start"

// hooks lists the start hooks of the native actors among handlers.
func (p *Program) hooks(handled []summary.Handler) (list []*Target) {
	seen := map[*ssa.Function]bool{}
	for _, h := range handled {
		fn := p.hookOf(h)
		if fn == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		actor, _ := handlerName(h)
		pos := fn.Pos()
		if fn.Object() != nil { // also of a method that an embedded field brings
			pos = fn.Object().Pos()
		}
		list = append(list, &Target{Kind: StartHook, Name: actor + "." + startName, Actor: actor, Fn: fn, Pos: pos})
	}
	return list
}

// hookOf gives the start hook of the actor that a handler is of, nil if it has none whose source was read.
func (p *Program) hookOf(h summary.Handler) *ssa.Function {
	recv := h.Fn.Signature.Recv()
	if recv == nil || h.Fn.Name() != "Receive" || model.Handles(h.Fn.Signature) != model.Native {
		return nil
	}
	for _, t := range []types.Type{recv.Type(), types.NewPointer(recv.Type())} {
		sel := p.load.SSA.MethodSets.MethodSet(t).Lookup(nil, startName)
		if sel == nil {
			continue
		}
		fn := p.load.SSA.MethodValue(sel)
		if fn != nil && len(fn.Blocks) > 0 && len(fn.Params) == 2 && fn.Signature.Results().Len() == 0 &&
			isContext(fn.Params[1].Type(), model.NativePath) {
			return fn
		}
	}
	return nil
}

// isContext reports whether a type is the context of a framework, by the path of its package.
func isContext(t types.Type, path string) bool {
	n, ok := types.Unalias(pointed(t)).(*types.Named)
	return ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// hook runs a start hook.
type hook struct{ fn *ssa.Function }

// Run implements exec.Driver.
func (h *hook) Run(m *exec.Machine) []exec.Value {
	self := h.fn.Params[0]
	actor := m.There(exec.ParameterName(0, self), self.Type())
	m.Tested(actor)
	m.Call(h.fn, actor, m.Context(h.fn.Params[1].Type()))
	return nil
}

// Operate implements exec.Driver.
func (*hook) Operate(m *exec.Machine, o exec.Operation) (exec.Value, bool) { return inHook(m, o) }

// inHook does what a start hook does not do as handlers do.
func inHook(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	switch {
	case o.Op == model.Sender:
		return m.Zero(o.Sig.Results().At(0).Type()), true
	case o.Op == model.Respond:
		m.Throw(HookReplies)
	case slices.Contains([]model.Op{model.Call, model.Await, model.AwaitBlocking, model.AwaitCond}, o.Op):
		m.Throw(o.Name + InHook)
	}
	return nil, false
}
