package protoactor

import (
	"reflect"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// patience is the context that handlers get where timers may fire between what they do. The framework tells nobody when
// a receive timeout is set: one that comes and goes within a handler leaves no trace. So the setting is looked at
// around each change of it, and the timers that are set before a future's is (versions.go).
type patience struct {
	actor.Context
	box  *mailbox
	bare bool // without us the framework would wrap nothing
}

// controlPatience has the handlers of an actor get such contexts.
func (m *mailbox) controlPatience(p *actor.Props) {
	if m.rt.AnyTime() {
		bare := hidden(p, "contextDecoratorChain").IsNil() && hidden(p, "receiverMiddlewareChain").IsNil()
		p.Configure(actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
			return func(ctx actor.Context) actor.Context {
				return withPatience(actor.NewFuture, next(ctx), m, bare).(actor.Context)
			}
		}))
	}
}

func (c *patience) look() { c.box.rt.LookAtDeadline(c.box.index) }

// SetReceiveTimeout is actor.Context.
func (c *patience) SetReceiveTimeout(d time.Duration) {
	c.look()
	c.Context.SetReceiveTimeout(d)
	c.box.rt.SetDeadline(c.box.index)
}

// CancelReceiveTimeout is actor.Context.
func (c *patience) CancelReceiveTimeout() {
	c.look()
	c.Context.CancelReceiveTimeout()
	c.box.rt.SetDeadline(c.box.index)
}

// Receive is actor.Context. For decorated contexts the framework wraps every message into an envelope, which handlers
// could tell from a message without one: by its header, and when they forward it. So a message that came without an
// envelope is handled without it, as the framework's processMessage does.
func (c *patience) Receive(envelope *actor.MessageEnvelope) {
	if original, _ := c.box.payload.(*actor.MessageEnvelope); original == envelope || !c.bare {
		c.Context.Receive(envelope)
		return
	}
	receive(c.box.context, envelope.Message)
}

// receive gives the actor of a decorated context a message, or an envelope with one, as the framework's own method
// defaultReceive does. It is no link to that, since a method that is gone would be an error of the linker, which does
// not say what to do. Both are compared before the first exploration (look.go).
func receive(ctx actor.Context, message any) {
	slot := hidden(ctx, "messageOrEnvelope")
	slot.Set(reflect.ValueOf(&message).Elem())
	given, _ := hidden(hidden(ctx, "extras").Interface(), "context").Interface().(actor.Context)
	switch m := ctx.Message().(type) {
	case *actor.PoisonPill:
		ctx.Stop(ctx.Self())
	case actor.AutoRespond:
		ctx.Actor().Receive(given)
		ctx.Respond(m.GetAutoResponse(ctx))
	default:
		ctx.Actor().Receive(given)
	}
	slot.SetZero()
}
