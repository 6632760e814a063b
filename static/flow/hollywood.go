package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file has what is different in Hollywood. Actors are spawned by a producer and options, without props. What an
// actor does in Initialized, Started and Stopped is handled by Receive like any message. The engine sends without a
// sender. The event stream is an actor that passes everything on to those that listen.

// acts reports whether an operation is an actor's own, by its context; else it is the engine's.
func (o *operation) acts() bool { return !slices.Contains(o.context, o.system.Root) }

// spawnProduced creates the actors that a producer makes, or one that is a function.
func (o *operation) spawnProduced(kind string) {
	s := o.solver
	props := s.Made(kindProps, o.call)
	props.Tag = model.Hollywood
	s.Write(o.slot(props.Root, "producer"), o.arg(o.row.Props))
	o.configure(points.One(props.Root), o.spread(o.call.Callee.Signature().Params().Len()))
	o.give(o.produce(props.Root, o.identity(props.Root, kind), o.owner(), o.in))
}

// identity is what an actor is called: its kind, with the identifier that options give. Without one the framework
// draws a number, and nobody finds the actor by a name that is written down.
func (o *operation) identity(props points.Loc, kind string) string {
	id := o.solver.Read(o.call.By, o.slot(props, "id"))
	if len(id) == 0 {
		return kind
	}
	return joined(kind, o.calledAs(id))
}

// joined puts a name together from its parts. Of an identifier that is not known the kind remains.
func joined(kind, id string) string {
	if kind == points.Anything {
		return points.Anything
	}
	return kind + "/" + id
}

// kindOnly gives the name that all of a kind have whose identifiers are not known.
func kindOnly(name string) string { return name[:strings.LastIndexByte(name, '/')+1] + points.Anything }

// isKnown reports whether a name is a constant, to its end.
func isKnown(name string) bool {
	return name != points.Anything && !strings.HasSuffix(name, "/"+points.Anything)
}

// setByHand takes over what an option of the program's own has written into the fields of the options.
func (o *operation) setByHand(props points.Set) {
	s, opts := o.solver, o.declared(model.HollywoodPath, "Opts")
	if opts == nil {
		return
	}
	for _, l := range props {
		held := func(field string) points.Set { return s.Read(o.call.By, s.Part(l, fieldOf(opts, field))) }
		s.Write(o.slot(l, "producer"), held("Producer"))
		layers := s.ReadAll(o.call.By, s.Parts(held("Middleware"), points.Elem))
		s.Write(o.slot(l, "receiverMiddlewareChain"), o.apply(layers, o.next("receiverMiddlewareChain")))
		s.Write(o.slot(l, "id"), o.called(points.Anything)) // it may have set that, too
	}
}

// started does what goes with the creation of an actor: it is a child where an actor spawns it by its own context, and
// hears of its life.
func (o *operation) started(c, by *class) {
	c.framework = o.row.Framework
	if o.acts() {
		o.related(by, c, c.ref.Root)
		o.christen(c, points.Anything) // its name begins with that of its parent
	}
	for _, life := range []string{"Initialized", "Started", "Stopped"} {
		o.tell(c, life, nil)
	}
}

// poisons has an actor that stops send its children what has them stop.
func (b *builder) poisons(c *class) {
	if c.framework != model.Hollywood || c.builtin {
		return
	}
	for _, l := range b.solver.Read(nil, c.children) {
		child, ok := b.solver.Object(l).Tag.(*class)
		if box := b.messageOf(model.Hollywood, "Poison", "", nil); ok && box != 0 {
			b.draw(&delivery{kind: Send, from: c, in: b.hook(c, "actor.Stopped"), to: child, message: box, pos: c.pos})
		}
	}
}

// handedOn is what the middleware of an actor hands on: the message that the context has.
func (o *operation) handedOn() {
	m, s := o.in, o.solver
	before := m.facts(s)
	s.Write(m.handled, s.Read(o.call.By, m.mailbox))
	m.class.touched = m.class.touched || m.facts(s) != before
}

// ownType is the type of a message of a framework. Some of Hollywood's are not exported: then it is what stands for
// them in traces.
func (b *builder) ownType(framework, name string) types.Type {
	switch framework {
	case model.Native:
		return b.declared(model.NativePath, name)
	case model.GoAkt:
		return b.declared(model.GoAktPath, name)
	case model.Hollywood:
	default:
		return b.declared(protoactor, name)
	}
	if t := b.declared(model.HollywoodPath, name); t != nil {
		return t
	}
	if b.program.SSA.ImportedPackage(model.HollywoodPath) == nil {
		return nil
	}
	t, ok := b.standins[name]
	if !ok {
		pkg := types.NewPackage(model.HollywoodAdapterPath, "hollywood")
		t = types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(nil, nil), nil)
		b.standins[name] = t
	}
	return t
}

// streamClass is the actor of the framework's events.
func (b *builder) streamClass() *class {
	pkg := b.program.SSA.ImportedPackage(model.HollywoodPath)
	c := b.newClass(model.HollywoodAdapterPath+".EventStream", pkg.Pkg, "hollywood.EventStream")
	if !c.builtin {
		c.builtin, c.framework = true, model.Hollywood
		b.draw(&delivery{kind: Create, from: b.environment, in: b.machines[0], to: c})
	}
	return c
}

// listen has the stream of events send what comes to an actor, or no longer.
func (o *operation) listen() {
	stream := o.streamClass()
	if o.row.Op == model.Listen {
		o.solver.Write(o.solver.Part(o.stream.Root, listenPart), o.arg(o.row.To))
	}
	if box := o.message(o.row.Tell, "", nil); box != 0 {
		o.draw(&delivery{kind: Send, from: o.sender(), in: o.in, to: stream, by: o.call, message: box})
	}
}

// broadcast sends messages to all that listen. Where nobody does, nobody can see them.
func (o *operation) broadcast() {
	s := o.solver
	listeners := s.Read(o.call.By, s.Part(o.stream.Root, listenPart))
	if len(listeners) == 0 {
		return
	}
	stream := o.streamClass()
	o.messages(o.arg(o.row.Msg), func(box points.Loc) {
		d := delivery{kind: Send, from: o.sender(), in: o.in, to: stream, by: o.call, message: box}
		o.draw(&d)
		d.kind, d.from, d.in = Forward, stream, o.hook(stream, o.messageName(box))
		d.senders = points.One(stream.ref.Root)
		o.post(listeners, box, d)
	})
}

// tellListeners sends the framework's own events to those that listen. Each may be about any actor.
func (b *builder) tellListeners() {
	s := b.solver
	listeners := s.Read(nil, s.Part(b.stream.Root, listenPart))
	if len(listeners) == 0 {
		return
	}
	stream := b.streamClass()
	var all points.Set
	for _, c := range b.order {
		if c.framework == model.Hollywood && !c.builtin {
			all = all.Union(points.One(c.ref.Root))
		}
	}
	fields := map[string]points.Set{"PID": all, "Target": all, "Sender": all,
		"Reason":  b.reason(),
		"Message": s.Read(nil, s.Part(b.stream.Root, lostPart))}
	for _, name := range model.HollywoodEvents {
		event := b.eventOf(model.Hollywood, name, b.hook(stream, name), fields)
		for _, l := range listeners {
			c, ok := s.Object(l).Tag.(*class)
			if !ok || c.environment {
				continue
			}
			for _, box := range event {
				b.put(b.machine(c, b.messageName(box), s.Object(box).Type), box, points.One(stream.ref.Root))
			}
		}
	}
}

// hollywoodEvents are the events of the framework by the names that traces have.
func hollywoodEvents() []string {
	var names []string
	for _, name := range model.HollywoodEvents {
		names = append(names, "actor."+name)
	}
	return names
}
