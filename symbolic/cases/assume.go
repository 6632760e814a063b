package cases

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file reads assumptions: conditions on messages, on the state of actors, and on the parameters of functions, by
// the names of their types.

// assumption is one, as it was written.
type assumption struct {
	text string

	// Of a function of the program.
	fn     *ssa.Function
	paths  []*term.Term // one of which holds where the function does
	inputs []exec.Input
}

// noted is a condition with the inputs that are in it.
type noted struct {
	cond   *term.Term
	inputs []exec.Input
}

// assumptions reads all, and fails where one means nothing in the whole program.
func (p *Program) assumptions(ctx context.Context, c Config) ([]*assumption, error) {
	var list []*assumption
	for _, text := range c.Assume {
		a := &assumption{text: strings.TrimSpace(text)}
		var err error
		if token.IsIdentifier(a.text) && a.text != "true" && a.text != "false" {
			err = p.predicate(ctx, a, c)
		} else {
			err = p.parsed(a)
		}
		if err != nil {
			return nil, fmt.Errorf("assumption %q: %w", text, err)
		}
		list = append(list, a)
	}
	return list, nil
}

// errOther says that an assumption is about other targets.
var errOther = errors.New("it is about other targets")

// parsed reports an error if there is no target that the assumption is about.
func (p *Program) parsed(a *assumption) error {
	var first error
	for _, t := range p.targets {
		_, err := p.about(a, p.bases(t))
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errOther) && first == nil:
			first = err
		}
	}
	if first != nil {
		return first
	}
	return fmt.Errorf("no target has all that it names")
}

// bases gives the places by the names under which an assumption means them: the message, the actor, the parameters of a
// function.
func (p *Program) bases(t *Target) map[string]*exec.Place {
	places := map[string]*exec.Place{}
	add := func(at *exec.Place) {
		if n, ok := types.Unalias(pointed(at.Type)).(*types.Named); ok && n.Obj().Pkg() != nil {
			places[n.Obj().Name()] = at
			places[n.Obj().Pkg().Name()+"."+n.Obj().Name()] = at
		}
	}
	if t.Kind == Function {
		for i, v := range t.Fn.Params {
			at := &exec.Place{Name: exec.ParameterName(i, v), Type: v.Type()}
			places[at.Name] = at
			if i == 0 && t.Fn.Signature.Recv() != nil {
				add(at)
			}
		}
		return places
	}
	if t.Handler.Message != nil {
		add(&exec.Place{Name: "msg", Type: t.Handler.Message})
	}
	if t.Fn.Signature.Recv() != nil {
		add(&exec.Place{Name: exec.ParameterName(0, t.Fn.Params[0]), Type: t.Fn.Params[0].Type()})
	}
	return places
}

// everyBase reports whether a name means something for some target.
func (p *Program) everyBase(name string) bool {
	if p.based == nil {
		p.based = map[string]bool{}
		for _, t := range p.targets {
			for name := range p.bases(t) {
				p.based[name] = true
			}
		}
	}
	return p.based[name]
}

// about gives the condition that an expression is, where names mean certain places. The error is errOther if it names
// what only other targets have.
func (p *Program) about(a *assumption, bases map[string]*exec.Place) (noted, error) {
	var n noted
	var failed error
	real := map[string]*term.Term{}
	find := func(name string) (term.Type, bool) {
		path, property, _ := strings.Cut(name, "!")
		x, err := parser.ParseExpr(path)
		var at *exec.Place
		if err == nil {
			at, err = walk(x, func(base string) *exec.Place {
				if bases[base] == nil && p.everyBase(base) {
					failed = errOther
				}
				return bases[base]
			})
		}
		var in exec.Input
		var typ term.Type
		if err == nil {
			in, typ, err = aspectOf(at, property)
		}
		if err != nil {
			if property != "len" && failed == nil { // len is asked for as a property first, then as a function of a string
				failed = err
			}
			return typ, false
		}
		in.Var = p.store.Var(in.At.Name+in.Aspect, typ.Sort)
		if real[name] = in.Var; !slices.ContainsFunc(n.inputs, func(o exec.Input) bool { return o.Var == in.Var }) {
			n.inputs = append(n.inputs, in)
		}
		return typ, true
	}
	t, err := term.ParseCondition(p.store, a.text, term.Names{Var: find})
	switch {
	case err == nil:
		n.cond = p.store.SubstNames(real).Apply(t)
		return n, nil
	case errors.Is(failed, errOther):
		return n, errOther
	case failed != nil:
		return n, fmt.Errorf("%w: %w", err, failed)
	}
	return n, err
}

// predicate executes a function of the program that is an assumption.
func (p *Program) predicate(ctx context.Context, a *assumption, c Config) error {
	fn := p.functionNamed(a.text)
	switch {
	case fn == nil:
		return fmt.Errorf("there is no function %s, and a condition is a comparison, such as Pay.Amount > 0", a.text)
	case fn.Signature.Results().Len() != 1 ||
		!types.Identical(fn.Signature.Results().At(0).Type(), types.Typ[types.Bool]) || len(fn.Params) == 0:
		return fmt.Errorf("%s is a %s: want a function of messages or actors that gives a bool", a.text,
			typeText(fn.Signature))
	}
	for _, v := range fn.Params {
		if !slices.ContainsFunc(p.targets, func(t *Target) bool { return t.has(v.Type()) != "" }) {
			return fmt.Errorf("no target has a message or an actor of type %s, which %s is about", typeText(v.Type()), a.text)
		}
	}
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.Exec().Explore(ctx, p.store, solver, exec.Entry{Fn: fn}, c.exec())
	if !found.Complete() {
		return fmt.Errorf("%s (%s) cannot be executed within the bounds: %s %s", a.text, p.load.Position(fn.Pos()),
			firstCut(found.Cuts), found.Defect)
	}
	a.fn = fn
	for _, path := range found.Paths {
		if len(path.Marks) > 0 {
			m := path.Marks[0]
			return fmt.Errorf("%s (%s) depends on what is not known: %s", a.text, p.load.Position(m.Pos), m.What)
		}
		if path.Exit != exec.Return {
			continue // where it panics it does not hold
		}
		conds := []*term.Term{path.Results[0].(*term.Term)}
		for _, cond := range path.PC {
			conds = append(conds, cond.Term)
		}
		a.paths = append(a.paths, p.store.And(conds...))
		for _, in := range path.Inputs {
			if !slices.ContainsFunc(a.inputs, func(o exec.Input) bool { return o.Var == in.Var }) {
				a.inputs = append(a.inputs, in)
			}
		}
	}
	return nil
}

// functionNamed gives a function of the packages that were asked for, nil if there is none of that name.
func (p *Program) functionNamed(name string) *ssa.Function {
	for _, fn := range p.load.Functions() {
		if fn.Pkg != nil && p.roots[fn.Pkg] && fn.Parent() == nil && fn.Signature.Recv() == nil && fn.Name() == name {
			return fn
		}
	}
	return nil
}

// has gives the name of the target's message or actor, if it is of a type or a pointer to it, "" if it has none.
func (t *Target) has(want types.Type) string {
	is := func(u types.Type) bool { return types.Identical(pointed(u), pointed(want)) }
	switch {
	case t.Kind != Function && t.Handler.Message != nil && is(t.Handler.Message):
		return "msg"
	case t.Kind != Function && t.Fn.Signature.Recv() != nil && is(t.Fn.Params[0].Type()):
		return exec.ParameterName(0, t.Fn.Params[0])
	case t.Kind == Function:
		for i, v := range t.Fn.Params {
			if is(v.Type()) {
				return exec.ParameterName(i, v)
			}
		}
	}
	return ""
}

func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// of gives the condition that an assumption is for a target. It reports false if it is about other targets.
func (p *Program) of(a *assumption, t *Target) (noted, bool) {
	if a.fn == nil {
		n, err := p.about(a, p.bases(t))
		return n, err == nil
	}
	names := map[string]string{}
	for i, v := range a.fn.Params {
		root := t.has(v.Type())
		if root == "" {
			return noted{}, false
		}
		names[exec.ParameterName(i, v)] = root
	}
	r := newRenaming(names)
	n := noted{cond: p.store.Or(r.terms(p.store, a.paths)...)}
	for _, in := range a.inputs {
		n.inputs = append(n.inputs, exec.Input{Var: r.terms(p.store, []*term.Term{in.Var})[0], At: r.place(in.At),
			Aspect: in.Aspect})
	}
	return n, true
}
