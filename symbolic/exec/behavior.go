package exec

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file models changes of behaviour. Native actors tell the framework, which is an event. In protoactor-go a stack
// of functions in the actor's state is changed, which is a slice; the last one handles messages.

// becomes changes what handles the next messages.
func becomes(r *run, c *operating) Value {
	if !isStack(c.fn) {
		r.event(c, nil, c.arg(c.row.Func))
		return nil
	}
	stack := r.deref(c.args[0])
	s := r.mustSlice(r.load(stack))
	elem := stack.elemType()
	switch c.fn.Name() {
	case "Become":
		r.storeAt(stack, r.newSlice(elem, []Value{c.args[1]}, 1))
	case "BecomeStacked":
		r.storeAt(stack, r.newSlice(elem, append(r.elems(s), c.args[1]), r.decide(s).len+1))
	default:
		if list := r.elems(s); len(list) > 0 {
			r.storeAt(stack, r.newSlice(elem, list[:len(list)-1], len(list)))
		}
	}
	r.event(c, nil, nil)
	return nil
}

// isStack reports whether a method is one of protoactor-go's stack.
func isStack(fn *types.Func) bool {
	sig := fn.Signature().Recv()
	if sig == nil {
		return false
	}
	p, ok := types.Unalias(sig.Type()).(*types.Pointer)
	return ok && isNamed(p.Elem(), model.ProtoactorPath, "Behavior")
}

func isStackMethod(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && isStack(obj)
}

// elemType gives the type of the elements of the slice that a pointer leads to.
func (p Ptr) elemType() types.Type {
	t := p.Obj.typ
	for _, i := range p.Path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			t = u.Field(i).Type()
		case *types.Array:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		}
	}
	return t.Underlying().(*types.Slice).Elem()
}

// noBehaviors is an empty stack.
func noBehaviors(r *run, c *operating) Value {
	return r.newSlice(c.sig.Results().At(0).Type().Underlying().(*types.Slice).Elem(), nil, 0)
}

// behaves has the last function of a stack handle the message. Which it is, is a decision.
func behaves(r *run, c *operating) Value {
	stack := r.deref(c.args[0])
	s := r.mustSlice(r.load(stack))
	if o := s.mem.Obj; o != nil && s.len < 0 && !r.program.piles {
		if in, ok := o.val.(*open); ok {
			r.mark(Closed, "a stack of behaviours has one at most, since the program puts none on another")
			r.assume(r.store.SLess(r.sizeOf(in), r.int(2)))
		}
	}
	list := r.elems(s)
	if len(list) == 0 {
		return nil // protoactor-go logs it
	}
	return r.callValue(list[len(list)-1], c.args[1:]...)
}

// stacks notes the function that an instruction puts on a stack of behaviours.
func (p *Program) stacks(in ssa.Instruction) {
	c, ok := in.(ssa.CallInstruction)
	if !ok || in.Parent().Synthetic != "" {
		return
	}
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || !strings.HasPrefix(callee.Name(), "Become") ||
		!isStackMethod(callee) {
		return
	}
	p.piles = p.piles || callee.Name() == "BecomeStacked"
	v := c.Common().Args[1]
	for {
		change, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = change.X
	}
	if p.stacked == nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Function:
		p.stacked[p.one(v)] = true
	case *ssa.MakeClosure:
		p.stacked[p.one(v.Fn.(*ssa.Function))] = true
	default:
		p.stacked = nil
	}
}

// onStack reports whether a function of the inputs is on a stack of behaviours.
func onStack(at *Place) bool {
	return at.Step == Elem && isNamed(at.Up.Type, model.ProtoactorPath, "Behavior")
}

// Bound gives the method that a function stands for, if it is a method as a value, and not one on a stack of
// behaviours. These are reached by the actor's own method. Else nil.
func (p *Program) Bound(fn *ssa.Function) *ssa.Function {
	if !isBound(fn) || p.stacked[p.one(fn)] {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil
	}
	return p.ssa.FuncValue(obj)
}
