package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// delivery is one message, or one creation, from one abstract actor to another.
type delivery struct {
	kind     EdgeKind
	from     *class
	in       *machine // whose code sends
	to       *class
	message  points.Loc // a box, or the behaviour that is created
	senders  points.Set
	by       *points.Call
	blocking bool
	timeout  bool
}

// edgeKey tells edges apart: the paper's merge joins the labels of those that are the same.
type edgeKey struct {
	kind     EdgeKind
	from, to *class
	message  string
	in       string
	pos      token.Pos
}

// edge is an edge that is being found out.
type edge struct {
	kind     EdgeKind
	from, to *class
	message  string
	in       *machine
	pos      token.Pos
	at       string
	boxes    []points.Loc
	has      map[points.Loc]bool
	sites    []sendSite
	blocking bool
	timeout  bool
}

// sendSite is a place in a function in a context.
type sendSite struct {
	f     *points.Function
	block *ssa.BasicBlock
}

// draw adds an edge to the graph, or labels to one that is there: the paper's merge.
func (b *builder) draw(d *delivery) *edge {
	key := edgeKey{kind: d.kind, from: d.from, to: d.to, in: d.in.message}
	if d.by != nil {
		key.pos = d.by.Site.Pos()
	}
	if d.kind != Create && d.kind != Watch {
		key.message = b.messageName(d.message)
	}
	e, ok := b.edges[key]
	if !ok {
		e = &edge{kind: d.kind, from: d.from, to: d.to, message: key.message, in: d.in, pos: key.pos, has: map[points.Loc]bool{}}
		b.edges[key] = e
		b.list = append(b.list, e)
	}
	if d.message != 0 && !e.has[d.message] {
		e.has[d.message] = true
		e.boxes = append(e.boxes, d.message)
	}
	e.blocking, e.timeout = e.blocking || d.blocking, e.timeout || d.timeout
	if d.by != nil {
		site := sendSite{d.by.By, d.by.Site.Block()}
		for _, known := range e.sites {
			if known == site {
				return e
			}
		}
		e.sites = append(e.sites, site)
	}
	return e
}

// deliver draws an edge and puts the message into the mailbox of the receiver.
func (b *builder) deliver(d *delivery) *edge {
	e := b.draw(d)
	if d.to.environment {
		return e
	}
	m := b.machine(d.to, e.message, b.solver.Object(d.message).Type)
	b.put(m, d.message, d.senders)
	return e
}

// put makes a message part of the facts of a machine.
func (b *builder) put(m *machine, message points.Loc, senders points.Set) {
	before := len(b.solver.Read(nil, m.mailbox)) + len(b.solver.Read(nil, m.senders))
	b.solver.Write(m.mailbox, points.One(message))
	b.solver.Write(m.senders, senders)
	if len(b.solver.Read(nil, m.mailbox))+len(b.solver.Read(nil, m.senders)) != before {
		m.class.touched = true
	}
}

// each calls f for every abstract actor that references lead to, and for every future. What is neither is noted.
func (o *operation) each(refs points.Set, actor func(*class), answer func(*future)) {
	for _, l := range refs {
		obj := o.solver.Object(l)
		switch t := obj.Tag.(type) {
		case *class:
			actor(t)
		case *future:
			answer(t)
		default:
			if obj.Kind == points.Unknown || obj.Kind == points.Opaque {
				o.note(o.at(), "who gets this message is unknown%s", why(obj))
			}
		}
	}
}

// messages calls f for every message among values, and notes what is of unknown type. A nil is a message only where the source says
// so: elsewhere it stands for a place that nothing was written to yet.
func (o *operation) messages(v points.Set, f func(box points.Loc)) {
	for _, l := range v {
		switch obj := o.solver.Object(l); {
		case obj.Kind == points.Box, obj.Kind == points.Nothing && o.saysNil():
			f(l)
		case obj.Kind == points.Unknown || obj.Kind == points.Opaque:
			o.note(o.at(), "the type of this message is unknown%s", why(obj))
		}
	}
}

// saysNil reports whether an argument of the call is the constant nil.
func (o *operation) saysNil() bool {
	for _, a := range o.call.Site.Common().Args {
		if c, ok := a.(*ssa.Const); ok && c.IsNil() && types.IsInterface(c.Type()) {
			return true
		}
	}
	return false
}

var kinds = map[model.Op]EdgeKind{model.Send: Send, model.Request: Request, model.RequestFrom: Request, model.Ask: Request, model.Call: Request,
	model.Timer: Timer, model.RequestTimer: Timer, model.Respond: Respond, model.Forward: Forward}

// send is the paper's Message Sending, for all ways to send something to a reference.
func (o *operation) send() {
	s, from := o.solver, o.owner()
	to, senders := o.arg(o.row.To), points.Set(nil)
	if o.row.To == 0 {
		to = points.One(from.ref.Root)
	}
	var asked *future
	switch o.row.Op {
	case model.RequestFrom:
		senders = o.arg(o.row.From)
	case model.Ask, model.Call:
		asked = o.future(from)
		senders = points.One(asked.object.Root)
		if o.row.Op == model.Ask {
			o.give(senders)
		} else {
			o.give(s.Read(o.call.By, s.Part(asked.object.Root, points.Content)).Union(s.Nothing()))
		}
	case model.Request, model.RequestTimer:
		if !from.environment {
			senders = points.One(from.ref.Root)
		}
	default:
		if o.row.Framework == "native" {
			senders = points.One(from.ref.Root)
		}
	}
	if kinds[o.row.Op] == Timer {
		o.give(s.Opaque()) // what cancels it
	}
	o.messages(o.arg(o.row.Msg), func(box points.Loc) {
		d := delivery{kind: kinds[o.row.Op], from: from, in: o.in, message: box, senders: senders, by: o.call,
			blocking: o.row.Op == model.Call, timeout: o.row.Timeout}
		o.each(to, func(c *class) {
			one := d
			one.to = c
			e := o.deliver(&one)
			if asked != nil {
				asked.edges = append(asked.edges, e)
			}
		}, func(f *future) { o.complete(f, &d) })
	})
}

// complete gives a future its answer.
func (o *operation) complete(f *future, d *delivery) {
	answer := *d
	answer.to = f.owner
	o.draw(&answer)
	o.solver.Write(o.solver.Part(f.object.Root, points.Content), points.One(d.message))
}

// respond sends to whom the message came from.
func (o *operation) respond() {
	o.messages(o.arg(o.row.Msg), func(box points.Loc) {
		d := delivery{kind: Respond, from: o.owner(), in: o.in, message: box, by: o.call}
		if o.row.Framework == "native" {
			d.senders = points.One(o.owner().ref.Root)
		}
		o.each(o.senders(), func(c *class) {
			one := d
			one.to = c
			o.deliver(&one)
		}, func(f *future) { o.complete(f, &d) })
	})
}

// forward sends the message being handled on, with its senders.
func (o *operation) forward() {
	o.messages(o.mail(), func(box points.Loc) {
		d := delivery{kind: Forward, from: o.owner(), in: o.in, message: box, senders: o.senders(), by: o.call}
		o.each(o.arg(o.row.To), func(c *class) {
			one := d
			one.to = c
			o.deliver(&one)
		}, func(f *future) { o.complete(f, &d) })
	})
}

// pipe sends the answer of a future to others.
func (o *operation) pipe() {
	s := o.solver
	to := s.ReadAll(o.call.By, s.Parts(o.arg(o.row.To), points.Elem))
	o.messages(s.ReadAll(o.call.By, s.Parts(o.arg(0), points.Content)), func(box points.Loc) {
		d := delivery{kind: Send, from: o.owner(), in: o.in, message: box, by: o.call}
		o.each(to, func(c *class) {
			one := d
			one.to = c
			o.deliver(&one)
		}, func(f *future) { o.complete(f, &d) })
	})
}

// future gives the future that the call makes.
func (o *operation) future(owner *class) *future {
	obj := o.solver.Made(kindFuture, o.call)
	if obj.Tag == nil {
		obj.Tag = &future{owner: owner, in: o.in, object: obj}
	}
	return obj.Tag.(*future)
}

// answer makes futures and looks into them.
func (o *operation) answer() {
	s := o.solver
	switch o.row.Op {
	case model.StopAsk, model.NewFuture:
		o.give(points.One(o.future(o.owner()).object.Root))
		return
	case model.PIDOf:
		o.give(o.arg(0))
		return
	}
	futures := o.arg(o.row.From)
	held := s.ReadAll(o.call.By, s.Parts(futures, points.Content)).Union(s.Nothing())
	if o.row.Op == model.Reenter {
		o.callback(o.row.Func, held, s.Opaque().Union(s.Nothing()))
		return
	}
	if o.row.Blocking {
		for _, l := range futures {
			if f, ok := s.Object(l).Tag.(*future); ok {
				for _, e := range f.edges {
					e.blocking = true
				}
			}
		}
	}
	if o.call.Callee.Signature().Results().Len() == 1 { // Future.Wait gives an error alone
		held = s.Opaque().Union(s.Nothing())
	}
	o.give(held)
}

// watch has the framework tell this actor of another's end.
func (o *operation) watch() {
	o.each(o.arg(o.row.To), func(c *class) {
		o.draw(&delivery{kind: Watch, from: o.owner(), in: o.in, to: c, by: o.call})
		o.tell(o.owner(), "Terminated", points.One(c.ref.Root))
	}, func(*future) {})
}

// idle has the framework tell this actor that nothing has come for some time.
func (o *operation) idle() {
	if box := o.tell(o.owner(), "ReceiveTimeout", nil); box != 0 {
		o.draw(&delivery{kind: Timer, from: o.owner(), in: o.in, to: o.owner(), message: box, by: o.call})
	}
}

// tell has a framework send one of its own messages, which may have a reference in it, and gives it.
func (o *operation) tell(to *class, name string, who points.Set) points.Loc {
	path := "github.com/asynkron/protoactor-go/actor"
	if o.row.Framework == "native" {
		path = "github.com/rehearse-go/rehearse/actor"
	}
	pkg := o.program.SSA.ImportedPackage(path)
	if pkg == nil || pkg.Pkg.Scope().Lookup(name) == nil || to.environment {
		return 0
	}
	s, typ := o.solver, pkg.Pkg.Scope().Lookup(name).Type()
	body := s.Special(points.Memory, "told "+path+name, 0, typ)
	if fields, ok := typ.Underlying().(*types.Struct); ok {
		for i := range fields.NumFields() {
			if fields.Field(i).Name() == "Who" {
				s.Write(s.Part(body.Root, i), who)
			}
		}
	}
	if o.row.Framework != "native" {
		typ = types.NewPointer(typ)
	}
	box := s.NewBox("told "+path+name, 0, typ)
	s.Write(s.Part(box, points.Content), points.One(body.Root))
	o.put(o.machine(to, o.messageName(box), s.Object(box).Type), box, nil)
	return box
}
