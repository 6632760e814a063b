package flow

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// Operate does what a call means for actors: figure 8 of [TAP18], and what frameworks have beyond it. points.Actors.
func (b *builder) Operate(c *points.Call, row model.Row) {
	o := b.operation(c, row)
	o.context = o.arg(0)
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
	case model.Work:
		o.work()
	case model.Stash, model.Unstash:
		o.stash()
	case model.Become, model.Unbecome, model.Behaviors, model.BehaviorDo:
		o.become()
	case model.Watch:
		o.watch()
	case model.Stop, model.StopAsk:
		o.stop()
	case model.NewFuture, model.Await, model.AwaitBlocking, model.PIDOf, model.Reenter:
		o.answer()
	case model.IdleTimer:
		o.idle()
	case model.Props, model.PropsFunc, model.PropsSame, model.PropsClone, model.Pool, model.Group:
		o.props()
	case model.Option, model.OptionLayer, model.RootLayer, model.RootOption, model.Decider, model.Decide:
		o.option()
	case model.Handle:
		o.handled(o.arg(row.Msg))
	case model.Capture, model.Captured:
		o.capture()
	case model.Wrap, model.Unwrap, model.UnwrapHeader:
		o.envelope()
	case model.SetOf, model.SetAdd, model.SetAll, model.SetOne, model.SetEach:
		o.set()
	case model.System, model.Publish, model.Subscribe, model.Driver:
		o.framework()
	case model.Listen, model.Unlisten:
		o.listen()
	case model.ByName:
		o.give(o.named())
	case model.Beyond:
		o.note(o.at(), "what comes of %s is unknown: no model follows %s", c.Callee.Name(), model.Unfollowed(c.Callee))
	default:
		o.look()
	}
}

// operation is one call that concerns actors.
type operation struct {
	*builder
	call    *points.Call
	row     model.Row
	in      *machine
	self    *class     // whose code calls
	context points.Set // by which it acts
}

func (b *builder) operation(c *points.Call, row model.Row) *operation {
	in := b.machines[c.By.In]
	return &operation{builder: b, call: c, row: row, in: in, self: in.class}
}

// arg gives what argument i may be; nothing for those that the call has not got.
func (o *operation) arg(i int) points.Set {
	if i < len(o.call.Args) {
		return o.call.Args[i]
	}
	return nil
}

// spread gives what argument i may be, and if it is the last, variadic one, what is in it.
func (o *operation) spread(i int) points.Set {
	if sig := o.call.Callee.Signature(); sig.Variadic() && i == len(o.call.Args)-1 {
		return o.solver.ReadAll(o.call.By, o.solver.Parts(o.arg(i), points.Elem))
	}
	return o.arg(i)
}

// give sets the first result, and an error, if there is a second.
func (o *operation) give(v points.Set) {
	results := 2 // of what a framework hands over as a function
	if o.call.Callee != nil {
		results = o.call.Callee.Signature().Results().Len()
	}
	if results > 0 {
		o.call.Give(0, v)
	}
	if results > 1 {
		o.call.Give(1, o.solver.Opaque().Union(o.solver.Nothing()))
	}
}

// at is the place of the call.
func (o *operation) at() string {
	if o.call.Site == nil {
		return o.program.Position(o.call.By.Fn.Pos())
	}
	return o.program.Position(o.call.Site.Pos())
}

// owner gives who acts: whose Context it is, or who runs the code that uses an actor system.
func (o *operation) owner() *class {
	for _, l := range o.context {
		if c, ok := o.solver.Object(l).Tag.(*class); ok && o.solver.Object(l).Kind == kindCtx {
			return c
		}
	}
	return o.self
}

// sender gives whose step it is: not the owner's where somebody sets up a new actor.
func (o *operation) sender() *class {
	if c := o.owner(); !slices.Contains(o.context, c.young.Root) {
		return c
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
		o.give(o.sendersSeen())
	case model.Parent:
		o.give(o.ofOwners(func(c *class) points.Loc { return c.parents }))
	case model.Children:
		made := o.solver.Made(points.Memory, o.call)
		o.solver.Write(o.solver.Part(made.Root, points.Elem), o.ofOwners(func(c *class) points.Loc { return c.children }))
		o.give(points.One(made.Root))
	case model.Child:
		o.give(o.ofOwners(func(c *class) points.Loc { return c.children }).Union(o.solver.Nothing()))
	case model.Actor:
		o.give(o.solver.Read(o.call.By, o.owner().actors).Union(o.solver.Nothing()))
	case model.AwaitCond:
		o.callback(o.row.Func, nil)
	}
}

// mail gives the messages that may be handled now. What Receive waits for may be any message of the actor.
func (o *operation) mail() points.Set {
	switch {
	case o.row.Framework == model.Hollywood: // its middleware has the same context
		return o.solver.Read(o.call.By, o.in.mailbox)
	case o.row.Op != model.Receive:
		return o.solver.Read(o.call.By, o.in.handled)
	}
	var all points.Set
	for _, mail := range o.solver.Read(o.call.By, o.self.mails) {
		all = all.Union(o.solver.Read(o.call.By, o.solver.Part(mail, handledPart)))
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
	switch o.row.Op {
	case model.System:
		o.give(points.One(o.system.Root))
	case model.Subscribe:
		s.Write(s.Part(o.stream.Root, points.Content), o.arg(o.row.Func).Union(o.arg(o.row.Func+1))) // and a predicate
		o.give(s.Opaque())
	case model.Publish:
		if o.row.Framework == model.Hollywood {
			o.broadcast()
			return
		}
		o.publish(o.arg(o.row.Msg))
	case model.Driver:
		o.callback(o.row.Func, s.Opaque(), points.One(o.environment.ctx.Root))
		o.give(s.Opaque())
	}
}

// publish calls the functions that are subscribed.
func (o *operation) publish(events points.Set) {
	s := o.solver
	for _, l := range s.Read(o.call.By, s.Part(o.stream.Root, points.Content)) {
		s.CallValue(o.call.By, o.call.Site, l, []points.Set{events}, func(int, points.Set) {})
	}
}

// why says where something unknown comes from.
func why(u *points.Object) string {
	if u.Kind != points.Unknown {
		return ""
	}
	return ": it comes from " + u.Why + ", which no model tells about"
}

// become adds behaviours to an actor, or to a stack of them, or has those of a stack handle the message. A stack is a
// slice: where a variable or a field has none yet, the first behaviour makes it.
func (o *operation) become() {
	s := o.solver
	stacks := func() points.Set { return s.ReadAll(o.call.By, o.arg(0)) }
	switch {
	case o.row.Op == model.Behaviors:
		o.give(points.One(s.Made(points.Memory, o.call).Root))
	case o.row.Op == model.BehaviorDo:
		for _, fn := range s.ReadAll(o.call.By, s.Parts(stacks(), points.Elem)) {
			s.CallValue(o.call.By, o.call.Site, fn, []points.Set{o.arg(1)}, func(int, points.Set) {})
		}
	case o.row.Op == model.Unbecome:
	case o.row.Framework == model.Protoactor:
		made := points.One(s.Made(points.Memory, o.call).Root)
		for _, l := range o.arg(0) {
			s.Write(l, made)
		}
		for _, l := range s.Parts(stacks(), points.Elem) {
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

// set is what there is to do with sets of references: their elements are those of a slice.
func (o *operation) set() {
	s := o.solver
	held := func() points.Set { return s.ReadAll(o.call.By, s.Parts(o.arg(0), points.Elem)) }
	switch o.row.Op {
	case model.SetOf:
		made := s.Made(points.Memory, o.call)
		s.Write(s.Part(made.Root, points.Elem), o.spread(o.row.Func))
		o.give(points.One(made.Root))
	case model.SetAdd:
		for _, l := range s.Parts(o.arg(0), points.Elem) {
			s.Write(l, o.arg(o.row.Func))
		}
	case model.SetAll:
		o.give(o.arg(0))
	case model.SetOne:
		o.give(held())
	case model.SetEach:
		o.callback(o.row.Func, nil, held())
	}
}
