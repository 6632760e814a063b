package tap

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file: changes of behaviour of native actors, one type a rule. Those of protoactor-go are a stack of functions in
// an actor's state (functions.go).
//
// Differs: the paper's actors handle all messages alike. An actor has a stack of behaviours, which is told backwards as
// far as something depends on it: the top handles the message of a run. A class says what actors are created as; a run
// has a behaviour of its own, which is the class where nothing changes it.

// level is a behaviour on the stack of an actor, and what is known of it.
type level struct {
	class *Class // nil: any
	name  string // the beginning of the names of its variables
}

// Become is become(v): the behaviour on top is v, and the one below it was on top before.
type Become struct{}

func (Become) Name() string { return "Become" }

func (r Become) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	in := a.previous()
	row, args, ok := operation(in)
	if !ok || row.Op != model.Become {
		return nil
	}
	if row.Framework != model.Native {
		return statement(r, c, i, func(d *configuration, a *actor) { e.restack(d, a, in) })
	}
	top := a.levels[0]
	if top.class == nil { // nothing depends on it
		return statement(r, c, i, func(d *configuration, a *actor) { e.lower(d, a) })
	}
	made := e.behaviours(a.at.frame, args[row.Func], 0)
	if len(made) == 0 {
		return statement(r, c, i, func(d *configuration, _ *actor) {
			d.unmodelled("an actor becomes what is not known" +
				e.where(in))
		})
	}
	for _, b := range made {
		if b.class != top.class {
			continue
		}
		list = append(list, statement(r, c, i, func(d *configuration, a *actor) {
			e.change(d, e.reason(in), assign(top.name+"this", b.value))
			for k, v := range b.free {
				e.change(d, e.reason(in), assign(captures(top.name, k), v))
			}
			if b.hold != nil {
				d.require(e.reason(in), b.hold())
			}
			e.lower(d, a)
		})...)
	}
	return list
}

// lower takes the behaviour on top away, which was put there just now.
func (e *Engine) lower(d *configuration, a *actor) {
	a.acts = true
	if a.levels = a.levels[1:]; len(a.levels) > 0 {
		return
	}
	if a.bottom { // nothing was below it
		d.false = &clause{t: e.store.Bool(false)}
	}
	a.levels = []level{{name: d.fresh(a.name + "b")}}
}

// Unbecome is unbecome(): some behaviour was on top before, and is dropped; the last one stays.
type Unbecome struct{}

func (Unbecome) Name() string { return "Unbecome" }

func (r Unbecome) transitions(e *Engine, c *configuration, i int) []transition {
	in := c.actors[i].previous()
	row, _, ok := operation(in)
	if !ok || row.Op != model.Unbecome {
		return nil
	}
	if row.Framework != model.Native {
		return statement(r, c, i, func(d *configuration, a *actor) { e.restack(d, a, in) })
	}
	list := statement(r, c, i, func(d *configuration, a *actor) {
		a.acts = true
		a.levels = append([]level{{name: d.fresh(a.name + "b")}}, a.levels...)
	})
	if len(c.actors[i].levels) == 1 {
		list = append(list, statement(r, c, i, func(_ *configuration, a *actor) { a.acts, a.bottom = true, true })...)
	}
	return list
}

// handles has the behaviour on top of the stack be that of a run, at the entry of its handler. It reports false if it
// is another one.
func (a *actor) handles() bool {
	top := a.levels[0]
	if top.class == nil {
		top.class = a.behaves
		a.levels = append([]level{top}, a.levels[1:]...)
	}
	return top.class == a.behaves
}

// whole reports whether an actor has what is known of its stack, and no handler that is still to begin. The actor was
// created as its class, and has done nothing yet.
func (a *actor) whole() bool {
	return len(a.tasks) == 0 && len(a.levels) == 1 && (a.levels[0].class == nil || a.levels[0].class == a.class)
}

// candidates lists the behaviours that the run before all that is known of an actor may have had.
func (p *Program) candidates(a *actor) (list []*Class) {
	top := a.levels[0].class
	for _, b := range p.behavioursOf(a.class) {
		if top == nil || b == top || slices.Contains(p.turns(b), top) || p.undoes(b) {
			list = append(list, b)
		}
	}
	return list
}

// behavioursOf lists what actors of a class may behave as, the class itself first.
func (p *Program) behavioursOf(c *Class) []*Class {
	if list, ok := p.behaving[c]; ok {
		return list
	}
	list := []*Class{c}
	for i := 0; i < len(list); i++ {
		for _, b := range p.turns(list[i]) {
			if !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
	p.behaving[c] = list
	return list
}

// turns lists the behaviours that a handler may put on top.
func (p *Program) turns(c *Class) []*Class {
	if c.turns != nil {
		return c.turns
	}
	c.turns = []*Class{}
	for _, call := range p.changes(c, model.Become) {
		_, args, _ := operation(call)
		list, ok := p.made(args[1])
		if !ok {
			list = p.natives()
		}
		for _, b := range list {
			if !slices.Contains(c.turns, b) {
				c.turns = append(c.turns, b)
			}
		}
	}
	return c.turns
}

// undoes reports whether a handler may go back to the behaviour before.
func (p *Program) undoes(c *Class) bool { return len(p.changes(c, model.Unbecome)) > 0 }

// changes lists the calls of an operation of native actors in a handler, in the order of the source.
func (p *Program) changes(c *Class, op model.Op) (list []*ssa.Call) {
	for fn := range p.executes(c) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if row, _, ok := operation(in); ok && row.Op == op && row.Framework == model.Native {
					list = append(list, in.(*ssa.Call))
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y *ssa.Call) int { return int(x.Pos()) - int(y.Pos()) })
	return list
}

// natives lists the classes of native actors.
func (p *Program) natives() (list []*Class) {
	for _, c := range p.classes {
		if model.Handles(c.Fn.Signature) == model.Native {
			list = append(list, c)
		}
	}
	return list
}

// made lists the classes of what a value may make an actor of. It reports false if there may be others.
func (p *Program) made(v ssa.Value) (list []*Class, ok bool) {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return p.made(v.X)
	case *ssa.ChangeType:
		return p.made(v.X)
	case *ssa.Function:
		return []*Class{p.classOfFunc(v)}, true
	case *ssa.MakeClosure:
		return []*Class{p.classOfFunc(v.Fn.(*ssa.Function))}, true
	case *ssa.MakeInterface:
		if model.ActorFunc(v.X.Type()) != "" {
			return p.made(v.X)
		}
	}
	for _, t := range held(v, 0) {
		c := p.classOf(t)
		if c == nil {
			return nil, false
		}
		list = append(list, c)
	}
	return list, len(list) > 0
}
