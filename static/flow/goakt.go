package flow

import (
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file has what is different in GoAkt. An actor may be meant by its name alone. Response answers an Ask, and
// nothing else; whom Sender gives may be sent to, and waits for no answer. References do what elsewhere contexts do.

// preStarted does what goes with the creation of an actor: its hooks, its first message, and whose child it is.
func (o *operation) preStarted(c *class, behavior points.Loc) {
	c.framework = o.row.Framework
	for _, p := range o.actors(o.context) {
		o.related(p, c, c.ref.Root)
	}
	o.tell(c, "PostStart", nil)
	if o.solver.Object(behavior).Kind == points.Box {
		o.enterMethod(o.machine(c, "", nil), behavior, "PreStart", o.solver.Opaque())
		o.enterMethod(o.hook(c, "actor.PostStop"), behavior, "PostStop", o.solver.Opaque())
	}
}

// actors gives the actors that references or contexts lead to.
func (o *operation) actors(set points.Set) (list []*class) {
	for _, l := range set {
		if c, ok := o.solver.Object(l).Tag.(*class); ok {
			list = append(list, c)
		}
	}
	return list
}

// ofOwners reads something of the actor that acts, or of those that a method is called of.
func (o *operation) ofOwners(part func(*class) points.Loc) (out points.Set) {
	of := []*class{o.owner()}
	if o.row.Framework == model.GoAkt {
		of = o.actors(o.context)
	}
	for _, c := range of {
		out = out.Union(o.solver.Read(o.call.By, part(c)))
	}
	return out
}

// asking gives the actor that asks by a context or a reference; nobody where a function does.
func (o *operation) asking() (refs points.Set) {
	for _, c := range o.actors(o.context) {
		refs = refs.Union(points.One(c.ref.Root))
	}
	return refs
}

// sendersSeen gives those whom an actor sees as senders: in GoAkt no futures.
func (o *operation) sendersSeen() points.Set {
	return o.sendersThat(o.row.Framework != model.GoAkt, true)
}

// answered gives those whom an answer goes to: in GoAkt futures alone.
func (o *operation) answered() points.Set { return o.sendersThat(true, o.row.Framework != model.GoAkt) }

func (o *operation) sendersThat(futures, others bool) (out points.Set) {
	for _, l := range o.senders() {
		if _, future := o.solver.Object(l).Tag.(*future); future && futures || !future && others {
			out = out.Union(points.One(l))
		}
	}
	return out
}

// work sends what a function gives that runs elsewhere: an actor of the framework's to whoever looks at traces.
func (o *operation) work() {
	given := o.callback(o.row.Func)
	pipe := o.newClass(model.GoAktAdapterPath+".Pipe", o.program.SSA.ImportedPackage(model.GoAktPath).Pkg, "goakt.Pipe")
	pipe.builtin, pipe.framework = true, o.row.Framework
	o.draw(&delivery{kind: Create, from: o.sender(), in: o.in, to: pipe, by: o.call})
	o.messages(given, func(box points.Loc) {
		o.post(o.receivers(), box, delivery{kind: Send, from: pipe, in: o.hook(pipe, "goakt.Pipe"), by: o.call})
	})
	o.give(o.solver.Opaque().Union(o.solver.Nothing()))
}

// stash puts the message aside, or has an actor of GoAkt send itself what it has put aside.
func (o *operation) stash() {
	s, c := o.solver, o.owner()
	aside := s.Part(s.Special(kindMail, c, 0, nil).Root, stashPart)
	switch {
	case o.row.Framework != model.GoAkt:
	case o.row.Op == model.Stash:
		s.Write(aside, o.mail())
	default:
		for _, box := range s.Read(o.call.By, aside) {
			o.draw(&delivery{kind: Forward, from: c, in: o.in, to: c, by: o.call, message: box})
		}
	}
}
