package exec

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// callee is what is called.
type callee struct {
	fn      *ssa.Function
	free    []Value
	builtin string
	method  *types.Func // of an interface, if that is all that is known
	special Func        // a function of a framework or library
	outside *Place      // the interface or function, if it is none of the program's
	null    bool
}

// calls executes a call.
func (r *run) calls(f *frame, in *ssa.Call) Value {
	to, args := r.resolveCall(f, in.Common())
	return r.invokeCallee(in.Common(), to, args, nil)
}

// resolveCall decides who is called, and evaluates the arguments. The receiver of a method is the first.
func (r *run) resolveCall(f *frame, c *ssa.CallCommon) (callee, []Value) {
	if c.IsInvoke() {
		recv := r.value(f, c.Value)
		args := r.values(f, c.Args)
		return r.resolveMethod(recv, c.Method, args)
	}
	args := r.values(f, c.Args)
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return callee{builtin: b.Name()}, args
	}
	return r.resolveFunc(r.value(f, c.Value), args)
}

func (r *run) values(f *frame, vs []ssa.Value) []Value {
	list := make([]Value, len(vs))
	for i, v := range vs {
		list[i] = r.value(f, v)
	}
	return list
}

// resolveFunc decides which function a function value is.
func (r *run) resolveFunc(v Value, args []Value) (callee, []Value) {
	if input, ok := settled(r.force(v)).(*InputFunc); ok && r.freeFunc(input) {
		return callee{method: callOf(input.at), outside: input.at}, args
	}
	fn := r.function(v)
	return callee{fn: fn.Fn, free: fn.Free, special: fn, null: fn.null()}, args
}

// function decides which function a function value is.
func (r *run) function(v Value) Func {
	switch v := settled(r.force(v)).(type) {
	case Func:
		return v
	case *InputFunc:
		return r.inputFunc(v)
	default:
		panic(fmt.Sprintf("exec: call of a %T", v))
	}
}

// inputFunc decides a function of the inputs among those of the program whose address is taken and that capture
// nothing.
func (r *run) inputFunc(v *InputFunc) Func {
	fit := r.fitting(v.at)
	r.mark(Closed, "%s is one of the program's %d functions of its type", v.at.Name, len(fit))
	null := r.isZero(v.ref)
	outcomes := []*term.Term{null}
	rest := []*term.Term{r.store.Not(null)}
	for _, fn := range fit[:min(len(fit), r.config.Candidates)] {
		is := r.store.Equal(v.ref, r.store.Uint(sortReference, uint64(r.program.functionNumber(fn))))
		outcomes, rest = append(outcomes, is), append(rest, r.store.Not(is))
	}
	if len(fit) > r.config.Candidates {
		outcomes = append(outcomes, r.store.And(rest...))
	} else {
		r.assume(r.store.Or(outcomes...))
	}
	i := r.fork(outcomes...)
	if i > r.config.Candidates {
		r.cut("more than %d functions of %s", r.config.Candidates, v.at.Name)
	}
	v.res = &Func{}
	if i > 0 {
		v.res.Fn = fit[i-1]
		if r.bound(fit[i-1]) {
			v.res.Free = r.path.Args[:1]
		} else {
			for k := range fit[i-1].FreeVars { // they are a part of what holds the function
				v.res.Free = append(v.res.Free, r.there(v.at.captured(fit[i-1], k)))
			}
		}
	}
	return *v.res
}

// fitting lists the functions that a function value of a type may be. In the state of an actor there are no methods of
// other actors.
func (r *run) fitting(at *Place) (fit []*ssa.Function) {
	for _, fn := range r.program.functions(at.Type, packageOf(r.entry.Fn)) {
		if r.program.stacked != nil && onStack(at) && !r.program.stacked[fn] {
			continue
		}
		if r.entry.Handler && isBound(fn) && !r.bound(fn) && r.program.handles(fn.FreeVars[0].Type()) {
			continue
		}
		fit = append(fit, fn)
	}
	return r.reachingFuncs(fit)
}

// bound reports whether a function is a method of the actor, as a value.
func (r *run) bound(fn *ssa.Function) bool {
	recv := r.entry.Fn.Signature.Recv()
	return r.entry.Handler && isBound(fn) && recv != nil && types.Identical(fn.FreeVars[0].Type(), recv.Type())
}

// isBound reports whether a function is a method as a value.
func isBound(fn *ssa.Function) bool {
	return len(fn.FreeVars) == 1 && strings.HasSuffix(fn.Name(), "$bound")
}

// resolveMethod decides which method of an interface's value is called.
func (r *run) resolveMethod(recv Value, method *types.Func, args []Value) (callee, []Value) {
	found := r.program.find(method)
	row, told := found.row, found.told
	if told && row.Op.Acts() || isContext(recv) {
		return callee{method: method}, append([]Value{recv}, args...)
	}
	face, ok := settled(recv).(Face)
	if !ok {
		if told && row.Op == model.Pure {
			if r.truth(r.faceNil(recv)) {
				r.throw(nilDereference)
			}
			return callee{method: method}, append([]Value{recv}, args...)
		}
		input, ok := settled(recv).(*InputFace)
		if !ok {
			return callee{method: method}, append([]Value{recv}, args...)
		}
		static := input.at.Type.Underlying().(*types.Interface)
		if len(r.implementing(input, static)) == 0 && r.free(input) {
			return callee{method: method, outside: input.at}, args
		}
		face = r.known(input, static, true)
	}
	if face.Type == nil {
		r.throw(nilDereference)
	}
	args = append([]Value{r.force(face.Val)}, args...)
	if r.program.made(face.Type) {
		return callee{method: method}, args
	}
	if sel := r.program.methods(face.Type).Lookup(method.Pkg(), method.Name()); sel != nil {
		if fn := r.program.ssa.MethodValue(sel); fn != nil {
			return callee{fn: fn}, args
		}
	}
	return callee{method: method}, args
}

// invokeCallee makes a call. With deferredBy, it is a deferred one of that frame.
func (r *run) invokeCallee(c *ssa.CallCommon, to callee, args []Value, deferredBy *frame) Value {
	switch {
	case to.builtin != "":
		return r.builtin(r.frame, c, to.builtin, args)
	case to.null:
		r.throw(nilDereference)
	case to.outside != nil:
		return r.answered(to.outside, to.method, args)
	case to.method != nil:
		return r.outer(to.method, c.Signature(), args)
	case to.fn == nil:
		return r.special(to.special, c.Signature(), args)
	}
	return r.callFunction(to.fn, args, to.free, deferredBy)
}

// callFunction calls a function: as the rows of package model tell, or as its source does.
func (r *run) callFunction(fn *ssa.Function, args, free []Value, deferredBy *frame) Value {
	if r.initialised != nil && fn.Synthetic == "package initializer" {
		return nil // when somebody looks at its variables
	}
	if name := functionOfC(fn); name != "" {
		return r.callC(name, fn.Signature, args)
	}
	obj, _ := fn.Object().(*types.Func)
	if obj != nil && fn.Synthetic == "" || obj != nil && len(fn.Blocks) == 0 {
		if isGenerated(obj) {
			return r.pure(obj, fn.Signature, args)
		}
		if found := r.program.find(obj); found.told && found.row.Op.Acts() &&
			(operations[found.row.Op] != nil || r.machine != nil && found.row.Op == model.Driver) || len(fn.Blocks) == 0 ||
			r.isModelled(obj) {
			return r.outer(obj, fn.Signature, args)
		}
	}
	if len(fn.Blocks) == 0 {
		r.mark(Havoc, "%s, whose source was not read", fn)
		return r.havoc(fn.Name(), fn.Signature.Results())
	}
	return r.enter(fn, args, free, deferredBy)
}

// goes starts a goroutine, which is not followed.
func (r *run) goes(f *frame, in *ssa.Go) {
	r.resolveCall(f, in.Common())
	r.mark(Havoc, "a goroutine")
}

// call calls a function value.
func (r *run) callValue(v Value, args ...Value) Value {
	if input, ok := settled(r.force(v)).(*InputFunc); ok && r.freeFunc(input) {
		return r.answered(input.at, callOf(input.at), args)
	}
	fn := r.function(v)
	switch {
	case fn.null():
		r.throw(nilDereference)
	case fn.Fn == nil:
		return r.special(fn, nil, args)
	}
	return r.callFunction(fn.Fn, args, fn.Free, nil)
}
