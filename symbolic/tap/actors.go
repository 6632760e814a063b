package tap

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file: the rules of [TAP18] Figure 10, for what actors do, one type a rule.

// ActorCreation is v = create(C, v'): a pending event of creation. v is a reference of its own.
//
// Differs: the class is that of the behaviour that is given, and the constructor's values are what the behaviour holds
// at the time of the event. A producer, as protoactor-go has them, is called first. In the print two created actors may
// have one name; here no two have.
type ActorCreation struct{}

func (ActorCreation) Name() string { return "Actor Creation" }

func (r ActorCreation) transitions(e *Engine, c *configuration, i int) (list []transition) {
	in := c.actors[i].previous()
	row, args, ok := operation(in)
	if !ok || row.Op != model.Spawn {
		return nil
	}
	made := e.behaviours(c.actors[i].at.frame, args[row.Props], 0)
	if len(made) == 0 {
		e.note("an actor of a class that is not known is created" + e.where(in))
		made = []behaviour{{}}
	}
	for _, b := range made {
		list = append(list, statement(r, c, i, func(d *configuration, a *actor) { e.create(d, a, in, b) })...)
	}
	return list
}

// create adds the event of creation.
func (e *Engine) create(d *configuration, a *actor, in ssaInstr, b behaviour) {
	d.count++
	ev := &event{actor: a.id, class: b.class, start: -1, ref: e.store.Uint(wordSort, uint64(firstRef+d.count))}
	e.happen(d, a, ev)
	e.change(d, e.reason(in), assign(a.at.frame.register(in.(ssaValue)), single(ev.ref)))
	ev.at, ev.value, ev.free = d.changes, b.value, b.free
	if b.hold != nil {
		d.require(e.reason(in), b.hold())
	}
	if b.producer != nil {
		e.produce(d, a, ev, b)
	}
	d.pending = append(slices.Clip(d.pending), ev)
}

// happen gives an event its time and place, and takes the actor to the time before.
func (e *Engine) happen(d *configuration, a *actor, ev *event) {
	ev.time = a.time
	d.order.edges = slices.Clip(d.order.edges)
	a.time = d.order.before(a.time)
	ev.run, a.acts = a.msg, true
	d.count++
	ev.nth = d.count
}

// MessageSending is v.send(v'): a pending event of sending.
//
// Differs: the rule is that of all operations that send. Answers go to the sender. A message that is passed on keeps
// its sender. What a timer sends is an event that is in no order with others of its actor.
type MessageSending struct{}

func (MessageSending) Name() string { return "Message Sending" }

func (r MessageSending) transitions(e *Engine, c *configuration, i int) []transition {
	in := c.actors[i].previous()
	row, args, ok := operation(in)
	if !ok {
		return nil
	}
	operand := func(k int) value { return e.operand(c.actors[i].at.frame, args[k]) }
	a := c.actors[i]
	self, sender := e.variable(a.name+"self"), e.variable(a.msg+"s")
	ev := &event{actor: a.id, kind: "send", sender: self, start: -1}
	switch row.Op {
	case model.Send, model.Request, model.RequestFrom, model.Ask:
		ev.to, ev.msg = operand(row.To), operand(row.Msg)
	case model.Respond:
		ev.to, ev.msg = e.variable(a.msg+"r"), operand(row.Msg)
	case model.Forward:
		ev.to, ev.msg, ev.sender = operand(row.To), e.variable(a.msg), sender
	case model.Timer, model.RequestTimer:
		ev.to, ev.msg, ev.kind = self, operand(row.Msg), "timer"
		if row.To != 0 {
			ev.to = operand(row.To)
		}
	default:
		return nil
	}
	switch {
	case row.Op == model.RequestFrom:
		ev.sender = operand(row.From)
	case row.Framework == model.Protoactor && row.Op != model.Request && row.Op != model.Forward &&
		row.Op != model.RequestTimer:
		ev.sender = e.zero
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		e.send(d, a, in, *ev)
		if deliversTo(row) {
			e.unless(d, in, e.notNil(operand(row.To)("", wordSort)))
		}
	})
}

// deliversTo reports whether a sending operation panics if the receiver is nobody: with protoactor-go, where it is a
// pointer.
func deliversTo(row model.Row) bool {
	switch row.Op {
	case model.Send, model.Request, model.RequestFrom, model.Ask, model.Forward:
		return row.Framework == model.Protoactor && row.To != 0
	}
	return false
}

// send adds the event of sending. What a request gives is the future for its answer.
func (e *Engine) send(d *configuration, a *actor, in ssaInstr, ev event) {
	e.happen(d, a, &ev)
	result := value(unmodelled)
	if row, _, _ := operation(in); row.Op == model.Ask {
		result = single(e.future(d))
		ev.reply = result
		if row.Framework == model.Protoactor {
			ev.sender = result
		}
	}
	if v, ok := in.(ssaValue); ok {
		e.change(d, e.reason(in), assign(a.at.frame.register(v), result))
	}
	ev.at = d.changes
	d.pending = append(slices.Clip(d.pending), &ev)
	d.sent = append(slices.Clip(d.sent), &ev)
}

// ActorEntryExisting is the entry of a handler whose message, and whose actor, come from actors that are there, or from
// the environment: a request for the message.
//
// Differs: the rule asks the message flow graph whether somebody who is there may send the message. In the text it says
// so, in the print it does not.
type ActorEntryExisting struct{}

func (ActorEntryExisting) Name() string { return "Actor Entry-Existing Actor" }

func (r ActorEntryExisting) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	if !a.atEntry() || !a.handling() || e.chooses(a) {
		return nil
	}
	if kind, ok := e.kind(c, a); !ok || !e.present(c, a.class, kind) || e.useless(a, kind) {
		return nil
	}
	return []transition{{rule: r, actor: c.actors[i].id, apply: func() *configuration {
		d, a := c.with(i)
		e.enter(d, a)
		return d
	}}}
}

// enter has an actor be idle, with an open request, which it gives.
func (e *Engine) enter(d *configuration, a *actor) *request {
	f, fn := a.at.frame, a.at.frame.fn
	kind, _ := e.kind(d, a)
	if !a.handles() {
		d.false = &clause{t: e.store.Bool(false)}
	}
	first, top := 0, a.levels[0].name
	if a.behaves.Recv != nil {
		first = 1
		e.change(d, "", assign(f.id+".p0", e.variable(top+"this")))
	}
	for k := range fn.FreeVars {
		e.change(d, "", assign(captured(f, k), e.variable(captures(top, k))))
	}
	if last := len(fn.Params) - 1; last > first || a.asked() {
		e.change(d, "", assign(parameter(f, last), e.variable(a.msg)))
	}
	d.count++
	q := &request{actor: a.id, msg: a.msg, time: a.time, nth: d.count, t: kind, asked: a.asked()}
	a.time = d.order.before(a.time)
	a.open = append(slices.Clip(a.open), q)
	a.runs = append(slices.Clip(a.runs), q)
	a.at, a.visit = nil, nil
	d.alone = 0
	if e.inVain(d) {
		d.false = &clause{t: e.store.Bool(false)}
	}
	return q
}

// ActorEntryNew is the entry of a handler whose message, or whose actor, comes from an actor that is not there yet. Its
// class is one that the message flow graph has as a predecessor.
//
// Differs: an actor that is introduced has a reference different from those of the others at once, not only when its
// creation is matched.
type ActorEntryNew struct{}

func (ActorEntryNew) Name() string { return "Actor Entry-New Actor" }

func (r ActorEntryNew) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if !a.atEntry() || !a.handling() || e.chooses(a) {
		return nil
	}
	if e.full(c) {
		return nil
	}
	kind, ok := e.kind(c, a)
	if !ok || e.useless(a, kind) {
		return nil
	}
	for _, class := range e.program.predecessors(a.class) {
		if !e.exists(c, class) || !e.program.creates(class, a.class) &&
			!slices.Contains(e.program.senders(a.class, kind), class) {
			continue
		}
		list = append(list, transition{rule: r, actor: a.id, class: class, apply: func() *configuration {
			d, a := c.with(i)
			e.enter(d, a)
			e.introduce(d, class)
			return d
		}})
	}
	return list
}

// full reports whether there may be no more actors.
func (e *Engine) full(c *configuration) bool {
	if len(c.actors)+len(c.made) < e.config.Actors {
		return false
	}
	e.cut("actors")
	return true
}

// introduce adds an actor to alpha.
func (e *Engine) introduce(d *configuration, class *Class) *actor {
	d.count++
	a := &actor{id: d.count, name: "a" + itoa(d.count), class: class, behaves: class}
	a.levels = []level{{name: a.name}}
	d.order.n++
	a.time, a.reached = d.order.n, d.order.n
	self := e.store.Var(a.name+"self|", wordSort)
	d.require("", e.store.Not(e.store.Equal(self, e.store.Uint(wordSort, 0))))
	for _, other := range d.actors {
		d.require("", e.store.Not(e.store.Equal(self, e.store.Var(other.name+"self|", wordSort))))
	}
	d.actors = append(slices.Clip(d.actors), a)
	return a
}

// OnReceiveLooping has an idle actor handle a message, from the end of its handler.
//
// Differs: the last message that an actor handles may be one whose handler waits for an answer, and goes on no more.
type OnReceiveLooping struct{}

func (OnReceiveLooping) Name() string { return "OnReceive Looping" }

func (r OnReceiveLooping) transitions(e *Engine, c *configuration, i int) (list []transition) {
	if c.actors[i].at != nil || c.actors[i].started {
		return nil
	}
	if c.runs >= e.runs {
		e.cut(cutRuns)
		return nil
	}
	if !e.stirred(c, c.actors[i].time) {
		return nil
	}
	for _, class := range e.program.candidates(c.actors[i]) {
		for _, b := range exits(class.Fn) {
			list = append(list, transition{rule: r, actor: c.actors[i].id, to: b, meets: meeting{actor: c.actors[i].id, exit: b},
				apply: func() *configuration {
					d, a := c.with(i)
					e.loop(d, a, class, b)
					return d
				}})
		}
	}
	return append(list, e.waiting(r, c, i)...)
}

// loop takes an idle actor to a block of the handler of a behaviour, behind all of it.
func (e *Engine) loop(d *configuration, a *actor, class *Class, b *ssaBlock) {
	d.runs++
	a.behaves = class
	f := &frame{id: d.fresh("f"), fn: b.Parent()}
	a.msg, a.acts, a.accepted = d.fresh("m"), false, false
	a.at = &point{f, b, len(b.Instrs), 0}
	a.visit = &visits{f, b, nil}
	if e.config.Atomic {
		d.alone = a.id
	}
}

// SelfReference is v = self.
type SelfReference struct{}

func (SelfReference) Name() string { return "Self Reference" }

func (r SelfReference) transitions(e *Engine, c *configuration, i int) []transition {
	return e.reference(r, c, i, model.Self, c.actors[i].name+"self")
}

// SenderReference is v = sender.
type SenderReference struct{}

func (SenderReference) Name() string { return "Sender Reference" }

func (r SenderReference) transitions(e *Engine, c *configuration, i int) []transition {
	return e.reference(r, c, i, model.Sender, c.actors[i].msg+"s")
}

func (e *Engine) reference(r Rule, c *configuration, i int, op model.Op, name string) []transition {
	in := c.actors[i].previous()
	row, _, ok := operation(in)
	if !ok || row.Op != op {
		return nil
	}
	return e.assignment(r, c, i, in.(ssaValue), func(*configuration, *actor) value { return e.variable(name) })
}
