package tap

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file: where a search begins, and what the start configuration tells of classes.

// roots are the initial configurations: one actor, of each class that may execute the target, and the creations by the
// environment.
func (e *Engine) roots(goal system.Goal) (stack []*node) {
	fn := goal.Block.Parent()
	for _, x := range e.program.handling(fn) {
		c := &configuration{}
		if !e.exists(c, x.class) {
			continue
		}
		for k, a := range e.start.Actors {
			ev := &event{class: e.program.classAt(a), start: k, ref: startRef(e.store, k)}
			c.pending = append(c.pending, ev)
		}
		a := e.introduce(c, x.class)
		a.behaves, c.runs = x.behaves, 1
		f := &frame{id: c.fresh("f"), fn: fn}
		a.msg = c.fresh("m")
		a.at = &point{f, goal.Block, 0, 0}
		a.visit = &visits{f, goal.Block, nil}
		if e.config.Atomic {
			c.alone = a.id
		}
		if goal.Panic {
			e.panics(c, a, goal)
		}
		if c.why != "" {
			e.note(c.why)
		} else if c.false == nil {
			stack = append(stack, &node{c: c, todo: e.transitions(c), fork: true})
		}
	}
	if len(stack) == 0 && e.first == "" {
		e.note(e.program.unexecuted(fn))
	}
	return stack
}

// unexecuted says why no actor of the start is known to execute a function.
func (p *Program) unexecuted(fn *ssa.Function) string {
	for _, c := range p.classes {
		if c.Hook != nil && p.reach(c.Hook)[fn] {
			return "what actors do when they are created (Start) is not modelled: " + fn.String()
		}
	}
	for _, behind := range p.behind {
		if p.reach(behind)[fn] {
			return "what is done behind an answer (ReenterAfter) is not modelled: " + fn.String()
		}
	}
	return "no actor that there is executes " + fn.String()
}

// classAt gives the class of an actor of the start configuration.
func (p *Program) classAt(a *system.Actor) *Class {
	if a.Recv != nil {
		if c := p.classOf(a.Recv); c != nil {
			return c
		}
	}
	return p.classOfFunc(a.Fn)
}

// shapesOf lists the types of messages that actors of a class may get from outside.
func (e *Engine) shapesOf(class *Class) (list []types.Type) {
	if list, ok := e.shapes[class]; ok {
		return list
	}
	defer func() { e.shapes[class] = list }()
	for _, s := range e.start.Shapes {
		if e.program.classAt(e.start.Actors[s.To]) == class && !containsType(list, s.Type) {
			list = append(list, s.Type)
		}
	}
	return list
}

// accepts reports whether what is created may get the messages from outside that an actor has received.
func (e *Engine) accepts(ev *event, a *actor) bool {
	for _, t := range a.shape {
		if !slices.ContainsFunc(e.start.Shapes,
			func(s system.Shape) bool { return s.To == ev.start && types.Identical(s.Type, t) }) {
			return false
		}
	}
	return true
}
