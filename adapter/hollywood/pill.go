package hollywood

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/anthdm/hollywood/actor"
	"github.com/anthdm/hollywood/ringbuffer"
	"github.com/anthdm/hollywood/safemap"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about the end of actors: Stop and Poison, what they make of the batch that they are in, and children.
//
// The framework takes from a mailbox all that waits there, a batch, and hands it over whole. At Poison the rest of the
// batch is handled first; what came later is lost. So it matters whether a message came before or after the batch
// began in which Poison is. Steps that decide this depend on each other in programs in which it does, which the first
// execution shows by what it sends behind Poison, or beside it. Where a later one shows it first, its result says that
// orders are left out.

// Poison and Stop are the framework's messages that end an actor, as reports name them. It is one type in the
// framework, and unexported.
type (
	Poison struct{} // what waits in the same batch is handled first
	Stop   struct{} // what waits is lost
)

// Done tells who waits for the end of an actor that it had ended before, as reports name it.
type Done struct{}

// pill is what such a message holds.
type pill struct {
	cancel   context.CancelFunc
	graceful bool
}

func (p pill) value() any {
	if p.graceful {
		return Poison{}
	}
	return Stop{}
}

// isOf reports whether a value is of a type of the framework's that has no name to us.
func isOf(v any, t reflect.Type) bool { return t != nil && reflect.TypeOf(v) == t }

// pillIn reads one.
func (f *framework) pillIn(msg any) (p pill, ok bool) {
	if !isOf(msg, f.layout.pill) {
		return pill{}, false
	}
	return pill{part[context.CancelFunc](msg, f.ofPill.cancel), part[bool](msg, f.ofPill.graceful)}, true
}

// stopPill makes one that nobody waits for.
func (f *framework) stopPill() actor.Envelope {
	v := reflect.New(f.layout.pill)
	*at[context.CancelFunc](pointerOf[byte](v.Interface()), f.ofPill.cancel) = func() {}
	return actor.Envelope{Msg: v.Elem().Interface()}
}

// ringOf is the queue of the framework's inbox.
type ringOf = ringbuffer.RingBuffer[actor.Envelope]

// batch is what is known of an actor's mailbox, where the model has one.
type batch struct {
	queued int             // messages that wait
	left   int             // of these, those that are in the batch that the actor has taken
	poison *actor.Envelope // of which the batch is to be handled first
	dying  bool            // Poison was taken

	poisoned, sent, others bool  // after set-up: Poison was sent; something before that; by several
	sender                 int32 // by whom
}

// Arrives is adapter.Arriving.
func (f *framework) Arrives(a adapter.Actor, _ trace.MessageKind, _ any) (touches bool, omits string) {
	if b, ok := a.(*box); ok {
		return b.arrives()
	}
	return false, ""
}

// arrives notes that a message is in the mailbox. It reports whether it matters when that was, and what is left out.
func (b *box) arrives() (touches bool, omits string) {
	b.queued++
	if b.dying && b.batchesBegin() {
		omits = lateBatches
	}
	return b.framework.batches && b.rt.Queues(), omits
}

// behind is called when something finds the actor stopped: behind Poison, of whose batch it may have been.
func (b *box) behind() {
	if b.dying {
		b.batchesMatter()
	}
}

// batchesBegin notes that it matters what belongs to a batch. It reports whether that is new.
func (b *box) batchesBegin() bool {
	f := b.framework
	if f.batches || !b.rt.Queues() {
		return false
	}
	f.batches = true
	return true
}

// lateBatches is what an execution leaves out that shows it first.
const lateBatches = "takes Poison while messages come behind it, which no earlier execution has done: that these " +
	"come before or after its batch begins is not explored whole; use Stop, or wait for those who send"

// batchesMatter is batchesBegin, and names what is left out.
func (b *box) batchesMatter() {
	if b.batchesBegin() {
		b.rt.Omit(b.index, lateBatches)
	}
}

// rivals notes who sends to the actor. What is sent after Poison, or by another one, may come behind it.
func (b *box) rivals(graceful bool) {
	if b.framework.batches || b.rt.SettingUp() {
		return
	}
	by := b.rt.Running()
	switch {
	case graceful && b.sent && (b.others || b.sender != by), !graceful && b.poisoned:
		b.batchesMatter()
	case graceful:
		b.poisoned = true
	default:
		b.others = b.others || b.sent && b.sender != by
		b.sent, b.sender = true, by
	}
}

// takes notes that the actor takes a message.
func (b *box) takes() {
	b.queued = max(0, b.queued-1)
	if b.left > 0 {
		b.left--
		return
	}
	if b.rt.Queues() {
		b.left = b.queued
		if b.framework.batches {
			b.rt.Touch(b.rt.Shared(b.index), true)
		}
	}
}

// swallow handles a pill.
func (b *box) swallow(env actor.Envelope, p pill) {
	if b.poison != nil { // the framework passes over what else would stop the actor
		b.settle()
		return
	}
	b.dying = b.dying || p.graceful
	if p.graceful && b.queued > 0 {
		b.batchesMatter()
	}
	if p.graceful && b.left > 0 {
		b.poison = &env
		return
	}
	b.end(env)
}

// behindPill reports whether what is handled follows Poison.
func (b *box) behindPill() bool { return b.poison != nil }

// settle ends the actor when all of the batch was handled that Poison is in.
func (b *box) settle() {
	if b.poison != nil && b.left == 0 {
		env := *b.poison
		b.poison = nil
		b.end(env)
	}
}

// end has the framework end the actor.
func (b *box) end(env actor.Envelope) {
	b.poisonChildren()
	b.invoke(env)
}

// manyChildren is how many children are stopped in all orders.
const manyChildren = 4

// poisonChildren is called before an actor ends, which its parent can see. It stops its children, one after the other,
// and waits for each. The framework does that in the order of a map. Here it is a choice, and none are left for it.
func (b *box) poisonChildren() {
	if up := b.parent(); up != nil && b.rt.Exploring() {
		b.rt.Access(up.children(), true)
	}
	children := b.context.Children()
	if len(children) < 2 {
		return
	}
	f := b.framework
	f.byAge(b.engine, children)
	if len(children) <= manyChildren {
		b.choose(children)
	} else {
		b.rt.Omit(b.index, "stops many children, which the framework does in the order of a map: here it is that of "+
			"their creation, and others are not explored")
	}
	siblings := func(c *actor.Context) *safemap.SafeMap[string, *actor.PID] {
		return *at[*safemap.SafeMap[string, *actor.PID]](c, f.ofContext.children)
	}
	if up := *at[*actor.Context](b.context, f.ofContext.parent); up != nil {
		siblings(up).Delete(b.id)
	}
	for _, pid := range children {
		<-b.engine.Poison(pid).Done()
		siblings(b.context).Delete(pid.GetID())
	}
}

// byAge sorts actors by their creation.
func (f *framework) byAge(e *actor.Engine, pids []*actor.PID) {
	age := func(pid *actor.PID) int32 {
		if b := f.boxOf(e, pid.GetID()); b != nil {
			return b.index
		}
		return -1
	}
	slices.SortFunc(pids, func(x, y *actor.PID) int {
		return cmp.Or(cmp.Compare(age(x), age(y)), cmp.Compare(x.GetID(), y.GetID()))
	})
}

// choose puts children into one of their orders.
func (b *box) choose(children []*actor.PID) {
	for i := range len(children) - 1 {
		next := i + b.rt.Choose(len(children)-i)
		pid := children[next]
		copy(children[i+1:next+1], children[i:next])
		children[i] = pid
	}
}
