package exec

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has new native actors run their start hooks, in the middle of what creates them. What such a hook does are events among those of its creator, so what
// could be told apart from the creator's only by who does it cuts the path.

// born runs the start hook of a new actor, if it has one.
func (r *run) born(c *operating, ref *term.Term, behavior Value) {
	face, ok := settled(r.force(behavior)).(Face)
	if c.row.Framework != model.Native || !ok || face.Type == nil {
		return
	}
	sel := r.program.methods(face.Type).Lookup(nil, "Start")
	if sel == nil {
		return
	}
	fn := r.program.ssa.MethodValue(sel)
	if fn == nil || fn.Signature.Params().Len() != 1 || fn.Signature.Results().Len() != 0 || !isFrameworkContext(fn.Signature.Params().At(0).Type()) {
		return
	}
	r.begins(ref, fn, face)
}

// begins runs a start hook in the place of a handler. A panic ends the new actor alone, and is not followed.
func (r *run) begins(ref *term.Term, fn *ssa.Function, face Face) {
	acting, message := r.acting, r.message
	r.acting, r.message = ref, nil
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *thrown:
			r.cut("the start hook of a new actor panics: %s", v.why)
		default:
			panic(v)
		}
	}()
	context := &Opaque{Type: fn.Signature.Params().At(0).Type(), Name: contextName, ref: r.store.Uint(sortReference, made-1)}
	r.callFunction(fn, []Value{face.Val, context}, nil, nil)
	r.acting, r.message = acting, message
}

// newborn does what a new actor does otherwise than its creator.
func (r *run) newborn(c *operating) (Value, bool) {
	switch c.row.Op {
	case model.Self:
		return r.acting, true
	case model.Sender:
		return r.zero(c.sig.Results().At(0).Type()), true
	case model.Stop:
		if c.arg(c.row.To) != nil {
			return nil, false
		}
	case model.Respond, model.Call, model.Await, model.AwaitBlocking, model.AwaitCond, model.Become, model.Unbecome, model.Timer, model.CancelTimer:
	default:
		return nil, false
	}
	r.cut("the start hook of a new actor does %s", opNames[c.row.Op])
	return nil, true
}
