package protoactor

import (
	"reflect"
	"time"
	"unsafe"

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
	slot := hidden(c.box.invoker, "messageOrEnvelope")
	slot.Set(reflect.ValueOf(&envelope.Message).Elem())
	defaultReceive(reflect.ValueOf(c.box.invoker).UnsafePointer())
	slot.SetZero()
}

// defaultReceive is the framework's own method: it gives its context's message to the actor.
//
//go:linkname defaultReceive github.com/asynkron/protoactor-go/actor.(*actorContext).defaultReceive
func defaultReceive(context unsafe.Pointer)
