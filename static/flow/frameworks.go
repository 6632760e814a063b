package flow

import (
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file does what frameworks do by themselves around handlers: middleware before them, decorated contexts, messages
// that answer themselves, supervisors, and events of their own.

// receives enters the middleware before an actor's behaviours, with a message in an envelope.
func (b *builder) receives(m *machine) {
	s, c := b.solver, m.class
	layers := b.layersOf(nil, c, "receiverMiddlewareChain")
	plain := b.bare(nil, c, "receiverMiddlewareChain")
	if plain && b.bare(nil, c, "contextDecoratorChain") {
		s.Write(m.handled, s.Read(nil, m.mailbox))
	}
	contexts := b.contexts(nil, c)
	for _, ctx := range contexts {
		if plain && s.Object(ctx).Kind == points.Box {
			b.enterMethod(m, ctx, "Receive", b.arrived(m))
		}
	}
	for _, l := range layers {
		switch f := s.Object(l); f.Kind {
		case points.Func:
			s.Enter(f.Fn, points.Context{In: m.index, On: l}, []points.Set{contexts, b.arrived(m)})
		case kindNext: // middleware that does nothing
			s.Write(m.handled, s.Read(nil, m.mailbox))
		case points.Unknown:
			b.note("", "what the middleware of %s does with messages is unknown%s", c.name, why(f))
			s.Write(m.handled, s.Read(nil, m.mailbox))
		}
	}
}

// layer enters middleware that props have got since the actors made from them were last looked at.
func (b *builder) layer(c *class) {
	n := len(b.layersOf(nil, c, "receiverMiddlewareChain"))
	if n == c.layers {
		return
	}
	c.layers = n
	for _, m := range c.machines {
		if !m.start {
			b.receives(m)
		}
	}
}

// arrived gives the envelope in which middleware gets the messages of a machine.
func (b *builder) arrived(m *machine) points.Set {
	s := b.solver
	e := s.Special(points.Memory, "arrived", m.index, b.declared(protoactor, "MessageEnvelope"))
	e.Full = true
	s.Write(b.envelopeField(e.Root, "Message"), s.Read(nil, m.mailbox))
	s.Write(b.envelopeField(e.Root, "Sender"), s.Read(nil, m.senders))
	return points.One(e.Root)
}

// contexts gives what the behaviours of an actor get as their context. f runs again when that grows.
func (b *builder) contexts(f *points.Function, c *class) points.Set {
	out := b.solver.Read(f, c.decorated)
	if b.bare(f, c, "contextDecoratorChain") {
		out = out.Union(points.One(c.ctx.Root))
	}
	return out
}

// answersItself enters what makes the answer of a message that has one.
func (b *builder) answersItself(m *machine) {
	if m.class.framework != model.Protoactor {
		return
	}
	for _, box := range b.solver.Read(nil, m.handled) {
		if o := b.solver.Object(box); o.Kind != points.Box || o.Type == nil || b.messageName(box) == "*actor.Touch" {
			continue
		}
		for _, f := range b.enterMethod(m, box, "GetAutoResponse", points.One(m.class.ctx.Root)) {
			if b.answering[f] == nil && f.Fn.Signature.Results().Len() == 1 {
				b.answering[f] = m
				b.answers = append(b.answers, f)
			}
		}
	}
}

// frameworks does what frameworks do when the program is at rest, and reports whether there is more to do for handlers
// then.
func (b *builder) frameworks() bool {
	before := b.size()
	for i := 0; i < len(b.order); i++ {
		c := b.order[i]
		if !c.environment {
			b.layer(c)
			b.decorate(c)
			b.supervise(c)
			b.touched(c)
		}
	}
	for i := 0; i < len(b.answers); i++ {
		b.answer(b.answers[i])
	}
	b.endWithParents()
	b.tellListeners()
	b.solver.Run()
	b.worklist = append(b.worklist, b.successors()...)
	return len(b.worklist) > 0 || b.size() != before
}

// size is how much is known in all.
func (b *builder) size() int {
	n := len(b.list) + len(b.order) + len(b.solver.Functions()) + len(b.answers)
	for _, c := range b.order {
		n += b.inEdges(c) + len(b.solver.Read(nil, c.ended)) + len(b.solver.Read(nil, c.children))
	}
	return n
}

// decorate has decorators make the context of an actor.
func (b *builder) decorate(c *class) {
	s := b.solver
	before := len(s.Read(nil, c.decorated))
	defer func() { c.touched = c.touched || len(s.Read(nil, c.decorated)) != before }()
	for _, l := range b.layersOf(nil, c, "contextDecoratorChain") {
		switch f := s.Object(l); f.Kind {
		case points.Func:
			in := b.hook(c, started)
			entered := s.Enter(f.Fn, points.Context{In: in.index, On: l}, []points.Set{points.One(c.ctx.Root)})
			s.Write(c.decorated, entered.Result(0))
		case kindNext:
			s.Write(c.decorated, points.One(c.ctx.Root))
		case points.Unknown:
			b.note("", "what the context of %s does is unknown%s", c.name, why(f))
			s.Write(c.decorated, points.One(c.ctx.Root))
		}
	}
}

// failed is what supervisors hear of.
const failed = "actor.Failure"

// supervise has supervisors decide about the children of an actor, in its step; and guardians about itself.
func (b *builder) supervise(c *class) {
	s := b.solver
	if c.framework != model.Protoactor {
		return
	}
	strategies := b.layersOf(nil, c, "guardianStrategy")
	children := s.Read(nil, c.children)
	if s.Read(nil, c.parents).Has(b.environment.ref.Root) {
		strategies = strategies.Union(s.Read(nil, b.slot(b.roots.Root, "guardianStrategy")))
	}
	if len(children) > 0 {
		strategies = strategies.Union(b.layersOf(nil, c, "supervisionStrategy"))
		for _, behavior := range c.behaviors {
			b.judge(c, behavior)
		}
	}
	for _, l := range strategies {
		b.judge(c, l)
	}
	event := b.eventOf(model.Protoactor, "SupervisorEvent", b.hook(c, failed),
		map[string]points.Set{"Child": children.Union(points.One(c.ref.Root)), "Reason": b.reason()})
	for _, l := range s.Read(nil, s.Part(b.stream.Root, points.Content)) {
		if f := s.Object(l); f.Kind == points.Func && len(f.Fn.Blocks) > 0 {
			s.Enter(f.Fn, points.Context{In: b.hook(c, failed).index, On: l}, []points.Set{event})
		}
	}
}

// reason is what an actor has panicked with.
func (b *builder) reason() points.Set { return points.One(b.solver.UnknownFrom("a panic").Root) }

// judge enters what decides about a failure: a supervisor of the program's own, or the function that the framework's
// asks.
func (b *builder) judge(c *class, strategy points.Loc) {
	s, in := b.solver, b.hook(c, failed)
	switch o := s.Object(strategy); o.Kind {
	case points.Box:
		if _, fn := o.Type.Underlying().(*types.Signature); fn {
			return
		}
		children := s.Read(nil, c.children).Union(points.One(c.ref.Root))
		if len(b.enterMethod(in, strategy, "HandleFailure", points.One(b.system.Root), points.One(c.ctx.Root), children,
			s.Opaque(), b.reason(), b.reason())) > 0 {
			b.mayEnd(c)
		}
	case kindStrategy:
		for _, l := range s.Read(nil, s.Part(strategy, points.Content)) {
			if f := s.Object(l); f.Kind == points.Func && len(f.Fn.Blocks) > 0 {
				s.Enter(f.Fn, points.Context{In: in.index, On: l}, []points.Set{b.reason()})
				b.mayEnd(c)
			}
		}
	case points.Unknown:
		b.note("", "what the supervisor of %s does is unknown%s", c.name, why(o))
	}
}

// mayEnd notes that a supervisor may stop the children of an actor, or a guardian itself.
func (b *builder) mayEnd(c *class) {
	b.endsAll(b.solver.Read(nil, c.children))
	if len(b.layersOf(nil, c, "guardianStrategy")) > 0 ||
		len(b.solver.Read(nil, b.slot(b.roots.Root, "guardianStrategy"))) > 0 {
		b.ends(c)
	}
}

// ends notes that an actor may stop before others do, so that what is sent to it may find nobody.
func (b *builder) ends(c *class) { b.solver.Write(c.ended, points.One(b.nobody.Root)) }

func (b *builder) endsAll(refs points.Set) {
	for _, l := range refs {
		if c, ok := b.solver.Object(l).Tag.(*class); ok {
			b.ends(c)
		}
	}
}

// endWithParents notes that children stop with their parents.
func (b *builder) endWithParents() {
	for _, c := range b.order {
		if len(b.solver.Read(nil, c.ended)) > 0 {
			b.endsAll(b.solver.Read(nil, c.children))
			b.poisons(c)
		}
	}
}

// own is an operation of the framework's in the step of an actor.
func (b *builder) own(by *points.Function) *operation {
	return b.operation(&points.Call{By: by}, model.Row{Framework: model.Protoactor})
}

// answer sends what a message has answered by itself.
func (b *builder) answer(by *points.Function) {
	o := b.own(by)
	o.messages(by.Result(0), func(box points.Loc) {
		o.post(o.senders(), box, delivery{kind: Respond, from: o.self, in: o.in, pos: by.Fn.Pos()})
	})
}

// touched answers the framework's own message that does.
func (b *builder) touched(c *class) {
	for _, m := range c.machines {
		isTouch := func(box points.Loc) bool { return b.messageName(box) == "*actor.Touch" }
		if c.framework != model.Protoactor || !slices.ContainsFunc(b.solver.Read(nil, m.mailbox), isTouch) {
			continue
		}
		for _, f := range b.solver.Functions() {
			if f.In != m.index {
				continue
			}
			o := b.own(f)
			if box := o.message("Touched", c.key, points.One(c.ref.Root)); box != 0 {
				o.post(o.senders(), box, delivery{kind: Respond, from: c, in: m, pos: c.pos})
			}
			break
		}
	}
}

// eventOf gives one of a framework's events, with what is in it by field. Those of protoactor-go are pointers.
func (b *builder) eventOf(framework, name string, in *machine, fields map[string]points.Set) points.Set {
	typ := b.ownType(framework, name)
	if typ == nil {
		return nil
	}
	s := b.solver
	body := s.Special(points.Memory, "event "+name, in.index, typ)
	for field, v := range fields {
		if i := fieldOf(typ, field); i >= 0 {
			s.Write(s.Part(body.Root, i), v)
		}
	}
	if framework == model.Protoactor {
		typ = types.NewPointer(typ)
	}
	box := s.NewBox("event "+name, in.index, typ)
	s.Write(s.Part(box, points.Content), points.One(body.Root))
	return points.One(box)
}
