package flow

import (
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file follows routers of protoactor-go. Who sends to a router sends to its routees: that is done by a process, in
// the sender's step. An actor of the framework's beside it creates the routees of a pool, changes and tells who they
// are, and passes on broadcasts.

const routers = model.RouterPath

// routerKind is what makes routers: pools have routees of their own, groups have those in the Elem of the object.
type routerKind struct{ pool bool }

// router is a router that was spawned somewhere. Its routees are the Elem of the object.
type router struct {
	class   *class // of the framework's actor
	pool    bool
	routees points.Loc
}

// routerProps fills the props of a router.
func (o *operation) routerProps(props points.Loc) {
	s := o.solver
	maker := s.Made(kindRouter, o.call)
	if maker.Tag == nil {
		maker.Tag = &routerKind{pool: o.row.Op == model.Pool}
	}
	if o.row.Op == model.Group {
		s.Write(s.Part(maker.Root, points.Elem), o.spread(o.row.Func))
	}
	s.Write(o.slot(props, "spawner"), points.One(maker.Root))
}

// spawnRouter creates a router: the props are those of its routees too.
func (o *operation) spawnRouter(kind *routerKind, maker, props points.Loc) points.Set {
	type site struct{ at, props points.Loc }
	s, name := o.solver, "router.groupRouterActor"
	if kind.pool {
		name = "router.poolRouterActor"
	}
	ref := s.Special(kindRef, site{s.Made(kindRouter, o.call).Root, props}, o.in.index, nil)
	if ref.Tag == nil {
		c := o.newClass(routers+" "+name, o.program.SSA.ImportedPackage(routers).Pkg, name)
		c.builtin, c.framework = true, o.row.Framework
		ref.Tag = &router{class: c, pool: kind.pool, routees: s.Part(ref.Root, points.Elem)}
	}
	r, by := ref.Tag.(*router), o.owner()
	o.draw(&delivery{kind: Create, from: by, in: o.in, to: r.class, by: o.call})
	o.related(by, r.class, ref.Root)
	if !by.environment {
		o.tell(by, "Terminated", points.One(ref.Root))
	}
	if !kind.pool {
		members := s.Read(o.call.By, s.Part(maker, points.Elem))
		s.Write(r.routees, members)
		o.watches(r, members, &delivery{in: o.hook(r.class, started), by: o.call})
		return points.One(ref.Root)
	}
	s.Write(r.routees, o.produce(props, "", r.class, o.hook(r.class, started)))
	return points.One(ref.Root)
}

// route sends a message to a router on.
func (o *operation) route(r *router, l points.Loc, d *delivery) {
	routees := o.solver.Read(o.call.By, r.routees)
	switch name := o.messageName(d.message); name {
	case "*router.AddRoutee", "*router.RemoveRoutee", "*router.GetRoutees", "*router.BroadcastMessage", "*router.AdjustPoolSize":
		d.to = r.class
		o.draw(d)
		o.manage(r, name, routees, d)
	case "*actor.PoisonPill":
		d.to = r.class
		o.draw(d)
		o.ends(r.class)
	default:
		if o.manages(d.message) {
			d.to = r.class // which ignores it
			o.draw(d)
			return
		}
		o.post(routees, d.message, *d)
	}
}

// manages reports whether a message of the program's own is taken as one to the router.
func (o *operation) manages(box points.Loc) bool {
	t := o.solver.Object(box).Type
	return t != nil && o.program.SSA.MethodSets.MethodSet(t).Lookup(nil, "ManagementMessage") != nil
}

// manage is what the router's actor does with a message.
func (o *operation) manage(r *router, name string, routees points.Set, d *delivery) {
	s := o.solver
	in := o.hook(r.class, name)
	field := func(message, field string) points.Set {
		var out points.Set
		for _, l := range s.Unboxed(o.call.By, d.message) {
			out = out.Union(s.Read(o.call.By, s.Part(l, o.field(routers, message, field))))
		}
		return out
	}
	then := delivery{kind: Send, from: r.class, in: in, by: d.by, pos: d.pos}
	switch name {
	case "*router.AddRoutee":
		added := field("AddRoutee", "PID")
		s.Write(r.routees, added)
		o.watches(r, added, &then)
	case "*router.RemoveRoutee":
		if box := o.message("PoisonPill", "", nil); r.pool && box != 0 {
			o.post(field("RemoveRoutee", "PID"), box, then)
		}
	case "*router.BroadcastMessage":
		then.kind, then.senders, then.wrapped = Request, d.senders, true
		o.messages(field("BroadcastMessage", "Message"), func(box points.Loc) { o.post(routees, box, then) })
	case "*router.GetRoutees":
		then.kind = Respond
		if box := o.routeesMessage(r, routees); box != 0 {
			o.post(d.senders, box, then)
		}
	}
}

// watches has the router's actor watch routees.
func (o *operation) watches(r *router, routees points.Set, as *delivery) {
	for _, l := range routees {
		if c, ok := o.solver.Object(l).Tag.(*class); ok {
			o.draw(&delivery{kind: Watch, from: r.class, in: as.in, to: c, by: as.by, pos: as.pos})
		}
	}
}

// routeesMessage is the answer of a router to who its routees are.
func (o *operation) routeesMessage(r *router, routees points.Set) points.Loc {
	typ := o.declared(routers, "Routees")
	if typ == nil {
		return 0
	}
	s := o.solver
	list := s.Special(points.Memory, r.routees, 0, nil)
	s.Write(s.Part(list.Root, points.Elem), routees)
	box, body := o.pointer(r, typ)
	s.Write(s.Part(body, fieldOf(typ, "PIDs")), points.One(list.Root))
	return box
}
