package flow

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// Operate does what a call means for actors: figure 8 of [TAP18], and what frameworks have beyond it. points.Actors.
func (b *builder) Operate(c *points.Call, row model.Row) {
	o := &operation{builder: b, call: c, row: row, in: b.machines[c.By.In]}
	o.self = o.in.class
	switch row.Op {
	case model.Spawn:
		o.spawn()
	case model.Send, model.Request, model.RequestFrom, model.Ask, model.Call, model.Timer, model.RequestTimer:
		o.send()
	case model.Respond:
		o.respond()
	case model.Forward:
		o.forward()
	case model.Pipe:
		o.pipe()
	case model.Become, model.BehaviorDo:
		o.become()
	case model.Watch:
		o.watch()
	case model.StopAsk, model.NewFuture, model.Await, model.AwaitBlocking, model.PIDOf, model.Reenter:
		o.answer()
	case model.IdleTimer:
		o.idle()
	case model.Props, model.PropsFunc, model.PropsSame, model.Behaviors:
		o.props()
	case model.System, model.Publish, model.Subscribe, model.Driver:
		o.framework()
	case model.ByName:
		o.named()
	default:
		o.look()
	}
}

// operation is one call that concerns actors.
type operation struct {
	*builder
	call *points.Call
	row  model.Row
	in   *machine
	self *class
}

// arg gives what argument i may be; nothing for those that the call has not got.
func (o *operation) arg(i int) points.Set {
	if i < len(o.call.Args) {
		return o.call.Args[i]
	}
	return nil
}

// give sets the first result, and an error, if there is a second.
func (o *operation) give(v points.Set) {
	results := o.call.Callee.Signature().Results()
	if results.Len() > 0 {
		o.call.Give(0, v)
	}
	if results.Len() > 1 {
		o.call.Give(1, o.solver.Opaque().Union(o.solver.Nothing()))
	}
}

// at is the place of the call.
func (o *operation) at() string { return o.program.Position(o.call.Site.Pos()) }

// owner gives who acts: whose Context it is, or who runs the code that uses an actor system.
func (o *operation) owner() *class {
	for _, l := range o.arg(0) {
		if c, ok := o.solver.Object(l).Tag.(*class); ok && o.solver.Object(l).Kind == kindCtx {
			return c
		}
	}
	return o.self
}

// look is what an actor learns about itself and its message.
func (o *operation) look() {
	switch o.row.Op {
	case model.Self:
		o.give(points.One(o.owner().ref.Root))
	case model.Message, model.Receive:
		o.give(o.mail())
		if o.row.Op == model.Receive {
			o.callback(o.row.Func, o.mail())
		}
	case model.Sender:
		o.give(o.senders())
	case model.Parent, model.Children:
		var refs points.Set
		for _, e := range o.list {
			if e.kind == Create && o.row.Op == model.Parent && e.to == o.self {
				refs = refs.Union(points.One(e.from.ref.Root))
			}
			if e.kind == Create && o.row.Op == model.Children && e.from == o.self {
				refs = refs.Union(points.One(e.to.ref.Root))
			}
		}
		if o.row.Op == model.Children {
			made := o.solver.Made(points.Memory, o.call)
			o.solver.Write(o.solver.Part(made.Root, points.Elem), refs)
			refs = points.One(made.Root)
		}
		o.give(refs)
	case model.AwaitCond:
		o.callback(o.row.Func, nil)
	}
}

// mail gives the messages that may be handled now. What Receive waits for may be any message of the actor.
func (o *operation) mail() points.Set {
	if o.row.Op != model.Receive {
		return o.solver.Read(o.call.By, o.in.mailbox)
	}
	var all points.Set
	for _, m := range o.self.machines {
		all = all.Union(o.solver.Read(o.call.By, m.mailbox))
	}
	return all
}

func (o *operation) senders() points.Set { return o.solver.Read(o.call.By, o.in.senders) }

// callback calls the functions that an argument leads to.
func (o *operation) callback(arg int, params ...points.Set) points.Set {
	var out points.Set
	for _, l := range o.arg(arg) {
		o.solver.CallValue(o.call.By, o.call.Site, l, params, func(i int, v points.Set) {
			if i == 0 {
				out = out.Union(v)
			}
		})
	}
	return out
}

// framework is what gives and takes parts of actor systems.
func (o *operation) framework() {
	s := o.solver
	if o.system == nil {
		o.builder.system = s.Special(kindSystem, "system", 0, nil)
		o.builder.system.Atom = true
		o.builder.stream = s.Special(kindSystem, "stream", 0, nil)
	}
	switch o.row.Op {
	case model.System:
		o.give(points.One(o.builder.system.Root))
	case model.Subscribe:
		s.Write(s.Part(o.stream.Root, points.Content), o.arg(o.row.Func))
		o.give(s.Opaque())
	case model.Publish:
		for _, l := range s.Read(o.call.By, s.Part(o.stream.Root, points.Content)) {
			s.CallValue(o.call.By, o.call.Site, l, []points.Set{o.arg(o.row.Msg)}, func(int, points.Set) {})
		}
	case model.Driver:
		o.callback(o.row.Func, s.Opaque(), points.One(o.environment.ctx.Root))
		o.give(s.Opaque())
	}
}

// props is what actors are made from.
func (o *operation) props() {
	s := o.solver
	switch o.row.Op {
	case model.PropsSame:
		o.give(o.arg(0))
		return
	case model.Behaviors:
		o.give(points.One(s.Made(points.Memory, o.call).Root))
		return
	}
	made := s.Made(kindProps, o.call)
	part := points.Content
	if o.row.Op == model.PropsFunc {
		part = funcPart
	}
	s.Write(s.Part(made.Root, part), o.arg(o.row.Func))
	o.give(points.One(made.Root))
	for _, option := range s.ReadAll(o.call.By, s.Parts(o.arg(o.row.Func+1), points.Elem)) {
		if u := s.Object(option); u.Kind == points.Unknown {
			o.note(o.at(), "what the option %s does to this actor is not followed", u.Why)
		}
	}
}

// spawn creates actors. The paper's getRef is classOf.
func (o *operation) spawn() {
	s := o.solver
	var refs points.Set
	add := func(behavior points.Loc) {
		name := o.name()
		c := o.classOf(behavior, name)
		if c == nil {
			o.note(o.at(), "what is spawned here is unknown%s", why(s.Object(behavior)))
			return
		}
		o.behave(c, behavior)
		o.christen(c, name)
		o.created(c, behavior)
		refs = refs.Union(points.One(c.ref.Root))
	}
	for _, l := range o.arg(o.row.Props) {
		p := s.Object(l)
		if p.Kind == points.Nothing {
			continue
		}
		if p.Kind != kindProps {
			add(l)
			continue
		}
		for _, fn := range s.Read(o.call.By, s.Part(l, funcPart)) {
			add(fn)
		}
		for _, producer := range s.Read(o.call.By, s.Part(l, points.Content)) {
			s.CallValue(o.call.By, o.call.Site, producer, []points.Set{nil}, func(_ int, made points.Set) {
				for _, behavior := range made {
					if s.Object(behavior).Kind != points.Nothing {
						add(behavior)
					}
				}
			})
		}
	}
	o.give(refs)
}

// why says where something unknown comes from.
func why(u *points.Object) string {
	if u.Kind != points.Unknown {
		return ""
	}
	return ": it comes from " + u.Why + ", which no model tells about"
}

// name is what an actor is spawned as, where that is a constant.
func (o *operation) name() string {
	i := o.row.Name
	if i == 0 {
		return ""
	}
	common := o.call.Site.Common()
	if common.IsInvoke() {
		i--
	}
	if i < 0 || i >= len(common.Args) {
		return points.Anything
	}
	return o.call.By.Name(common.Args[i])
}

// Names of actors are parts of one object: those that are constants, by number, and anyName, which has all.
const anyName = -20

// christen notes that an actor may be found under a name.
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

// named gives those that may be found under a name: who is spawned by that constant, and who is spawned by a name that is none. A name
// that is no constant may be anybody's.
func (o *operation) named() {
	s, root := o.solver, o.solver.Special(kindMail, "names", 0, nil).Root
	name := o.name()
	if name == points.Anything {
		o.give(s.Read(o.call.By, s.Part(root, anyName)))
		return
	}
	own := s.Special(kindMail, "name "+name, 0, nil).Root
	o.give(s.Read(o.call.By, s.Part(own, points.Content)).Union(s.Read(o.call.By, s.Part(root, points.Content))))
}

// created does what goes with the creation of an actor: the edge, the start hook, and what the framework tells.
func (o *operation) created(c *class, behavior points.Loc) {
	o.draw(&delivery{kind: Create, from: o.owner(), in: o.in, to: c, by: o.call, message: behavior})
	if o.row.Framework == "protoactor-go" {
		for _, life := range []string{"Started", "Stopping", "Stopped", "Restarting"} {
			o.tell(c, life, nil)
		}
		if !o.owner().environment {
			o.tell(o.owner(), "Terminated", points.One(c.ref.Root))
		}
		return
	}
	if o.solver.Object(behavior).Kind == points.Box {
		start := o.machine(c, "", nil)
		o.enterMethod(start, behavior, "Start", points.One(c.ctx.Root))
	}
}

// become adds behaviours to an actor, or to a stack of them, or has those of a stack handle the message.
func (o *operation) become() {
	s := o.solver
	_, onStack := o.call.Callee.Signature().Recv().Type().Underlying().(*types.Pointer)
	stack := s.Parts(o.arg(0), points.Content)
	switch {
	case o.row.Op == model.BehaviorDo:
		for _, fn := range s.ReadAll(o.call.By, stack) {
			s.CallValue(o.call.By, o.call.Site, fn, []points.Set{o.arg(1)}, func(int, points.Set) {})
		}
	case onStack && o.row.Framework == "protoactor-go":
		for _, l := range stack {
			s.Write(l, o.arg(o.row.Func))
		}
	default:
		for _, behavior := range o.arg(o.row.Func) {
			if k := s.Object(behavior).Kind; k == points.Box || k == points.Func {
				o.behave(o.owner(), behavior)
			} else if k != points.Nothing {
				o.note(o.at(), "what %s becomes here is unknown%s", o.owner().name, why(s.Object(behavior)))
			}
		}
	}
}
