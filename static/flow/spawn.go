package flow

import (
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file creates actors.

// spawn creates actors, through the middleware of who spawns.
func (o *operation) spawn() {
	s, name := o.solver, o.name()
	if o.row.Framework == model.Native || o.row.Framework == model.GoAkt {
		var refs points.Set
		for _, l := range o.arg(o.row.Props) {
			if s.Object(l).Kind != points.Nothing {
				refs = refs.Union(o.born(l, name, 0, o.owner(), o.in))
			}
		}
		o.give(refs)
		return
	}
	if o.row.Framework == model.Hollywood {
		o.spawnProduced(name)
		return
	}
	layers := o.layers("spawnMiddlewareChain")
	if len(layers) == 0 {
		o.give(o.spawnBy(o.arg(o.row.Props), name))
		return
	}
	o.give(o.apply(layers, points.One(o.system.Root), o.called(name), o.arg(o.row.Props), o.context))
}

// called is a name as a value, for what is handed through functions of the program.
func (o *operation) called(name string) points.Set {
	as := o.solver.Special(kindName, "called "+name, 0, nil)
	as.Tag, as.Atom = name, true
	return points.One(as.Root)
}

// spawnBy creates actors as their props say: some have a spawner of their own, as those of routers do.
func (o *operation) spawnBy(props points.Set, name string) points.Set {
	s := o.solver
	var refs points.Set
	for _, l := range props {
		spawners := s.Read(o.call.By, o.slot(l, "spawner"))
		for _, by := range spawners {
			if r, ok := s.Object(by).Tag.(*routerKind); ok {
				refs = refs.Union(o.spawnRouter(r, by, l))
			} else {
				refs = refs.Union(o.apply(points.One(by), points.One(o.system.Root), o.called(name), points.One(l), o.context))
			}
		}
		if len(spawners) == 0 {
			refs = refs.Union(o.produce(l, name, o.owner(), o.in))
		}
	}
	return refs
}

// produce creates the actors that props make.
func (o *operation) produce(props points.Loc, name string, by *class, in *machine) points.Set {
	s := o.solver
	if p := s.Object(props); p.Kind == points.Nothing {
		return nil
	} else if p.Kind == points.Unknown || p.Kind == points.Opaque {
		o.note(o.at(), "what is spawned here is unknown%s", why(p))
		return nil
	}
	var refs points.Set
	for _, producer := range s.Read(o.call.By, o.slot(props, "producer")) {
		if f := s.Object(producer); f.Kind == points.Func && f.Fn.Signature.Results().Len() == 0 { // the behaviour itself
			refs = refs.Union(o.born(producer, name, props, by, in))
			continue
		}
		s.CallValue(o.call.By, o.call.Site, producer, []points.Set{nil}, func(_ int, made points.Set) {
			for _, behavior := range made {
				if s.Object(behavior).Kind != points.Nothing {
					refs = refs.Union(o.born(behavior, name, props, by, in))
				}
			}
		})
	}
	return refs
}

// born is the creation of one actor. The paper's getRef is classOf.
func (o *operation) born(behavior points.Loc, name string, props points.Loc, by *class, in *machine) points.Set {
	c := o.classOf(behavior, name)
	if c == nil {
		o.note(o.at(), "what is spawned here is unknown%s", why(o.solver.Object(behavior)))
		return nil
	}
	o.behave(c, behavior)
	o.christen(c, name)
	if props != 0 {
		o.solver.Write(c.props, points.One(props))
		for _, init := range o.solver.Read(o.call.By, o.slot(props, "onInit")) {
			o.apply(points.One(init), points.One(c.young.Root))
		}
	}
	o.created(c, behavior, by, in)
	return points.One(c.ref.Root)
}

// created does what goes with the creation of an actor: the edge, the start hook, and what the framework tells.
func (o *operation) created(c *class, behavior points.Loc, by *class, in *machine) {
	o.draw(&delivery{kind: Create, from: by, in: in, to: c, by: o.call, message: behavior})
	switch o.row.Framework {
	case model.Hollywood:
		o.started(c, by)
		return
	case model.GoAkt:
		o.preStarted(c, behavior)
		return
	}
	o.related(by, c, c.ref.Root)
	if o.row.Framework == model.Protoactor {
		c.framework = o.row.Framework
		for _, life := range []string{"Started", "Stopping", "Stopped", "Restarting"} {
			o.tell(c, life, nil)
		}
		if !by.environment {
			o.tell(by, "Terminated", points.One(c.ref.Root))
		}
		return
	}
	if o.solver.Object(behavior).Kind == points.Box {
		start := o.machine(c, "", nil)
		o.enterMethod(start, behavior, "Start", points.One(c.ctx.Root))
	}
}

// related notes who is whose parent, and by which reference.
func (b *builder) related(parent, child *class, as points.Loc) {
	b.solver.Write(child.parents, points.One(parent.ref.Root))
	b.solver.Write(parent.children, points.One(as))
}

// name is what an actor is spawned as, where that is a constant.
func (o *operation) name() string {
	if o.row.Name == 0 {
		return ""
	}
	return o.constant(o.row.Name)
}

// constant is an argument that is a string, Anything if that is not known.
func (o *operation) constant(i int) string {
	common := o.call.Site.Common()
	if common.IsInvoke() {
		i--
	}
	if i < 0 || i >= len(common.Args) {
		return points.Anything
	}
	return o.call.By.Name(common.Args[i])
}

// christen notes that an actor may be found under a name. Each constant name has an object; that of names that are no
// constants has part anyName too, which is all that have a name.
func (o *operation) christen(c *class, name string) {
	if name == "" {
		return
	}
	root := o.solver.Special(kindMail, "names", 0, nil).Root
	o.solver.Write(o.solver.Part(root, anyName), points.One(c.ref.Root))
	if name != points.Anything {
		root = o.solver.Special(kindMail, "name "+name, 0, nil).Root
	}
	o.solver.Write(o.solver.Part(root, points.Content), points.One(c.ref.Root))
}

// named gives those that may be found under a name: who is spawned by that constant, and who is spawned by a name that
// is none. A name that is no constant may be anybody's.
func (o *operation) named() points.Set {
	s, root := o.solver, o.solver.Special(kindMail, "names", 0, nil).Root
	name := o.name()
	if o.row.Op == model.ByName && o.row.From > 0 {
		name = joined(name, o.constant(o.row.From))
	}
	if !isKnown(name) {
		return s.Read(o.call.By, s.Part(root, anyName)).Union(points.One(o.nobody.Root))
	}
	out := points.One(o.nobody.Root)
	for _, l := range []points.Loc{root, s.Special(kindMail, "name "+name, 0, nil).Root,
		s.Special(kindMail, "name "+kindOnly(name), 0, nil).Root} {
		out = out.Union(s.Read(o.call.By, s.Part(l, points.Content)))
	}
	return out
}

// receivers gives who is meant: by a reference, or by a name.
func (o *operation) receivers() points.Set {
	if o.row.To < 0 {
		return o.named()
	}
	return o.referents(o.arg(o.row.To))
}
