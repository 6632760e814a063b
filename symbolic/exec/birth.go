package exec

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has new native actors run their start hooks, in the middle of what creates them. What such a hook does are
// events among those of its creator. With Config.Hooks they say whose they are; without, what could be told apart from
// the creator's only by who does it cuts the path.

// born runs the start hook of a new actor, if it has one.
func (r *run) born(c *operating, ref *term.Term, behavior Value) {
	if c.row.Framework == model.Hollywood {
		r.mark(Env, "new actors do nothing that others see when they start")
	}
	face, ok := settled(r.force(behavior)).(Face)
	if c.row.Framework != model.Native || !ok || face.Type == nil {
		return
	}
	sel := r.program.methods(face.Type).Lookup(nil, "Start")
	if sel == nil {
		return
	}
	fn := r.program.ssa.MethodValue(sel)
	if fn == nil || fn.Signature.Params().Len() != 1 || fn.Signature.Results().Len() != 0 ||
		!isFrameworkContext(fn.Signature.Params().At(0).Type()) {
		return
	}
	at := len(r.path.Events) - 1
	failed := r.begins(ref, fn, face)
	if !r.config.Hooks {
		if failed != nil {
			r.cut("the start hook of a new actor panics: %s", failed.why)
		}
		return
	}
	ev := &r.path.Events[at]
	ev.Hooked, ev.Flat = true, r.flatten("msg", face.Val)
	ev.Over = failed != nil
	for _, e := range r.path.Events[at:] {
		ev.Over = ev.Over || e.By == ref && e.Op == opNames[model.Stop] && e.To == nil
	}
	if failed != nil {
		r.path.Events = append(r.path.Events, Event{Op: HookPanics, By: ref, Pos: failed.pos})
	}
}

// preStarts runs what a new actor of GoAkt does before anybody knows it, as a part of what its creator does. Where it
// fails there is no actor, which is not followed.
func (r *run) preStarts(c *operating, behavior Value) {
	if c.row.Framework != model.GoAkt {
		return
	}
	face, ok := settled(r.force(behavior)).(Face)
	if !ok || face.Type == nil {
		r.mark(Env, "new actors do nothing that others see before they start")
		return
	}
	sel := r.program.methods(face.Type).Lookup(nil, "PreStart")
	if sel == nil {
		return
	}
	fn := r.program.ssa.MethodValue(sel)
	if fn == nil || len(fn.Blocks) == 0 || fn.Signature.Params().Len() != 1 {
		r.mark(Env, "new actors do nothing that others see before they start")
		return
	}
	if !r.truth(r.faceNil(r.preStart(fn, face))) {
		r.cut("PreStart of a new actor fails")
	}
}

// preStart runs it, without a message. It may panic, from which its creator may recover.
func (r *run) preStart(fn *ssa.Function, face Face) Value {
	message := r.message
	defer func() { r.message = message }()
	r.message = nil
	return r.callFunction(fn, []Value{face.Val, r.contextOf(fn.Signature.Params().At(0).Type())}, nil, nil)
}

// contextOf makes what stands for a framework.
func (r *run) contextOf(t types.Type) *Opaque {
	return &Opaque{Type: t, Name: contextName, ref: r.store.Uint(sortReference, made-1)}
}

// HookPanics is the operation of an event that tells of a panic in a start hook: it ends the new actor alone.
const HookPanics = "panic"

// begins runs a start hook in the place of a handler, and gives the panic with which it ends.
func (r *run) begins(ref *term.Term, fn *ssa.Function, face Face) *thrown {
	acting, message := r.acting, r.message
	r.acting, r.message = ref, nil
	context := &Opaque{Type: fn.Signature.Params().At(0).Type(), Name: contextName,
		ref: r.store.Uint(sortReference, made-1)}
	failed := r.try(r.frame, func() { r.callFunction(fn, []Value{face.Val, context}, nil, nil) })
	r.acting, r.message = acting, message
	return failed
}

// newborn does what a new actor does otherwise than its creator.
func (r *run) newborn(c *operating) (Value, bool) {
	switch c.row.Op {
	case model.Self:
		return r.acting, true
	case model.Sender:
		return r.zero(c.sig.Results().At(0).Type()), true
	case model.Stop:
		if c.arg(c.row.To) != nil || r.config.Hooks {
			return nil, false
		}
	case model.Respond:
		if r.config.Hooks {
			r.throw("Reply while no message is being handled")
		}
	case model.Timer, model.CancelTimer:
		if r.config.Hooks {
			return nil, false
		}
	case model.Call, model.Await, model.AwaitBlocking, model.AwaitCond, model.Receive, model.Become, model.Unbecome:
	default:
		return nil, false
	}
	r.cut("the start hook of a new actor does %s", opNames[c.row.Op])
	return nil, true
}
