package effects

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file does what functions of libraries do, by their rows in package model: read what they are given, write some
// of it, call methods of the application on it. What they give may hold what they were given. Functions that they are
// given are called, with parts of what else they are given.

// library evaluates a call of a function of a library, if it is known.
func (f *frame) library(instr ssa.Instruction, fn *types.Func, c *ssa.CallCommon, args []val) ([]val, bool) {
	does, ok := model.Library(fn)
	if !ok {
		return nil, false
	}
	for i, a := range args {
		if !does.Writes.Has(i) {
			continue
		}
		memory, all := f.memoryOf(c, i, a)
		if len(memory) > 0 || !all {
			f.h.scribbled(instr.Pos(), a, memory, map[*object]bool{})
		}
	}
	if kind, outside := model.Reaches(fn); outside {
		f.h.other[beyond[kind]] = true
	}
	f.asks(instr, fn, does.Asks, c, args)
	out := f.mixed(instr, c, args)
	if does.Row == model.Keys || does.Row == model.Vals {
		made := f.h.object(instr.(ssa.Value), fresh)
		made.sequence = true
		out[0] = val{refs: []ref{{obj: made}}, set: true}
	}
	return out, true
}

// memoryOf lists the types of memory that an argument leads to, if these are all.
func (f *frame) memoryOf(c *ssa.CallCommon, i int, a val) (list []types.Type, all bool) {
	arg := argument(c, i)
	if arg == nil || types.IsInterface(arg.Type()) && a.hidden {
		return nil, false
	}
	of := []types.Type{arg.Type()}
	if types.IsInterface(arg.Type()) {
		of = a.dyn
	}
	for _, t := range of {
		r := f.h.reach(t)
		if r.anything {
			return nil, false
		}
		list = append(list, r.parts...)
	}
	return list, true
}

// beyond are the words of facts for what is outside of a program.
var beyond = map[model.Outside]string{model.Clock: "clock", model.Random: "random", model.IO: "io"}

// mixed reads the arguments, calls the functions among them, and gives something made of them.
func (f *frame) mixed(instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	all := val{set: true, hidden: true}
	for i, a := range args {
		if isFuncArg(c, i) && !a.sequences() {
			continue // called below
		}
		f.h.exposed(a)
		all.add(a.without())
		all.add(a.parts("[]").without())
		for _, r := range a.refs {
			if r.obj.kind != closure && r.obj.kind != context {
				all.add(f.h.load(instr.Pos(), only(r.part("[]")), anyType))
			}
		}
	}
	f.callbacks(instr, c, args, all)
	results := c.Signature().Results()
	out := make([]val, results.Len())
	for i := range out {
		out[i] = val{set: true}
		if v, ok := instr.(ssa.Value); ok && holdsReferences(results.At(i).Type()) {
			made := f.h.object(v, fresh)
			f.h.put(made, "", all)
			out[i] = val{refs: append(slices.Clone(all.refs), ref{obj: made}), set: true, hidden: true}
		}
	}
	return out
}

// isFuncArg reports whether the i-th argument of a call, the receiver being the first, is a function.
func isFuncArg(c *ssa.CallCommon, i int) bool {
	v := argument(c, i)
	return v != nil && isFunc(v.Type())
}

// sequences reports whether a function value is nothing but sequences that a library has made.
func (v val) sequences() bool {
	return len(v.refs) > 0 && !slices.ContainsFunc(v.refs, func(r ref) bool { return !r.obj.sequence })
}

// callbacks calls the functions among the arguments.
func (f *frame) callbacks(instr ssa.Instruction, c *ssa.CallCommon, args []val, all val) {
	for i, a := range args {
		if !isFuncArg(c, i) || a.sequences() {
			continue
		}
		if len(a.refs) == 0 && f.h.strict {
			f.h.give(instr.Pos(), "it hands over a function value that nobody knows")
		}
		for _, r := range a.refs {
			if r.obj.kind != closure {
				f.h.give(instr.Pos(), "it hands over a function value that is kept somewhere")
				return
			}
			if r.obj.fn.Blocks == nil {
				does, known := model.Library(declaration(r.obj.fn))
				if _, outside := model.Reaches(declaration(r.obj.fn)); !known || outside || does.Writes != 0 ||
					len(does.Asks) > 0 || r.obj.fn.Signature.Recv() != nil {
					f.h.give(instr.Pos(), "it hands over %s, whose source was not read", fullName(r.obj.fn))
				}
				continue
			}
			f.h.call(r.obj.fn, repeated(all, r.obj.fn.Signature.Params().Len()), r.obj.capture, f.conditions(instr.Block()),
				instr.Pos())
		}
	}
}

// runs calls a function with what a sequence holds, as often as there are elements.
func (f *frame) runs(instr ssa.Instruction, sequence *object, yields []val) []val {
	held := f.h.load(instr.Pos(), only(ref{obj: sequence}), anyType)
	for _, yield := range yields {
		for _, r := range yield.refs {
			if r.obj.kind != closure {
				f.h.give(instr.Pos(), "it hands over a function value that is kept somewhere")
				return nil
			}
			f.h.apply(r.obj, repeated(held, r.obj.fn.Signature.Params().Len()), f.conditions(instr.Block()), instr)
		}
	}
	return nil
}

// repeated is a value as each of n arguments.
func repeated(v val, n int) []val {
	list := make([]val, n)
	for i := range list {
		list[i] = v
	}
	return list
}
