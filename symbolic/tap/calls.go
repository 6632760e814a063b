package tap

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: the rules of [TAP18] Figure 15, for calls, one type a rule, and those that the paper has no need of.

// MethodInvocation is v = v'.m(v”): it goes to the end of a function that may be called, whose parameters are the
// arguments.
//
// Differs: which methods an interface may stand for is told by the types that the program makes into interfaces; there
// is a condition on the type.
type MethodInvocation struct{}

func (MethodInvocation) Name() string { return "Method Invocation" }

func (r MethodInvocation) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	call, ok := a.previous().(*ssa.Call)
	if !ok || known(call) {
		return nil
	}
	callees := e.program.callees(call)
	if len(callees) > 0 && a.at.frame.depth >= e.config.Calls {
		e.cut("calls")
		return nil
	}
	for _, callee := range callees {
		for _, b := range exits(callee.fn) {
			list = append(list, transition{rule: r, actor: a.id, to: b, apply: func() *configuration {
				d, a := c.with(i)
				a.back()
				e.call(d, a, call, callee, b)
				return d
			}})
		}
	}
	return list
}

// call goes to the end of a function that is called.
func (e *Engine) call(d *configuration, a *actor, call ssa.CallInstruction, callee callee, b *ssa.BasicBlock) {
	caller := a.at.frame
	f := &frame{id: d.fresh("f"), fn: callee.fn, caller: caller, ret: a.at, depth: caller.depth + 1, site: call}
	if v, ok := call.(ssa.Value); ok {
		f.result = caller.register(v)
	}
	if callee.value {
		d.require(e.reason(call), e.equal(e.word(caller, call.Common().Value), e.functionTerm(callee.fn)))
	}
	if callee.recv != nil {
		tag := e.operand(caller, call.Common().Value)(partType, wordSort)
		d.require(e.reason(call), e.equal(tag, e.typeTerm(callee.recv)))
	}
	a.at = &point{f, b, len(b.Instrs), 0}
	a.visit = &visits{f, b, a.visit}
}

// arguments are the values of a function's parameters at a call.
func (e *Engine) arguments(f *frame, call *ssa.CallCommon, callee callee) (args, free []value) {
	if call.IsInvoke() {
		args = append(args, partOf(e.operand(f, call.Value), ".("+typeKey(callee.recv)+")"))
	}
	for _, x := range call.Args {
		args = append(args, e.operand(f, x))
	}
	if callee.value {
		return args, e.captures(e.operand(f, call.Value), callee.fn)
	}
	if made, ok := call.Value.(*ssa.MakeClosure); ok {
		for _, x := range made.Bindings {
			free = append(free, e.operand(f, x))
		}
	}
	return args, free
}

// ReturnStacked is return v in a function whose caller is known: the variable that gets the result is v.
type ReturnStacked struct{}

func (ReturnStacked) Name() string { return "Return-CallStack Not Empty" }

func (r ReturnStacked) transitions(e *Engine, c *configuration, i int) []transition {
	ret, ok := c.actors[i].previous().(*ssa.Return)
	if !ok || c.actors[i].at.frame.caller == nil {
		return nil
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		f := a.at.frame
		var result value
		switch len(ret.Results) {
		case 0:
			return
		case 1:
			result = e.operand(f, ret.Results[0])
		default:
			result = func(part string, sort term.Sort) *term.Term {
				return e.operand(f, ret.Results[int(part[1]-'0')])(part[2:], sort)
			}
		}
		e.change(d, e.reason(ret), assign(f.result, result))
	})
}

// EntryStacked is the entry of a function whose caller is known: it goes on before the call.
type EntryStacked struct{}

func (EntryStacked) Name() string { return "Method Entry-CallStack Not Empty" }

func (r EntryStacked) transitions(e *Engine, c *configuration, i int) []transition {
	if a := c.actors[i]; !a.atEntry() || a.at.frame.caller == nil {
		return nil
	}
	return []transition{{rule: r, actor: c.actors[i].id, apply: func() *configuration {
		d, a := c.with(i)
		f := a.at.frame
		a.at = f.ret
		if f.behaves != nil {
			e.behave(d, a, f, f.behaves)
		} else if f.site != nil {
			args, free := e.arguments(f.caller, f.site.Common(), e.program.calleeOf(f.site, f.fn))
			e.bind(d, f, args, free)
		} else {
			e.bind(d, f, f.args, f.free)
		}
		return d
	}}}
}

// bind has parameters, and variables that are captured, be what they are at a call.
func (e *Engine) bind(d *configuration, f *frame, args, free []value) {
	all := map[string]value{}
	for k, v := range args {
		all[parameter(f, k)] = v
	}
	for k, v := range free {
		all[captured(f, k)] = v
	}
	ch := &change{what: "call"}
	for name := range all {
		ch.keys = append(ch.keys, name)
	}
	slices.Sort(ch.keys)
	ch.vars = func(t *term.Term) *term.Term {
		base, part := split(t.Name)
		return all[base](part, t.Sort)
	}
	e.change(d, "an argument of "+f.fn.String(), ch)
}

// ReturnEmpty is return v in a function whose caller is not known, or in a handler.
type ReturnEmpty struct{}

func (ReturnEmpty) Name() string { return "Return-CallStack Empty" }

func (r ReturnEmpty) transitions(e *Engine, c *configuration, i int) []transition {
	if _, ok := c.actors[i].previous().(*ssa.Return); !ok || c.actors[i].at.frame.caller != nil {
		return nil
	}
	return statement(r, c, i, func(*configuration, *actor) {})
}

// EntryEmpty is the entry of a function with the target whose caller is not known: it goes on before a call of it.
type EntryEmpty struct{}

func (EntryEmpty) Name() string { return "Method Entry-CallStack Empty" }

func (r EntryEmpty) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if !a.atEntry() || a.at.frame.caller != nil || a.handling() {
		return nil
	}
	for _, site := range e.program.sites(a.behaves, a.at.frame.fn) {
		caller := &frame{fn: site.Parent()}
		ends := []*point{{caller, site.Block(), slices.Index(site.Block().Instrs, site.(ssa.Instruction)), 0}}
		if call, ok := site.(*ssa.Defer); ok {
			if ends = e.program.returning(caller, call); len(ends) == 0 {
				e.note(e.reason(call))
			}
		}
		for _, end := range ends {
			list = append(list, transition{rule: r, actor: a.id, to: end.block,
				apply: func() *configuration { return e.called(c, i, site, *end) }})
		}
	}
	return list
}

// called goes on before a call that leads to a function, in a caller that is not known any further.
func (e *Engine) called(c *configuration, i int, site ssa.CallInstruction, end point) *configuration {
	d, a := c.with(i)
	f := a.at.frame
	callee := e.program.calleeOf(site, f.fn)
	end.frame = &frame{id: d.fresh("f"), fn: site.Parent()}
	a.at, a.visit = &end, &visits{end.frame, end.block, a.visit}
	if row, _, ok := operation(site); ok && row.Op == model.BehaviorDo {
		e.behave(d, a, f, site)
		return d
	}
	if callee.value {
		d.require("", e.equal(e.word(end.frame, site.Common().Value), e.functionTerm(f.fn)))
	}
	var args, free []value
	if fn, made := producing(site); fn != f.fn {
		args, free = e.arguments(end.frame, site.Common(), callee)
	} else if made != nil {
		free = e.bindings(end.frame, made)
	}
	e.bind(d, f, args, free)
	if callee.recv != nil {
		d.require("", e.equal(e.operand(end.frame, site.Common().Value)(partType, wordSort), e.typeTerm(callee.recv)))
	}
	return d
}
