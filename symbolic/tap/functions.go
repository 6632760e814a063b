package tap

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: function values with what they capture, and behaviours of protoactor-go, which are a stack of functions in
// an actor's state.
//
// Differs: the paper has no function values. One may be any function of its type that the program makes a value of.

// free names a variable that a function value captures, as a part of the value.
func free(k int) string { return "^" + itoa(k) + ";" }

// freePart reads such a part: which variable it is, and which part of that.
func freePart(part string) (k int, rest string, ok bool) {
	if part, ok = strings.CutPrefix(part, "^"); !ok {
		return 0, "", false
	}
	n, rest, ok := strings.Cut(part, ";")
	k, err := strconv.Atoi(n)
	return k, rest, ok && err == nil
}

// functionValue is the value of a function with what it captures.
func (e *Engine) functionValue(fn *ssa.Function, captured []value) value {
	number := single(e.functionTerm(fn))
	return func(part string, sort term.Sort) *term.Term {
		if k, rest, ok := freePart(part); ok {
			if k >= len(captured) {
				return e.zero("", sort) // of another function: nobody looks at it
			}
			return captured[k](rest, sort)
		}
		return number(part, sort)
	}
}

// captures gives what a value captures if it is a function.
func (e *Engine) captures(v value, fn *ssa.Function) (list []value) {
	for k := range fn.FreeVars {
		list = append(list, partOf(v, free(k)))
	}
	return list
}

// ownPackages lists the packages of the modules that are searched. Functions of others are values in these alone, as
// far as an actor may tell.
func ownPackages(p *load.Program) map[*ssa.Package]bool {
	modules, own := map[string]bool{}, map[*ssa.Package]bool{}
	for _, pkg := range p.Packages {
		if pkg.Root && pkg.Module != nil {
			modules[pkg.Module.Path] = true
		}
	}
	for _, pkg := range p.Packages {
		own[pkg.SSA] = pkg.Root || pkg.Module != nil && modules[pkg.Module.Path]
	}
	return own
}

// take notes the functions that an instruction makes values of, and those among them that are called with answers.
func (p *Program) take(in ssa.Instruction) {
	if row, args, ok := operation(in); ok && row.Op == model.Reenter {
		if fn, _ := producer(args[row.Func]); fn != nil {
			p.behind = append(p.behind, fn)
		}
	}
	var static ssa.Value
	if call, ok := in.(ssa.CallInstruction); ok {
		static = call.Common().Value
	}
	for _, op := range in.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if ok && ssa.Value(fn) != static && len(fn.Blocks) > 0 && !p.values[p.one(fn)] {
			p.values[p.one(fn)] = true
			p.taken = append(p.taken, fn)
		}
	}
}

// one gives the function that stands for all that are the same method as a value: go/ssa makes one for each place.
func (p *Program) one(fn *ssa.Function) any {
	if fn.Object() != nil && strings.HasSuffix(fn.Name(), "$bound") {
		return fn.Object()
	}
	return fn
}

// functionsOf lists the function values of a type.
func (p *Program) functionsOf(t types.Type) (list []callee) {
	for _, fn := range p.taken {
		if types.Identical(fn.Signature, t.Underlying()) {
			list = append(list, callee{fn: fn, value: true})
		}
	}
	return list
}

// Behaving is behaviour.Receive(context) of protoactor-go: the function on top of the stack handles the message; where
// there is none, nothing does.
//
// Differs: the paper's actors handle all messages alike.
type Behaving struct{}

func (Behaving) Name() string { return "Behaving" }

func (r Behaving) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	in := a.previous()
	row, args, ok := operation(in)
	if !ok || row.Op != model.BehaviorDo {
		return nil
	}
	list = statement(r, c, i, func(d *configuration, a *actor) {
		d.require(e.reason(in), e.equal(e.stackOf(a, a.at.frame, args[0]).len, e.store.Int(indexSort, 0)))
	})
	if a.at.frame.depth >= e.config.Calls {
		e.cut("calls")
		return list
	}
	for _, callee := range e.program.calledAt(in) {
		for _, b := range exits(callee.fn) {
			list = append(list, transition{rule: r, actor: a.id, to: b, apply: func() *configuration {
				d, a := c.with(i)
				a.back()
				f := &frame{id: d.fresh("f"), fn: callee.fn, caller: a.at.frame, ret: a.at, depth: a.at.frame.depth + 1,
					behaves: in}
				a.at = &point{f, b, len(b.Instrs), 0}
				a.visit = &visits{f, b, a.visit}
				return d
			}})
		}
	}
	return list
}

// behave has a function be the one on top of the stack, at its entry. a is before the instruction that calls it.
func (e *Engine) behave(d *configuration, a *actor, f *frame, in ssa.Instruction) {
	_, args, _ := operation(in)
	caller := a.at.frame
	s := e.stackOf(a, caller, args[0])
	fn := e.read(s.at(e, a, -1))
	e.bind(d, f, []value{e.operand(caller, args[1])}, e.captures(fn, f.fn))
	d.require(e.reason(in), e.equal(fn("", wordSort), e.functionTerm(f.fn)))
	if s.len == nil {
		d.unmodelled(e.reason(in))
		return
	}
	d.require(e.reason(in), e.store.SLess(e.store.Int(indexSort, 0), s.len))
}

// stack is a stack of functions: where it is, and the slice that it is.
type stack struct {
	place          place
	addr, off, len *term.Term
	elem           types.Type
}

func (e *Engine) stackOf(a *actor, f *frame, v ssa.Value) stack {
	p := e.target(a, f, v)
	x := e.read(p)
	return stack{p, x(partAddr, wordSort), x(partOff, indexSort), x(partLen, indexSort),
		p.t.Underlying().(*types.Slice).Elem()}
}

// at is the place of an element, counted from the end.
func (s stack) at(e *Engine, a *actor, k int64) place {
	if s.addr == nil || s.off == nil || s.len == nil {
		return place{t: s.elem}
	}
	return e.element(a.name, s.addr, e.store.Add(s.off, e.store.Add(s.len, e.store.Int(indexSort, k))), s.elem)
}

// restack is that a function is put on a stack, alone or on the others, or that the one on top is taken away.
func (e *Engine) restack(d *configuration, a *actor, in ssa.Instruction) {
	a.acts = true
	_, args, _ := operation(in)
	f := a.at.frame
	s := e.stackOf(a, f, args[0])
	if s.len == nil {
		d.unmodelled(e.reason(in))
		return
	}
	one, name := e.store.Int(indexSort, 1), in.(*ssa.Call).Call.StaticCallee().Name()
	switch name {
	case "UnbecomeStacked":
		fewer := e.store.If(e.store.Equal(s.len, e.store.Int(indexSort, 0)), s.len, e.store.Sub(s.len, one))
		e.change(d, e.reason(in), e.update(s.place, sliceValue(s.addr, s.off, fewer)))
		return
	case "Become":
		s.addr, s.off, s.len = e.allocate(d, 1), e.store.Int(indexSort, 0), e.store.Int(indexSort, 0)
	}
	top := s.at(e, a, 0)
	e.change(d, e.reason(in), e.update(s.place, sliceValue(s.addr, s.off, e.store.Add(s.len, one))))
	e.change(d, e.reason(in), e.update(top, e.operand(f, args[1])))
}
