package exec

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// operation does what a function of a framework does. It gives the results of the call.
type operation func(r *run, c *operating) Value

// operating is a call of a function of a framework.
type operating struct {
	fn   *types.Func
	row  model.Row
	sig  *types.Signature
	args []Value
	lost bool // the message is for nobody
}

// arg gives an argument, nil where the operation has none of that kind.
func (c *operating) arg(i int) Value {
	if i <= 0 || i >= len(c.args) {
		return nil
	}
	return c.args[i]
}

// operations are those that are modelled. What is missing here is marked.
var operations map[model.Op]operation

func init() {
	operations = map[model.Op]operation{
		model.Spawn: spawns, model.Send: sends, model.Request: sends, model.RequestFrom: sends, model.Forward: sends,
		model.Ask: asks, model.StopAsk: asks, model.Call: callsActor, model.Respond: responds,
		model.Become: becomes, model.Unbecome: becomes, model.Stop: tells, model.Watch: tells, model.Unwatch: tells,
		model.Timer: tells, model.RequestTimer: tells, model.IdleTimer: tells, model.CancelTimer: tells, model.Stash: tells,
		model.Unstash: tells, model.Unhandled: tells,
		model.Self: known("self"), model.Sender: known("sender"), model.Parent: known("parent"),
		model.Children: known("children"), model.Child: child,
		model.Message: message, model.Choose: chooses, model.Await: awaits, model.AwaitBlocking: awaits,
		model.AwaitCond: awaitsCond, model.Receive: receives,
		model.Pipe: tells, model.Reenter: tells, model.PIDOf: futureReference, model.ByName: byName, model.NewFuture: asks,
		model.Props: opaque, model.PropsFunc: opaque, model.PropsSame: opaque, model.PropsClone: opaque, model.Option: opaque,
		model.OptionLayer: opaque, model.RootLayer: opaque,
		model.RootOption: opaque, model.Decider: opaque, model.Pool: opaque, model.Group: opaque, model.System: systemOf,
		model.Publish: tells, model.Subscribe: tells, model.Listen: tells, model.Unlisten: tells,
		model.Behaviors: noBehaviors, model.BehaviorDo: behaves, model.Unwrap: unwraps,
	}
}

// operate does what a function of a framework does.
func (r *run) operate(fn *types.Func, row model.Row, sig *types.Signature, args []Value) Value {
	do := operations[row.Op]
	if do == nil {
		r.mark(Havoc, "%s, which is not modelled", fn.FullName())
		return r.havoc(fn.Name(), sig.Results())
	}
	if sig.Recv() == nil && fn.Signature().Recv() != nil {
		sig = fn.Signature()
	}
	c := &operating{fn: fn, row: row, sig: sig, args: args}
	if row.Framework == model.Hollywood && len(args) > 0 {
		p, ok := settled(r.force(args[0])).(*InputPtr)
		if ok && isNamed(pointerTo(p.at.Type), model.HollywoodPath, "Engine") && r.truth(r.isZero(p.ref)) {
			r.throw(nilDereference) // a field without an engine
		}
	}
	if r.acting != nil {
		if v, ok := r.newborn(c); ok {
			return v
		}
	}
	if r.machine != nil {
		if v, ok := r.machine.driver.Operate(r.machine, c.public()); ok {
			return v
		}
	}
	return do(r, c)
}

// opNames are the names of events.
var opNames = map[model.Op]string{
	model.Spawn: "spawn", model.Send: "send", model.Request: "request", model.RequestFrom: "request", model.Forward: "forward", model.Ask: "ask", model.StopAsk: "stop",
	model.Call: "call", model.Respond: "respond", model.Become: "become", model.Unbecome: "unbecome", model.Stop: "stop",
	model.Watch: "watch", model.Unwatch: "unwatch",
	model.Timer: "timer", model.RequestTimer: "timer", model.IdleTimer: "timeout", model.CancelTimer: "cancel",
	model.Stash: "stash", model.Unstash: "unstash", model.Unhandled: "unhandled",
	model.Await: "await", model.AwaitBlocking: "await", model.AwaitCond: "await", model.Receive: "receive",
	model.Pipe: "pipe", model.Reenter: "reenter",
	model.Publish: "publish", model.Subscribe: "subscribe", model.Listen: "listen", model.Unlisten: "unlisten",
	model.NewFuture: "future", model.Choose: "choose",
}

// event notes what happens to actors.
func (r *run) event(c *operating, to *term.Term, msg Value) {
	r.eventOf(opNames[c.row.Op], c, to, msg)
}

func (r *run) eventOf(op string, c *operating, to *term.Term, msg Value) {
	e := Event{Op: op, To: to, By: r.acting, Lost: c.lost, Pos: r.pos(), Released: c.row.Op == model.Await ||
		c.row.Op == model.AwaitCond}
	if msg != nil {
		e.Msg = msg
		if f, ok := settled(r.force(msg)).(Face); ok {
			e.Type = f.Type
			msg = f.Val
			if msg == nil {
				msg = Tuple{}
			}
		}
		e.Flat = r.flatten("msg", msg)
	}
	switch c.row.Op {
	case model.Spawn:
		e.Name = r.termOf(c.arg(c.row.Name))
		e.Kind = r.kindOf(c.arg(c.row.Props), e.Name)
		if c.row.Framework == model.Hollywood {
			e.Kind = r.produced(c.arg(c.row.Props))
		}
	case model.Timer, model.RequestTimer:
		e.Delay = r.termOf(c.arg(c.row.Limit))
	}
	r.path.Events = append(r.path.Events, e)
}

// reference gives a reference to an actor as a term.
func (r *run) reference(v Value) *term.Term {
	switch v := settled(r.force(v)).(type) {
	case *term.Term:
		return v
	case Face:
		if v.Type == nil {
			return r.store.Uint(sortReference, 0)
		}
		return r.reference(v.Val)
	case Ptr, *InputPtr, *Opaque:
		if p, ok := v.(Ptr); !ok || p.Obj != nil {
			r.mark(Havoc, "a reference that the program has made")
		}
		return r.identity(v)
	default:
		r.mark(Havoc, "a reference that is a %T", v)
		return r.store.Var(r.outside("reference"), sortReference)
	}
}

// sends is a message to a reference.
func sends(r *run, c *operating) Value {
	to := r.receiver(c)
	msg := c.arg(c.row.Msg)
	if c.row.Op == model.Forward {
		msg = r.message
	}
	if r.present(c, to); c.dropped() {
		return r.nothing(c)
	}
	r.event(c, to, msg)
	return r.nothing(c)
}

// dropped reports whether nothing comes of a message: Hollywood looks whether there is a receiver, and a sender. So do
// functions of GoAkt.
func (c *operating) dropped() bool {
	return c.lost && (c.row.Framework == model.Hollywood || c.row.Framework == model.GoAkt)
}

// present decides whether a reference is one of an actor. A message to none is a panic inside protoactor-go, and in
// methods of GoAkt; it is a dead letter of native actors.
func (r *run) present(c *operating, to *term.Term) {
	c.lost = r.truth(r.isZero(to))
	switch {
	case !c.lost:
	case c.row.Framework == model.Protoactor:
		r.throw(nilReference)
	case c.row.Framework == model.GoAkt && c.fn.Signature().Recv() != nil && c.row.Op != model.Stop:
		r.throw(nilDereference)
	}
}

// nilReference is a panic inside protoactor-go.
const nilReference = "send to a nil reference"

// nothing gives the results of a call of which nobody needs to know more: values that are not modelled.
func (r *run) nothing(c *operating) Value {
	return results(c.sig, func(i int, t types.Type) Value { return r.given(c.fn.Name(), t) })
}

// given makes a value that a framework has made.
func (r *run) given(what string, t types.Type) Value {
	if _, ok := scalar(t); ok || types.IsInterface(t) {
		return r.input(root(r.outside(what), t))
	}
	r.objects++
	return &Opaque{Type: t, Name: r.outside(what), ref: r.store.Uint(sortReference, uint64(made+r.objects))}
}

// responds is an answer to the sender; to none it is for the dead letters. In GoAkt only the first one counts.
func responds(r *run, c *operating) Value {
	to := r.sender(c)
	if c.row.Framework == model.GoAkt {
		if r.responded {
			return nil
		}
		r.responded = true
	}
	if c.lost = r.truth(r.isZero(to)); !c.dropped() {
		r.event(c, to, c.arg(c.row.Msg))
	}
	return nil
}

func (r *run) sender(c *operating) *term.Term {
	ref := r.variable(root("sender", nil), aspectRef, sortReference)
	r.sentBy(c, ref)
	return ref
}

// sentBy notes that a message of native actors has a sender: only the test function's own Context, and a start hook's,
// have none. In GoAkt an actor of the framework's stands for who is none.
func (r *run) sentBy(c *operating, sender *term.Term) {
	if (c.row.Framework == model.Native || c.row.Framework == model.GoAkt) && r.message != nil {
		r.assume(r.store.Not(r.isZero(sender)))
	}
}

// spawns creates an actor whose reference differs from all others.
func spawns(r *run, c *operating) Value {
	ref := r.store.Var(r.outside("spawn")+aspectRef, sortReference)
	r.spawned[ref] = true
	r.assume(r.store.Not(r.isZero(ref)))
	if c.row.Framework == model.GoAkt && r.nameless(c) {
		return r.nobody(c)
	}
	r.preStarts(c, c.arg(c.row.Props))
	r.event(c, ref, c.arg(c.row.Props))
	r.born(c, ref, c.arg(c.row.Props))
	return results(c.sig, func(i int, t types.Type) Value {
		if i == 0 {
			return ref
		}
		r.mark(Env, "whether the name of the actor is taken")
		return r.input(root(r.outside(c.fn.Name())+".error", t))
	})
}

// IsSpawnError reports whether a place is the error of spawning under a name.
func IsSpawnError(at *Place) bool {
	return !at.Outside && at.Up == nil && strings.HasPrefix(at.Name, "Spawn") && strings.HasSuffix(at.Name, ".error")
}

// asks gives a future.
func asks(r *run, c *operating) Value {
	if to := c.arg(c.row.To); to != nil || c.row.To < 0 {
		ref := r.receiver(c)
		r.present(c, ref)
		r.event(c, ref, c.arg(c.row.Msg))
	}
	return r.nothing(c)
}

// callsActor waits for an answer, or for the timeout.
func callsActor(r *run, c *operating) Value {
	to := r.receiver(c)
	if r.present(c, to); c.dropped() {
		return r.nothing(c)
	}
	r.event(c, to, c.arg(c.row.Msg))
	called := &r.path.Events[len(r.path.Events)-1]
	v, name := r.answer(c)
	if c.row.Framework == model.Native && c.fn.Name() == "Call" {
		called.Answer = name
	}
	return v
}

// answer makes the results of waiting: an answer, or an error. It gives the name of the answer.
func (r *run) answer(c *operating) (v Value, name string) {
	name = r.outside("answer")
	v = results(c.sig, func(i int, t types.Type) Value {
		if i > 0 {
			return r.input(root(name+".error", t))
		}
		return r.input(root(name, t))
	})
	if t, ok := v.(Tuple); ok && len(t) == 2 {
		r.assume(r.store.Or(r.faceNil(t[1]), r.faceNil(t[0]))) // not both
	}
	return v, name
}

// awaits waits for the answer in a future. Where the actor is given up meanwhile, its state may be another afterwards.
func awaits(r *run, c *operating) Value {
	r.event(c, nil, nil)
	if c.row.Op == model.Await {
		r.mark(Havoc, "what other messages do to the actor while it waits")
	}
	v, _ := r.answer(c)
	return v
}

func awaitsCond(r *run, c *operating) Value {
	r.event(c, nil, nil)
	r.mark(Havoc, "what other messages do to the actor while it waits")
	return nil
}

// receives takes a message out of the mailbox, one that a function accepts.
func receives(r *run, c *operating) Value {
	r.event(c, nil, nil)
	v := r.nothing(c)
	if accepts := c.arg(c.row.Func); accepts != nil {
		if ok, is := r.callValue(accepts, v).(*term.Term); is && !r.truth(ok) {
			panic(&stop{exit: Refused, why: NotAwaited, pos: r.pos()})
		}
	}
	return v
}

// tells is an event that gives nothing that anybody needs to know more of.
func tells(r *run, c *operating) Value {
	var to *term.Term
	if v := c.arg(c.row.To); v != nil && c.row.Op != model.Pipe {
		to = r.reference(v)
		if c.row.Op == model.Stop || c.row.Op == model.Watch {
			r.present(c, to)
		}
	}
	if c.row.Framework == model.GoAkt && c.row.Op == model.Stop {
		if to = r.stopped(c, to); c.dropped() {
			return r.nothing(c)
		}
	}
	msg := c.arg(c.row.Msg)
	if c.row.Op == model.Reenter || c.row.Op == model.Subscribe {
		msg = c.arg(c.row.Func)
	}
	if c.row.Op == model.IdleTimer { // how long
		msg = c.args[len(c.args)-1]
	}
	r.event(c, to, msg)
	v := r.nothing(c)
	if _, ok := settled(v).(*InputFace); ok && c.row.Framework == model.Hollywood { // the context of a stop
		r.assume(r.store.Not(r.faceNil(v)))
	}
	return v
}

// known gives what the framework knows of an actor, the same each time.
func known(name string) operation {
	return func(r *run, c *operating) Value {
		at := root(name, c.sig.Results().At(0).Type())
		v := r.input(at)
		if t, ok := v.(*term.Term); ok && name == "self" {
			r.assume(r.store.Not(r.isZero(t)))
		} else if ok && name == "sender" {
			r.sentBy(c, t)
		}
		return v
	}
}

// message is the one that is handled.
func message(r *run, c *operating) Value {
	if r.message == nil {
		return r.given("message", c.sig.Results().At(0).Type())
	}
	return r.message
}

// chooses picks a number below another one.
func chooses(r *run, c *operating) Value {
	n := c.args[len(c.args)-1].(*term.Term)
	v := r.input(root(r.outside("choice"), types.Typ[types.Int])).(*term.Term)
	r.assume(r.store.SLess(v, n))
	r.assume(r.store.Not(r.store.SLess(v, r.int(0))))
	r.event(c, nil, nil)
	return v
}

func futureReference(r *run, c *operating) Value {
	ref := r.identity(c.args[0])
	r.spawned[ref] = true
	return ref
}

// byName makes a reference of a name.
func byName(r *run, c *operating) Value {
	var parts []*term.Term
	for _, a := range c.args {
		if t, ok := a.(*term.Term); ok {
			parts = append(parts, t)
		}
	}
	ref := r.store.Apply("reference", sortReference, parts...)
	if c.sig.Results().Len() > 1 {
		return r.foundOr(c, ref)
	}
	if c.fn.Name() != "GetPID" { // of Hollywood, which finds nobody or somebody
		r.assume(r.store.Not(r.isZero(ref)))
	}
	return ref
}

// child is one of the actor's children, or nobody.
func child(r *run, c *operating) Value {
	if c.row.Framework == model.GoAkt {
		return r.foundChild(c)
	}
	r.mark(Env, "which child goes by a name")
	return results(c.sig, func(i int, t types.Type) Value { return r.input(root(r.outside(c.fn.Name()), t)) })
}

// opaque gives what only the framework looks into.
func opaque(r *run, c *operating) Value {
	makes := r.propsOf(c)
	return results(c.sig, func(i int, t types.Type) Value {
		r.objects++
		return &Opaque{Type: t, Name: frameworkName + fmt.Sprint(r.objects),
			ref: r.store.Uint(sortReference, uint64(made+r.objects)), makes: makes}
	})
}

// frameworkName begins the names of what only the framework looks into.
const frameworkName = "framework"

// unwraps gives what is in an envelope. Messages are taken to have none.
func unwraps(r *run, c *operating) Value {
	v := c.args[c.row.Msg]
	if _, ok := v.(Ptr); ok || c.row.Slot != "Message" {
		return r.field(v, c.row.Slot, c)
	}
	if p, ok := v.(*InputPtr); ok {
		return r.field(p, c.row.Slot, c)
	}
	if c.row.Slot == "Message" {
		r.mark(Closed, "messages come without envelopes")
		return v
	}
	return r.nothing(c)
}

// field gives a field of what a pointer leads to, by its name; the zero value for nil, as generated methods do.
func (r *run) field(v Value, name string, c *operating) Value {
	if r.truth(r.samePointer(v, Ptr{})) {
		return r.zero(c.sig.Results().At(0).Type())
	}
	p := r.deref(v)
	if s := structOf(p.Obj.typ); s != nil && len(p.Path) == 0 {
		for i := range s.NumFields() {
			if s.Field(i).Name() == name {
				return r.load(p.at(i))
			}
		}
	}
	r.mark(Havoc, "%s, which is not modelled", c.fn.FullName())
	return r.havoc(name, c.sig.Results())
}
