package flow

import (
	"go/token"
	"go/types"
	"slices"

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
	pos      token.Pos // where nobody calls
	asked    *future   // that waits for the answer
	wrapped  bool      // the framework puts it into an envelope, whatever it is
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
	key := edgeKey{kind: d.kind, from: d.from, to: d.to, in: d.in.message, pos: d.pos}
	if d.by != nil {
		key.pos = d.by.Site.Pos()
	}
	if d.kind != Create && d.kind != Watch {
		key.message = b.messageName(d.message)
	}
	e, ok := b.edges[key]
	if !ok {
		e = &edge{kind: d.kind, from: d.from, to: d.to, message: key.message, in: d.in, pos: key.pos,
			has: map[points.Loc]bool{}}
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

// put makes a message part of the facts of a machine. Where middleware stands before the actor, that hands it on.
func (b *builder) put(m *machine, message points.Loc, senders points.Set) {
	s := b.solver
	before := m.facts(s)
	s.Write(m.mailbox, points.One(message))
	s.Write(m.senders, senders)
	if b.bare(nil, m.class, "receiverMiddlewareChain") && b.bare(nil, m.class, "contextDecoratorChain") {
		s.Write(m.handled, points.One(message))
	}
	m.class.touched = m.class.touched || m.facts(s) != before
}

// post sends a message to whoever references lead to. What is no reference is noted.
func (o *operation) post(refs points.Set, box points.Loc, d delivery) {
	if !d.wrapped && o.enveloped(box) {
		for _, e := range o.solver.Unboxed(o.call.By, box) {
			d.wrapped, d.senders = true, o.solver.Read(o.call.By, o.envelopeField(e, "Sender"))
			o.messages(o.solver.Read(o.call.By, o.envelopeField(e, "Message")), func(box points.Loc) { o.post(refs, box, d) })
		}
		return
	}
	for _, l := range refs {
		obj, one := o.solver.Object(l), d
		one.message = box
		switch t := obj.Tag.(type) {
		case *class:
			one.to = t
			if o.messageName(box) == "*actor.PoisonPill" {
				o.ends(t)
				o.draw(&one) // the framework takes it
				continue
			}
			o.lost(l, t, &one)
			o.members(l, &one)
			e := o.deliver(&one)
			if d.asked != nil {
				d.asked.edges = append(d.asked.edges, e)
				e.blocking = e.blocking || d.asked.blocking
			}
		case *future:
			o.complete(t, &one)
		case *router:
			o.route(t, l, &one)
		default:
			switch obj.Kind {
			case kindNobody:
				o.lost(l, nil, &one)
			case points.Unknown, points.Opaque:
				o.note(o.at(), "who gets this message is unknown%s", why(obj))
			}
		}
	}
}

// messages calls f for every message among values, and notes what is of unknown type. A nil is a message only where the
// source says so: elsewhere it stands for a place that nothing was written to yet.
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

var kinds = map[model.Op]EdgeKind{model.Send: Send, model.Request: Request, model.RequestFrom: Request,
	model.Ask: Request, model.Call: Request,
	model.Timer: Timer, model.RequestTimer: Timer, model.Respond: Respond, model.Forward: Forward}

// send is the paper's Message Sending, for all ways to send something to a reference.
func (o *operation) send() {
	s, from := o.solver, o.owner()
	to, senders := o.receivers(), points.Set(nil)
	if o.row.To == 0 {
		to = points.One(from.ref.Root)
	}
	d := delivery{kind: kinds[o.row.Op], from: o.sender(), in: o.in, by: o.call, blocking: o.row.Op == model.Call,
		timeout: o.row.Timeout,
		wrapped: o.row.Op != model.Send && o.row.Op != model.Timer && !slices.Contains(o.context, o.system.Root)}
	switch o.row.Op {
	case model.RequestFrom:
		senders = o.referents(o.arg(o.row.From))
	case model.Ask, model.Call:
		d.asked = o.future(from)
		senders = points.One(d.asked.object.Root)
		if o.row.Framework == model.GoAkt {
			senders = senders.Union(o.asking())
		}
		if o.row.Op == model.Ask {
			o.give(senders)
		} else {
			o.give(s.Read(o.call.By, s.Part(d.asked.object.Root, points.Content)).Union(s.Nothing()))
		}
	case model.Request, model.RequestTimer:
		if !from.environment {
			senders = points.One(from.ref.Root)
		}
	default:
		switch {
		case o.row.Framework == model.GoAkt:
			senders = o.asking()
		case o.row.Framework == model.Native, o.row.Framework == model.Hollywood && o.acts():
			senders = points.One(from.ref.Root)
		}
	}
	if d.kind == Timer {
		o.give(s.Opaque()) // what cancels it
	}
	d.senders = senders
	o.layered(to, o.spread(o.row.Msg), d)
}

// layered sends messages, through the middleware of who sends.
func (o *operation) layered(to, messages points.Set, d delivery) {
	layers := o.layers("senderMiddlewareChain")
	if len(layers) > 0 {
		o.apply(layers, o.decorated(), to, o.envelop(messages, d))
		return
	}
	o.messages(messages, func(box points.Loc) { o.post(to, box, d) })
}

// decorated gives the context as the middleware of an actor sees it.
func (o *operation) decorated() points.Set {
	for _, l := range o.context {
		if o.solver.Object(l).Kind == kindCtx {
			return o.contexts(o.call.By, o.owner())
		}
	}
	return o.context
}

// respond sends to whom the message came from.
func (o *operation) respond() {
	d := delivery{kind: Respond, from: o.sender(), in: o.in, by: o.call}
	if o.row.Framework == model.Native {
		d.senders = points.One(o.owner().ref.Root)
	}
	o.layered(o.answered(), o.arg(o.row.Msg), d)
}

// forward sends the message being handled on, with its senders.
func (o *operation) forward() {
	senders := o.senders()
	if o.row.Framework == model.Hollywood { // who forwards is the new sender
		senders = points.One(o.owner().ref.Root)
	}
	o.layered(o.receivers(), o.mail(),
		delivery{kind: Forward, from: o.sender(), in: o.in, senders: senders, by: o.call, wrapped: true})
}

// watch has the framework tell this actor of another's end.
func (o *operation) watch() {
	for _, l := range o.referents(o.arg(o.row.To)) {
		switch t := o.solver.Object(l).Tag.(type) {
		case *class:
			o.draw(&delivery{kind: Watch, from: o.owner(), in: o.in, to: t, by: o.call})
		case *router:
			o.draw(&delivery{kind: Watch, from: o.owner(), in: o.in, to: t.class, by: o.call})
		case nil:
			switch obj := o.solver.Object(l); obj.Kind {
			case points.Unknown, points.Opaque:
				o.note(o.at(), "who is watched here is unknown%s", why(obj))
				continue
			case kindNobody:
			default:
				continue
			}
		}
		o.tell(o.owner(), "Terminated", points.One(l))
	}
}

// stop ends actors: what is sent to them from then on may find nobody.
func (o *operation) stop() {
	switch {
	case o.row.Op == model.StopAsk:
		o.give(points.One(o.future(o.owner()).object.Root))
	case o.row.Framework == model.Hollywood: // a context that ends with the actor
		o.give(o.solver.Opaque())
	}
	for _, l := range o.receivers() {
		to, _ := o.solver.Object(l).Tag.(*class)
		if r, ok := o.solver.Object(l).Tag.(*router); ok {
			to = r.class
		}
		if to == nil || o.row.Framework == model.Native {
			continue
		}
		o.ends(to)
		if box := o.message(o.row.Tell, "", nil); box != 0 {
			o.draw(&delivery{kind: Send, from: o.sender(), in: o.in, to: to, by: o.call, message: box})
		}
	}
}

// idle has the framework tell this actor that nothing has come for some time.
func (o *operation) idle() {
	if box := o.tell(o.owner(), "ReceiveTimeout", nil); box != 0 {
		o.draw(&delivery{kind: Timer, from: o.owner(), in: o.in, to: o.owner(), message: box, by: o.call})
	}
}

// tell has a framework send one of its own messages, which may have a reference in it, and gives it.
func (o *operation) tell(to *class, name string, who points.Set) points.Loc {
	which := ""
	if who != nil {
		which = to.key
	}
	box := o.message(name, which, who)
	if box != 0 && !to.environment {
		o.put(o.machine(to, o.messageName(box), o.solver.Object(box).Type), box, nil)
	}
	return box
}

// message gives one of a framework's own messages, which may have a reference in it; 0 if it has none of that name.
// which tells it from others.
func (o *operation) message(name, which string, who points.Set) points.Loc {
	return o.messageOf(o.row.Framework, name, which, who)
}

func (b *builder) messageOf(framework, name, which string, who points.Set) points.Loc {
	typ := b.ownType(framework, name)
	if typ == nil {
		return 0
	}
	s, site := b.solver, "told "+framework+name+which
	body := s.Special(points.Memory, site, 0, typ)
	if i := fieldOf(typ, "Who"); i >= 0 {
		s.Write(s.Part(body.Root, i), who)
	}
	if framework == model.Protoactor || framework == model.GoAkt {
		typ = types.NewPointer(typ)
	}
	box := s.NewBox(site, 0, typ)
	s.Write(s.Part(box, points.Content), points.One(body.Root))
	return box
}
