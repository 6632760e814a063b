package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file follows calls: of builtins, of functions whose source was read, of functions that models tell of. Any other
// may do anything.

// called evaluates a call; result is nil for a deferred one.
func (f *frame) called(instr ssa.Instruction, c *ssa.CallCommon, result ssa.Value) {
	args := make([]val, 0, len(c.Args)+1)
	for _, a := range c.Args {
		args = append(args, f.get(a))
	}
	var out []val
	switch callee := c.Value.(type) {
	case *ssa.Builtin:
		out = []val{f.builtin(instr, callee.Name(), c, args)}
	default:
		switch {
		case c.IsInvoke():
			out = f.invoke(instr, c, args)
		case c.StaticCallee() != nil:
			out = f.static(instr, c, args)
		default:
			out = f.dynamic(instr, c, args)
		}
	}
	if result == nil || f.h.unknown != "" {
		return
	}
	if c.Signature().Results().Len() == 1 || c.Value.Name() != "" && len(out) == 1 {
		if len(out) == 1 {
			f.set(result, out[0])
		}
		return
	}
	f.setTuple(result, out)
}

// static calls a function that is known by name.
func (f *frame) static(instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	fn := c.StaticCallee()
	if m, ok := c.Value.(*ssa.MakeClosure); ok {
		f.closes(m)
		return f.h.call(m.Fn.(*ssa.Function), args, f.h.object(m, closure).capture, f.conditions(instr.Block()), instr.Pos())
	}
	declared := declaration(fn)
	if op, ok := modelled(declared); ok {
		return op(f, instr, c, args)
	}
	if fn.Blocks != nil && !model.Generated(declared) {
		return f.h.call(fn, args, nil, f.conditions(instr.Block()), instr.Pos())
	}
	if out, ok := f.library(instr, declared, c, args); ok {
		return out
	}
	f.h.give(instr.Pos(), "it calls %s, whose source was not read", fullName(fn))
	return nil
}

// dynamic calls a function value: each that it may be.
func (f *frame) dynamic(instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	var out []val
	v := f.get(c.Value)
	if len(v.refs) == 0 && f.h.strict {
		f.h.give(instr.Pos(), "it calls a function value that nobody knows")
	}
	for _, r := range v.refs {
		if r.obj.sequence {
			out = join(out, f.runs(instr, r.obj, args))
			continue
		}
		if r.obj.kind != closure {
			f.h.give(instr.Pos(), "it calls a function value that is kept somewhere")
			return nil
		}
		out = join(out, f.h.apply(r.obj, args, f.conditions(instr.Block()), instr))
	}
	return out
}

// apply calls a closure.
func (h *handler) apply(o *object, args []val, above int, at ssa.Instruction) []val {
	if o.fn.Blocks == nil {
		h.give(at.Pos(), "it calls %s, whose source was not read", fullName(o.fn))
		return nil
	}
	return h.call(o.fn, args, o.capture, above, at.Pos())
}

// invoke calls a method of an interface: of each type that may be in it, if all are known.
func (f *frame) invoke(instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	recv := f.get(c.Value)
	name := c.Method.FullName()
	if onContext(recv) {
		if op, ok := modelled(c.Method); ok {
			return op(f, instr, c, append([]val{recv}, args...))
		}
		f.h.give(instr.Pos(), "it calls %s of the framework's context, which no model tells of", c.Method.Name())
		return nil
	}
	if name == "(error).Error" {
		f.h.exposed(recv)
		f.asks(instr, c.Method, []string{"Error"}, c, []val{recv})
		return []val{{set: true}}
	}
	if out, ok := f.library(instr, c.Method, c, append([]val{recv}, args...)); ok {
		return out
	}
	if recv.hidden || recv.arrives && f.h.msg == nil {
		f.h.give(instr.Pos(), "it calls %s of an interface that may hold anything", c.Method.Name())
		return nil
	}
	var out []val
	for _, t := range recv.dyn {
		fn := f.h.method(t, c.Method.Name())
		if fn == nil || fn.Blocks == nil {
			f.h.give(instr.Pos(), "it calls %s of %s, whose source was not read", c.Method.Name(), t)
			return nil
		}
		out = join(out, f.h.call(fn, append([]val{recv.without()}, args...), nil, f.conditions(instr.Block()), instr.Pos()))
	}
	return out
}

func join(a, b []val) []val {
	out := make([]val, max(len(a), len(b)))
	for _, list := range [][]val{a, b} {
		for i := range list {
			out[i].add(list[i])
		}
	}
	return out
}

// builtin evaluates a builtin function.
func (f *frame) builtin(instr ssa.Instruction, name string, c *ssa.CallCommon, args []val) val {
	out := val{set: true}
	switch name {
	case "len", "cap", "min", "max", "complex", "real", "imag", "print", "println", "recover", "panic", "ssa:wrapnilchk":
		out.hidden = name == "recover"
		if name == "ssa:wrapnilchk" {
			return args[0]
		}
		if name == "len" || name == "cap" {
			f.h.measure(args[0])
		}
	case "append":
		of := elem(c.Args[0].Type())
		f.h.exposedOnce(args[0])
		moved := val{set: true}
		if len(args) > 1 && len(args[1].refs) > 0 {
			moved = f.h.load(instr.Pos(), args[1].parts("[]"), of)
		}
		grown := ref{obj: f.h.object(instr.(ssa.Value), fresh)}
		if len(args[0].refs) > 0 {
			f.h.store(instr.Pos(), args[0].parts("[]"), moved, of, of)
			f.h.store(instr.Pos(), only(grown), f.h.load(instr.Pos(), args[0].parts("[]"), of), of, of)
		}
		f.h.store(instr.Pos(), only(grown), moved, of, of)
		out.add(only(args[0].refs...))
		out.add(only(grown))
	case "copy":
		of := elem(c.Args[0].Type())
		if len(args[0].refs) > 0 && len(args[1].refs) > 0 {
			f.h.store(instr.Pos(), args[0].parts("[]"), f.h.load(instr.Pos(), args[1].parts("[]"), of), of, of)
		}
		if len(args[1].refs) == 0 && len(args[0].refs) > 0 { // from a string
			f.h.store(instr.Pos(), args[0].parts("[]"), out, of, of)
		}
	case "delete", "clear":
		if len(args[0].refs) > 0 {
			t := c.Args[0].Type().Underlying()
			in := t
			if s, ok := t.(*types.Slice); ok {
				in = s.Elem()
			}
			f.h.store(instr.Pos(), args[0].parts("[]"), out, in, elem(t))
		}
	default:
		f.h.give(instr.Pos(), "the builtin function %s is not understood", name)
	}
	return out
}

// measure reads how much is at a reference: the length of a map is behind it, that of a slice beside it.
func (h *handler) measure(v val) { h.exposedOnce(v) }

func (h *handler) exposedOnce(v val) {
	for _, r := range v.refs {
		if r.obj.kind == instance {
			h.read(r.path)
		}
	}
}

// elem is the type of the elements of a slice, map or array.
func elem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Pointer:
		return elem(u.Elem())
	}
	return types.Typ[types.Byte]
}

// declaration is what declares a function, the generic one if it was made of one.
func declaration(fn *ssa.Function) *types.Func {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	o, _ := fn.Object().(*types.Func)
	return o
}

// fullName is a function's name with its package, that of the generic one if it was made of one.
func fullName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if o, ok := fn.Object().(*types.Func); ok {
		return o.FullName()
	}
	return fn.String()
}
