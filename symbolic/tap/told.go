package tap

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: messages that protoactor-go sends by itself: Started, the first one of every actor, and ReceiveTimeout,
// which comes when no other has come for some time.

// Started is the entry of a handler whose message is Started: the actor has handled nothing before.
//
// Differs: the paper has no such messages. Where its handler does something at Started, an actor that is created has to
// have handled it; where it does nothing, Started is left out, unless the target is there. Its creator may have to be
// introduced here, since nobody sends this message.
type Started struct{}

func (Started) Name() string { return "Started" }

func (r Started) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if e.told.started == nil || !e.beginning(a) || !e.mayBe(c, a, e.told.started) ||
		!a.class.startMatters(e) && (a.id != 1 || len(a.runs) > 0) {
		return nil
	}
	start := func(class *Class) transition {
		return transition{rule: r, actor: a.id, class: class, apply: func() *configuration {
			d, a := c.with(i)
			e.takesTold(d, a, e.told.started)
			a.started = true
			if class != nil {
				e.introduce(d, class)
			}
			return d
		}}
	}
	creators := e.program.creators(a.class)
	if e.among(c, creators) || slices.ContainsFunc(e.start.Actors, func(b *system.Actor) bool {
		return (b.Fresh || a.id == 1 && len(a.runs) == 0) && e.program.classAt(b) == a.class
	}) {
		list = append(list, start(nil))
	}
	for _, class := range creators {
		if e.exists(c, class) && !e.full(c) {
			list = append(list, start(class))
		}
	}
	return list
}

// ReceiveTimeout is the entry of a handler whose message is ReceiveTimeout. The actor has asked for one
// (SetReceiveTimeout) and got none since: it has to ask again for the next.
//
// Differs: the paper has no timers of its own. Time is not modelled, so it may come at any time.
type ReceiveTimeout struct{}

func (ReceiveTimeout) Name() string { return "Receive Timeout" }

func (r ReceiveTimeout) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	if on, ok := idling(a.previous()); ok {
		return statement(r, c, i, func(d *configuration, a *actor) {
			a.acts = true
			e.change(d, "", assign(a.name+"idle", single(e.store.Bool(on))))
		})
	}
	if e.told.timeout == nil || !e.beginning(a) || !e.mayBe(c, a, e.told.timeout) ||
		!e.program.does(a.class, model.IdleTimer) {
		return nil
	}
	return []transition{{rule: r, actor: a.id, apply: func() *configuration {
		d, a := c.with(i)
		e.takesTold(d, a, e.told.timeout)
		e.change(d, "", assign(a.name+"idle", single(e.store.Bool(false))))
		d.require("", e.idle(a))
		d.assumed = append(slices.Clip(d.assumed),
			"nothing else comes to "+a.class.Name+" for as long as it waits for ReceiveTimeout")
		return d
	}}}
}

// idling reports whether an instruction asks for ReceiveTimeout, or does so no more, and which.
func idling(in ssa.Instruction) (on, ok bool) {
	if in == nil {
		return false, false
	}
	row, _, ok := operation(in)
	return row.Op == model.IdleTimer, ok && row.Framework == model.Protoactor &&
		(row.Op == model.IdleTimer || row.Op == model.CancelTimer)
}

// idle says whether an actor waits for ReceiveTimeout.
func (e *Engine) idle(a *actor) *term.Term { return e.store.Var(a.name+"idle|", term.Bool) }

// beginning reports whether an actor is at the entry of its handler.
func (e *Engine) beginning(a *actor) bool { return a.atEntry() && a.handling() && !e.chooses(a) }

// systemTypes holds the types of protoactor-go's own messages, nil where it is not there.
type systemTypes struct{ started, timeout types.Type }

// systemTypesIn finds them.
func systemTypesIn(p *load.Program) (t systemTypes) {
	pkg := p.SSA.ImportedPackage(model.ProtoactorPath)
	if pkg == nil {
		return t
	}
	find := func(name string) types.Type {
		if m := pkg.Type(name); m != nil {
			return types.NewPointer(m.Type())
		}
		return nil
	}
	return systemTypes{find("Started"), find("ReceiveTimeout")}
}

// mayBe reports whether the path that an actor has gone allows that its message is of a type.
func (e *Engine) mayBe(c *configuration, a *actor, t types.Type) bool {
	if model.Handles(a.class.Fn.Signature) != model.Protoactor {
		return false
	}
	known, not := e.typed(c, a)
	if known != nil {
		return types.Identical(known, t)
	}
	return !not[plain(t)]
}

// takesTold has an actor be idle, behind a message that nobody sends.
func (e *Engine) takesTold(d *configuration, a *actor, t types.Type) {
	q := e.enter(d, a)
	q.t, q.told = t, true
	a.open = a.open[:len(a.open)-1]
	e.change(d, "", assign(q.msg+"s", e.zero))
	e.change(d, "", assign(q.msg+"r", e.zero))
	msg := e.variable(q.msg)
	d.require("", e.store.Equal(msg(partType, wordSort), e.typeTerm(t)))
	d.require("", e.notNil(msg(".("+typeKey(t)+")", wordSort)))
}

// begins reports whether an actor that has, or has not, handled Started may be what an event creates. The target may be
// in what an actor of the start has done at Started before.
func (e *Engine) begins(ev *event, a *actor) bool {
	if a.started {
		return e.fresh(ev.start) || a.id == 1 && len(a.runs) == 1
	}
	return !e.fresh(ev.start) || !a.class.startMatters(e)
}

// fresh reports whether Started is still to be handled: by what handlers create (-1), and by some actors of the start.
func (e *Engine) fresh(start int) bool { return start < 0 || e.start.Actors[start].Fresh }

// past forgets what an actor of the start held when it handled Started, which is not known any more. That the
// conditions on it hold is assumed.
func (e *Engine) past(d *configuration, a *actor) {
	top := a.levels[0].name
	ch := &change{keys: []string{"@" + a.name, top + "this"}}
	for k := range a.class.Fn.FreeVars {
		ch.keys = append(ch.keys, captures(top, k))
	}
	kept := slices.DeleteFunc(slices.Clone(d.phi), func(k *clause) bool { return e.touches(ch, k.t) })
	if len(kept) < len(d.phi) && e.program.does(a.class, model.BehaviorDo) {
		d.false = &clause{t: e.store.Bool(false)} // which function it had on its stack decides, and is not known
	}
	if len(kept) < len(d.phi) {
		d.assumed = append(slices.Clip(d.assumed), "what "+a.class.Name+" held before the start")
	}
	d.phi = kept
}

// timed reports whether one of the rules is about messages of a type.
func (e *Engine) timed(t types.Type) bool {
	return e.told.started != nil && types.Identical(t, e.told.started) ||
		e.told.timeout != nil && types.Identical(t, e.told.timeout)
}

// endings are protoactor-go's own messages that no rule is about.
var endings = []string{"Stopping", "Stopped", "Restarting", "Terminated"}

// ending notes that a handler may be at work on one of them, for all that is known of its message.
func (e *Engine) ending(a *actor, not map[string]bool) {
	if model.Handles(a.class.Fn.Signature) != model.Protoactor {
		return
	}
	for _, name := range endings {
		if !not["actor."+name] {
			e.note("a message of the framework's own: actor." + name)
		}
	}
}

// startMatters reports whether it makes a difference that actors of a class handle Started: whether the handler does
// more than to look at the type of the message.
func (c *Class) startMatters(e *Engine) bool {
	if e.told.started == nil || model.Handles(c.Fn.Signature) != model.Protoactor {
		return false
	}
	if c.starts == unknown {
		if c.starts = no; e.acts(c.Fn.Blocks[0], e.told.started, map[*ssa.BasicBlock]bool{}) {
			c.starts = yes
		}
	}
	return c.starts == yes
}

// answer is what is known of a question.
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// acts reports whether a handler does something from a block on, if the message is of a type.
func (e *Engine) acts(b *ssa.BasicBlock, t types.Type, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] {
		return false
	}
	seen[b] = true
	if slices.ContainsFunc(b.Instrs, active) {
		return true
	}
	next := b.Succs
	if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
		if is, ok := isType(branch.Cond, t); ok {
			next = next[:1]
			if !is {
				next = b.Succs[1:]
			}
		}
	}
	return slices.ContainsFunc(next, func(b *ssa.BasicBlock) bool { return e.acts(b, t, seen) })
}

// active reports whether an instruction may do something that others can see.
func active(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return !local(in.Addr)
	case *ssa.Call:
		row, _, ok := operation(in)
		return !ok || row.Op != model.Message && row.Op != model.Self && row.Op != model.Sender
	case *ssa.MapUpdate, *ssa.Panic, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Select:
		return true
	}
	return false
}

// isType reads a condition that says whether the message of the handler holds a type, with its value for one of a type.
// It reports false for other conditions.
func isType(cond ssa.Value, t types.Type) (is, ok bool) {
	x, ok := cond.(*ssa.Extract)
	if !ok || x.Index != 1 {
		return false, false
	}
	a, ok := x.Tuple.(*ssa.TypeAssert)
	if !ok {
		return false, false
	}
	call, ok := a.X.(*ssa.Call)
	if !ok {
		return false, false
	}
	if row, _, ok := operation(call); !ok || row.Op != model.Message {
		return false, false
	}
	if i, ok := a.AssertedType.Underlying().(*types.Interface); ok {
		return types.Implements(t, i), true
	}
	return types.Identical(a.AssertedType, t), true
}
