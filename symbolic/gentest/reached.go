package gentest

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file writes the test that decides whether a failure is a finding. It makes the actor as the program does, has it
// handle the messages before, and then the one that fails. The other tests of the case begin in the state, whether it
// comes about or not.

// reachedLabel ends the names of these tests.
const reachedLabel = "reached"

// reachedTest writes the body of the test, or says why there is none.
func (p *printer) reachedTest(ctx context.Context, c *cases.Case) (lines []string, why string) {
	defer caught(&why)
	r := c.Reached
	if c.Task != nil && slices.ContainsFunc(r.Path.Events, isWait) {
		fail("the handler waits, and the test is of one message after others")
	}
	whole := *c
	whole.Task = nil
	whole.Path, whole.Inputs, whole.Events = r.Path, r.Inputs, r.Path.Events[r.Making:]
	w := newWriter(p.program, p.names, &whole, p.reachedModel(ctx, r))
	w.noChance()
	literal := r.Start.Made || !w.callable(r.Start.Fn)
	w.creation(r, literal)
	w.actors()
	var values []*value
	if !literal {
		values = w.arguments(r)
	}
	made := len(values)
	for i, t := range r.Before {
		if t.Handler.Name() != model.First(w.framework) {
			values = append(values, w.messageOf(fmt.Sprintf("msg%d", i+1), t.Handler.Message))
		}
	}
	before := len(values)
	values = append(values, w.message()...)
	var state *value
	if literal {
		state = w.madeState(r)
	}
	effects := w.effectsFrom(r.Handling - r.Making)
	w.lines = nil
	w.begin()
	p.declareFakes(w)
	w.declare("v", values...)
	if literal {
		w.declareState(state)
	} else {
		w.construct(r.Start, values[:made])
	}
	w.earlier(values[made:before])
	w.runs(values[before:])
	for _, e := range effects {
		e()
	}
	return w.lines, ""
}

// reachedModel gives values of the whole way, with references that lead somewhere.
func (p *printer) reachedModel(ctx context.Context, r *cases.Reached) *term.Model {
	k := &chooser{ctx: ctx, solver: p.solver, store: p.program.Store(), inputs: r.Inputs, model: r.Model}
	for _, c := range r.Path.PC {
		k.conds = append(k.conds, c.Term)
	}
	k.shape()
	k.small(r.Model)
	return k.model
}

// creation fails where a test cannot make the actor as the program does, and names the actors among the arguments.
func (w *writer) creation(r *cases.Reached, literal bool) {
	for _, e := range r.Path.Events[:r.Making] {
		if e.Op != "spawn" {
			fail("the function %s does more than to make the actor", r.Start.Fn.Name())
		}
	}
	for _, n := range r.Made {
		if literal && strings.Contains(n.Name, "!has") {
			fail("the actor is made with a map that has entries")
		}
		for _, v := range term.Vars(n.Term) {
			if literal && slices.Contains([]string{"self!ref", "sender!ref", "parent!ref"}, v.Name) {
				fail("the actor is made with a reference to the actor that makes it")
			}
		}
	}
	for i, v := range r.Start.Fn.Params {
		if ref := w.world.vars[r.Start.Argument(i)+"!ref"]; ref != nil && isReference(v.Type()) {
			w.peers.places[w.world.model.Eval(ref).Uint()] = v.Name()
		}
	}
}

// callable reports whether the test can call a constructor. The state that any other one gives, by its source, is
// written down.
func (w *writer) callable(fn *ssa.Function) bool {
	for _, v := range fn.Params {
		if model.Context(v.Type()) != "" {
			return false
		}
	}
	pkg := fn.Pkg.Pkg
	return pkg.Path() == w.names.pkg.Path() ||
		pkg.Name() != "main" && !strings.HasSuffix(pkg.Path(), "_test") && fn.Object().Exported() &&
			w.names.importable(pkg.Path()) &&
			!leadsTo(pkg, w.names.pkg.Path(), map[*types.Package]bool{})
}

// arguments makes those of the constructor.
func (w *writer) arguments(r *cases.Reached) (list []*value) {
	for i, v := range r.Start.Fn.Params {
		list = append(list, w.world.input(r.Start.Argument(i), v.Type()))
	}
	return list
}

// madeState makes the state that the source tells.
func (w *writer) madeState(r *cases.Reached) *value {
	for _, n := range r.Made {
		w.world.vars[n.Name] = n.Term
		if name, null := strings.CutSuffix(n.Name, "!isNil"); null && n.Term.True() {
			w.world.nilMaps[name] = true
		}
	}
	recv := w.receiver()
	name := exec.ParameterName(0, recv)
	p, ok := recv.Type().(*types.Pointer)
	if !ok {
		return w.world.input(name, recv.Type())
	}
	return &value{kind: pointerKind, typ: p, to: &object{val: w.world.input(name, p.Elem())}}
}

// construct calls the constructor.
func (w *writer) construct(s *cases.Start, args []*value) {
	var list []string
	for i, a := range args {
		list = append(list, w.expr(a, s.Fn.Params[i].Type()))
	}
	dots := ""
	if s.Fn.Signature.Variadic() {
		dots = "..."
	}
	call := fmt.Sprintf("%s(%s%s)", w.constructor(s.Fn), strings.Join(list, ", "), dots)
	recv, results := w.receiver(), s.Fn.Signature.Results()
	assert := ""
	if first := results.At(0).Type(); types.IsInterface(first) {
		if m, _, _ := types.LookupFieldOrMethod(first, false, nil, "Receive"); m == nil || w.c.Target.Fn.Name() != "Receive" {
			assert = ".(" + w.names.typ(recv.Type()) + ")"
		}
	}
	w.actor = w.variable(exec.ParameterName(0, recv))
	if results.Len() == 1 {
		w.add("%s := %s%s", w.actor, call, assert)
		return
	}
	made := w.actor
	if assert != "" {
		made = w.variable("made")
	}
	w.add("%s%s := %s", made, strings.Repeat(", _", results.Len()-1), call)
	if assert != "" {
		w.add("%s := %s%s", w.actor, made, assert)
	}
}

// constructor writes the name of a function.
func (w *writer) constructor(fn *ssa.Function) string {
	pkg := fn.Pkg.Pkg
	if pkg.Path() == w.names.pkg.Path() {
		w.names.object(fn.Object())
		return fn.Name()
	}
	return w.names.imported(pkg.Path(), pkg.Name()) + "." + fn.Name()
}

// earlier has the actor begin, and handle the messages before.
func (w *writer) earlier(msgs []*value) {
	starts, _, _ := types.LookupFieldOrMethod(w.receiver().Type(), true, w.names.pkg, "Start")
	if w.c.Target.Kind == cases.StartHook || w.proto && w.c.Target.Handler.Name() == model.First(w.framework) ||
		!w.proto && len(msgs) == 0 && starts == nil {
		return
	}
	var list []string
	for _, m := range msgs {
		list = append(list, w.expr(m, anyType))
	}
	w.add("x.Before(%s)", strings.Join(list, ", "))
}
